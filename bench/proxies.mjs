import { pgbouncer, startPgBouncer } from '../test/cluster/pgbouncer.mjs';
import { startEngine } from '../test/engine-proxy.mjs';
import { engines } from '../test/engines.mjs';
import { ownPostgres } from './databases.mjs';
import { importByNodes } from './import-by-nodes.mjs';
import { makeSource } from './import-runs.mjs';
import { comparison, figure } from './rows.mjs';

/** @import { EngineName } from '../test/engines.mjs' */
/** @import { NodesRun } from './import-by-nodes.mjs' */
/** @import { Options } from './options.mjs' */

/**
 * A server between nodes and PostgreSQL. @typedef {{ through(location: string): string, stop(): void | Promise<void> }}
 * Proxy
 */

/** @typedef {{ what: string, start(url: string): Promise<Proxy> }} Way */

/**
 * The number of connections of a pool in transaction mode; in session mode each session needs a connection for itself.
 */
const connections = { transaction: 8, session: 60 };
const nodes = 2;

/**
 * Two nodes and two importers with a share each, on PostgreSQL directly and through what can be in front of it:
 * PgBouncer, and the proxy that simulates other engines, with 40001 in every hundredth and in every tenth transaction.
 * @param {Options} options
 */
export async function* measure(options) {
  const databases = await ownPostgres();
  if (!databases) {
    options.say('proxies: skipped, since no initdb and postgres were found');
    return;
  }
  try {
    yield* compareWays({ ...options, databases });
  } finally {
    await databases.close();
  }
}

/** @param {Options} options */
async function* compareWays(options) {
  const { rows = 20_000, rounds, databases } = options;
  const source = await makeSource(options, rows);
  const ways = [...poolers(options), ...proxies()].filter(
    ({ what }) => options.only?.some((part) => what.includes(part)) ?? true,
  );
  /** @type {NodesRun[]} */
  const straight = [];
  /** @type {NodesRun[][]} */
  const runs = ways.map(() => []);
  for (let round = 1; round <= rounds; round += 1) {
    straight.push(await importByNodes(options, source, nodes));
    for (const [index, { what, start }] of ways.entries()) {
      options.say(`proxies: round ${round} of ${rounds}, ${what}`);
      const location = await databases.fresh();
      const proxy = await start(location);
      try {
        runs[index]?.push(await importByNodes(options, source, nodes, proxy.through));
      } finally {
        await proxy.stop();
      }
      await databases.drop(location);
    }
  }
  const import_ = `${rows.toLocaleString('en')} rows by two nodes`;
  for (const [index, { what }] of ways.entries()) {
    yield comparison(`${import_}, ${what}`, 'rows/s', ratesOf(runs[index] ?? []), ratesOf(straight));
  }
  const all = [...straight, ...runs.flat()];
  for (const fault of /** @type {const} */ (['missing', 'twice']))
    yield figure(`rows ${fault}, worst`, 'rows', [Math.max(...all.map((run) => run[fault]))], { atMost: 0 });
}

/** @param {NodesRun[]} runs */
function ratesOf(runs) {
  return runs.map(({ rate }) => rate);
}

/**
 * @param {Options} options
 * @returns {Way[]}
 */
function poolers({ say }) {
  if (pgbouncer === undefined) {
    say('proxies: PgBouncer is skipped, since it is not on the PATH');
    return [];
  }
  return /** @type {const} */ (['session', 'transaction']).map((mode) => ({
    what: `through PgBouncer, ${mode} mode`,
    start: (url) => startPgBouncer(url, { mode, connections: connections[mode] }),
  }));
}

/** @returns {Way[]} */
function proxies() {
  const names = /** @type {EngineName[]} */ (Object.keys(engines));
  const shares = [0.01, 0.1];
  return [
    {
      what: 'through the proxy alone',
      start: (url) => startEngine(url, 'citus', { refuses: [], races: 0 }),
    },
    ...names.flatMap((name) =>
      shares.map((races) => ({
        what: `as ${name}, 40001 in ${races * 100} %`,
        start: (/** @type {string} */ url) => startEngine(url, name, { races }),
      })),
    ),
  ];
}
