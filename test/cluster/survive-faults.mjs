import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { quietPort } from '../quiet-port.mjs';
import { spawnServe } from '../spawn-serve.mjs';
import { startHaproxy } from './haproxy.mjs';
import { startPostgresPair } from './postgres-pair.mjs';
import { startTraffic } from './traffic.mjs';

const bin = fileURLToPath(new URL('../../bin/tenant-users.js', import.meta.url));
const application = { client_id: 'cluster', client_secret: 'cluster-secret' };
const env = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  TENANT_USERS_CLIENT_ID: application.client_id,
  TENANT_USERS_CLIENT_SECRET: application.client_secret,
};

/** @import { Pauses } from './traffic.mjs' */
/** @typedef {Awaited<ReturnType<typeof startHaproxy>>} Haproxy */
/** @typedef {{ nodes: Node[], haproxy: Haproxy, postgres: { failOver(): Promise<void> } }} Cluster */

/** The faults of a cluster in use. @satisfies {Record<string, (cluster: Cluster) => Promise<void>>} */
const faults = {
  async 'a node is killed'({ nodes: [node], haproxy }) {
    await node?.end('SIGKILL');
    await node?.start();
    await haproxy.untilUp();
  },
  async 'the nodes are restarted in turn'({ nodes, haproxy }) {
    for (const [index, node] of nodes.entries()) {
      await haproxy.drain(index);
      await node.end('SIGTERM');
      await node.start();
      await haproxy.undrain(index);
      await haproxy.untilUp();
    }
  },
  'PostgreSQL fails over': ({ postgres }) => postgres.failOver(),
};

/** @typedef {keyof typeof faults} FaultName */

/**
 * What happened during a fault: answers to the traffic by kind and status, how often the import of a share was started
 * until it was complete, and seconds from the fault until ten more users were acknowledged.
 * @typedef {{ answers: Record<string, number>, starts: number, seconds: number }} Survived
 */

/**
 * A load below the most that the machine can do: milliseconds before a commit is flushed, and pauses of the traffic.
 * @typedef {{ flushDelay?: number, pauses?: Pauses }} Load
 */

/**
 * Three nodes behind HAProxy on a PostgreSQL with a synchronous standby. Through HAProxy users are created, looked up
 * and logged in, and for each fault a share of a file is imported at the same time. In the end the database is compared
 * with what was acknowledged: `lost` and `twice` are names and ids of users, `gaps` numbers that no user has.
 * @param {{ file: string, rows: number, directory: string, load?: Load, say?: (text: string) => void }} options `rows`
 * are those that become users
 */
export async function surviveFaults({ file, rows, directory, load = {}, say = () => {} }) {
  /** @type {(() => Promise<unknown>)[]} */
  const ends = [];
  try {
    const postgres = await startPostgresPair(load);
    ends.push(postgres.stop);
    const nodes = [await makeNode(postgres.location), await makeNode(postgres.location)];
    nodes.push(await makeNode(postgres.location));
    ends.push(...nodes.map((node) => () => node.end('SIGKILL')));
    for (const node of nodes) await node.start();
    const haproxy = await startHaproxy(nodes.map(({ port }) => port));
    ends.push(haproxy.stop);
    const traffic = await startTraffic(haproxy.baseUrl, application, load.pauses);
    ends.push(traffic.end);

    /** @type {Partial<Record<FaultName, Survived>>} */
    const survived = {};
    /** @type {string[]} */
    const imported = [];
    for (const [index, name] of /** @type {FaultName[]} */ (Object.keys(faults)).entries()) {
      say(name);
      const job = join(directory, `${index}.import`);
      const share = ['--shard', `${index + 1}/${Object.keys(faults).length}`, '--job', job];
      const importing = importShare(file, haproxy.baseUrl, share);
      await Promise.all([untilMore(postgres, 20), traffic.more(50)]);
      traffic.take();
      const began = performance.now();
      await faults[name]({ nodes, haproxy, postgres });
      await traffic.more(10);
      const seconds = (performance.now() - began) / 1000;
      const starts = await importing;
      survived[name] = { answers: traffic.take(), starts, seconds };
      imported.push(...idsOf(job));
    }
    await traffic.end();
    return {
      survived,
      ...(await compare(postgres, traffic.acknowledged, imported)),
      missing: rows - imported.length,
    };
  } finally {
    await Promise.allSettled(ends.map((end) => end()));
  }
}

/** @typedef {Awaited<ReturnType<typeof makeNode>>} Node */

/**
 * A `serve` of the built program that can be started again on the same port.
 * @param {string} location
 */
async function makeNode(location) {
  const port = await quietPort();
  const options = ['--port', String(port), '--database', location, '--trust-proxy', '127.0.0.1'];
  options.push('--audit', 'off', '--address-limit', '100000/s');
  /** @type {ReturnType<typeof spawnServe> | undefined} */
  let running;
  return {
    port,
    async start() {
      running = spawnServe(options, env);
      await running.ready;
    },
    /** @param {NodeJS.Signals} signal */
    async end(signal) {
      await running?.end(signal);
    },
  };
}

/**
 * Repeats the same import until no outcome is unknown; returns how often it was started. Throws if an import ends in
 * another way than with some rows that are no users.
 * @param {string} file
 * @param {string} baseUrl
 * @param {string[]} share
 */
async function importShare(file, baseUrl, share) {
  const flight = ['--concurrency', '8', '--base-url', baseUrl, '--yes', '--json'];
  for (let starts = 1; ; starts += 1) {
    const args = [bin, 'import-hashes', file, ...flight, ...share];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    if (code !== 0 && code !== 7 && starts === 5) throw new Error(`exit code ${code}: ${stderr}`);
    const { unknown, pending } = stdout === '' ? { unknown: 1, pending: 0 } : JSON.parse(stdout);
    if (unknown === 0 && pending === 0) return starts;
  }
}

/**
 * Ids of the users of an import.
 * @param {string} job
 * @returns {string[]}
 */
function idsOf(job) {
  /** @type {{ user_id: string }[]} */
  const users = parse(readFileSync(join(job, 'users.csv')), { columns: true, bom: true });
  return users.map(({ user_id }) => user_id);
}

/** Condition for the users of `traffic.mjs`; all others are rows of the file. */
const isTraffic = "coalesce(profile::json->>'name' LIKE 'Traffic %', false)";

/** @typedef {{ query(sql: string): Promise<any[]> }} Queried */

/**
 * Waits until this number of further users of the file is in the database.
 * @param {Queried} postgres
 * @param {number} users
 */
async function untilMore({ query }, users) {
  const count = async () => {
    const [row] = await query(`SELECT count(*) AS users FROM users WHERE NOT ${isTraffic}`);
    return Number(row.users);
  };
  const wanted = (await count()) + users;
  while ((await count()) < wanted) await sleep(50);
}

/**
 * @param {Queried} postgres
 * @param {Map<string, string>} acknowledged
 * @param {string[]} imported
 */
async function compare({ query }, acknowledged, imported) {
  const rows = await query(
    `SELECT user_id, seq, CASE WHEN ${isTraffic} THEN profile::json->>'name' END AS name FROM users`,
  );
  const ids = new Set(rows.map(({ user_id }) => user_id));
  const names = rows.flatMap(({ name }) => name ?? []);
  const repeated = (/** @type {string[]} */ values) =>
    values.filter((value, at) => values.indexOf(value) < at);
  return {
    acknowledged: acknowledged.size,
    imported: imported.length,
    lost: [...acknowledged.values(), ...imported].filter((id) => !ids.has(id)),
    twice: [...repeated(names), ...repeated(imported)],
    gaps: Math.max(...rows.map(({ seq }) => Number(seq))) - rows.length,
  };
}
