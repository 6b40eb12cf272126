import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { openBarePool } from './bare-pool.mjs';
import { ownPostgres } from './databases.mjs';
import { startService } from './processes.mjs';
import { rateOf } from './rate-of.mjs';
import { comparison } from './rows.mjs';

/** @import { Options } from './options.mjs' */

const names = ['one', 'two', 'three', 'four'];

/**
 * Milliseconds that a commit takes longer, as if several machines had to agree; 100 is the most that PostgreSQL offers.
 */
const delays = [0, 100];

/** Numbers of tenants and nodes; all are compared with the first. */
const ways = [
  { tenants: 1, nodes: 1 },
  { tenants: 1, nodes: 2 },
  { tenants: 4, nodes: 1 },
  { tenants: 4, nodes: 2 },
];

/**
 * Creates a second with one tenant and with several, through one node and through two, with callers in proportion to
 * the nodes: for commits that take time, and for cores that are the limit.
 * @param {Options} options
 */
export async function* measure(options) {
  const databases = await ownPostgres();
  if (!databases) {
    options.say('tenants: skipped, since no initdb and postgres were found');
    return;
  }
  const files = await Promise.all(
    names.map(async (tenant_id) => {
      const file = join(options.directory, `${tenant_id}.json`);
      await writeFile(file, JSON.stringify({ tenant_id }));
      return ['--tenant', file];
    }),
  );
  try {
    for (const delay of delays) yield* compareWays({ ...options, databases }, files.flat(), delay);
  } finally {
    await databases.close();
  }
}

/**
 * @param {Options} options
 * @param {string[]} tenants arguments of `serve`
 * @param {number} delay
 */
async function* compareWays(options, tenants, delay) {
  const { databases, rounds, say } = options;
  /** @type {number[][]} */
  const rates = ways.map(() => []);
  for (let round = 1; round <= rounds; round += 1) {
    say(`tenants: a commit takes ${delay} ms more, round ${round} of ${rounds}`);
    for (const [index, way] of ways.entries()) {
      const location = await databases.fresh();
      await slowCommits(location, delay);
      rates[index]?.push(await createBy(options, location, tenants, way));
      await databases.drop(location);
    }
  }
  const [alone = []] = rates;
  for (const [index, way] of ways.entries()) {
    if (index === 0) continue;
    const what = `creates, tenants: ${way.tenants}, nodes: ${way.nodes}, commits ${delay} ms longer, against one of each`;
    yield comparison(what, 'users/s', rates[index] ?? [], alone);
  }
}

/**
 * Every session of the database waits before each write to disk, without load for PostgreSQL itself.
 * @param {string} location
 * @param {number} milliseconds
 */
async function slowCommits(location, milliseconds) {
  const client = new pg.Client(location);
  await client.connect();
  const database = new URL(location).pathname.slice(1);
  await client.query(`ALTER DATABASE ${database} SET commit_delay = ${milliseconds * 1000}`);
  await client.query(`ALTER DATABASE ${database} SET commit_siblings = 0`);
  await client.end();
}

/**
 * @param {Options} options
 * @param {string} location
 * @param {string[]} definitions
 * @param {{ tenants: number, nodes: number }} way
 */
async function createBy({ inFlight = 32, seconds = 4 }, location, definitions, { tenants, nodes }) {
  const servers = [await startService(location, ...definitions)];
  const applications = servers[0]?.tenants.slice(0, tenants) ?? [];
  while (servers.length < nodes) servers.push(await startService(location));
  // Each tenant uses one node; a single tenant uses all of them.
  const pairs =
    tenants === 1
      ? servers.map((server) => ({ server, at: 0 }))
      : applications.map((_, at) => ({ server: servers[at % nodes], at }));
  const load = { atOnce: (inFlight * nodes) / pairs.length, seconds };
  const pools = await Promise.all(
    pairs.map(async ({ server, at }) => {
      const pool = openBarePool(server?.baseUrl ?? '', load.atOnce);
      await pool.logIn(applications[at]);
      return pool;
    }),
  );
  /** @type {import('./bare-pool.mjs').Request} */
  const request = { method: 'POST', path: '/api/v2/tenant/users', body: JSON.stringify({ name: 'Ann' }) };
  const next = () => ({
    request,
    isRight: (/** @type {{ user_id?: string }} */ answer) => answer.user_id !== undefined,
  });
  const rates = await Promise.all(pools.map((pool) => rateOf(pool, load, next)));
  for (const pool of pools) await pool.close();
  for (const server of servers) await server.end();
  return rates.reduce((one, other) => one + other);
}
