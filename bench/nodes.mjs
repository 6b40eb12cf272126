import { rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { loadSource } from '../test/load-source.mjs';
import { ownPostgres } from './databases.mjs';
import { makeSource, refusedRows } from './import-runs.mjs';
import { median } from './median.mjs';
import { bin, runToEnd, startService } from './processes.mjs';
import { comparison, figure } from './rows.mjs';

/** @import { Options } from './options.mjs' */
/** @import { Source } from './import-runs.mjs' */

/**
 * Two `serve` nodes on one PostgreSQL, and two importers with a share each, against one node and one importer; how busy the
 * cores were tells whether these limited them.
 * @param {Options} options
 */
export async function* measure(options) {
  if (options.databases.isPostgres) {
    yield* compareNodes(options);
    return;
  }
  const databases = await ownPostgres();
  if (!databases) {
    options.say('nodes: skipped, since no initdb and postgres were found');
    return;
  }
  try {
    yield* compareNodes({ ...options, databases });
  } finally {
    await databases.close();
  }
}

/** @param {Options} options */
async function* compareNodes(options) {
  const { rows = 100_000, rounds } = options;
  const source = await makeSource(options, rows);
  /** @type {[NodesRun[], NodesRun[]]} */
  const [ones, twos] = [[], []];
  for (let round = 1; round <= rounds; round += 1) {
    options.say(`nodes: round ${round} of ${rounds}`);
    ones.push(await importByNodes(options, source, 1));
    twos.push(await importByNodes(options, source, 2));
  }
  const what = `import of ${rows.toLocaleString('en')} rows, two nodes and importers, against one of each`;
  const rate = (/** @type {NodesRun} */ run) => run.rate;
  const busy = (/** @type {NodesRun} */ run) => run.busy;
  yield comparison(what, 'rows/s', twos.map(rate), ones.map(rate));
  const limited = median(twos.map(busy)) >= 90 ? 'the limit' : 'not the limit';
  const cores = `cores busy meanwhile (${limited}), two nodes, against one`;
  yield comparison(cores, '%', twos.map(busy), ones.map(busy));
  const worst = (/** @type {'missing' | 'twice'} */ fault) => [Math.max(...twos.map((run) => run[fault]))];
  yield figure('rows missing, two nodes', 'rows', worst('missing'), { atMost: 0 });
  yield figure('rows there twice, two nodes', 'rows', worst('twice'), { atMost: 0 });
}

/** @typedef {Awaited<ReturnType<typeof importByNodes>>} NodesRun */

/**
 * An importer for each node, at the same time, and what the database has at the end.
 * @param {Options} options
 * @param {Source} source
 * @param {number} nodes
 */
async function importByNodes({ databases, directory, inFlight = 64 }, { file, rows }, nodes) {
  const location = await databases.fresh();
  const servers = [];
  for (let node = 0; node < nodes; node += 1) servers.push(await startService(location));
  const jobs = servers.map((_, node) => join(directory, `node-${node}.import`));
  const flight = ['--concurrency', String(inFlight), '--json'];
  const before = coreTimes();
  const began = performance.now();
  await Promise.all(
    servers.map(({ baseUrl }, node) => {
      const share = nodes === 1 ? [] : ['--shard', `${node + 1}/${nodes}`];
      const target = ['--job', jobs[node] ?? '', '--base-url', baseUrl];
      return runToEnd([bin, 'import-hashes', file, '--yes', ...target, ...flight, ...share]);
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const after = coreTimes();
  const { users, names } = await countUsers(location);
  for (const server of servers) await server.end();
  await databases.drop(location);
  for (const job of jobs) await rm(job, { recursive: true, force: true });
  const busy = 100 * (1 - (after.idle - before.idle) / (after.all - before.all));
  return {
    rate: rows / seconds,
    busy,
    missing: Math.max(0, rows - refusedRows - names),
    twice: users - names,
  };
}

/** Milliseconds of all cores since the machine was started, and those in which they had nothing to do. */
function coreTimes() {
  let [idle, all] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    for (const time of Object.values(times)) all += time;
  }
  return { idle, all };
}

/**
 * Users in the database, and different ones among them.
 * @param {string} location
 * @returns {Promise<{ users: number, names: number }>}
 */
async function countUsers(location) {
  const { openDatabase } = await loadSource('service/storage/open-database.ts');
  const database = await openDatabase(location);
  const sql = 'SELECT count(*) AS users, count(DISTINCT user_name_key) AS names FROM users';
  const [counted] = await database.query(sql, []);
  await database.close();
  return counted;
}
