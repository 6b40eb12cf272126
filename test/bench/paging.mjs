/**
 * How long a page of the listing takes, over HTTP, with a thousand users and with a million (or `--users N`), on SQLite
 * and on PostgreSQL where its binaries are. Prints medians; `×` compares with page 0 of the small table.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { loadSource } from '../load-source.mjs';
import { postgresBinaries } from '../postgres-binaries.mjs';
import { startPostgres } from '../postgres-server.mjs';

const { startService } = await loadSource('service/start-service.ts');
const { openDatabase } = await loadSource('service/store/open-database.ts');

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: { users: { type: 'string', default: '1000000' } },
});
const many = Number(options.users);
const application = { client_id: 'bench', client_secret: 'bench' };
const rounds = 40;

/** Users came every 10 seconds since then, and every third was changed at some later time. */
const start = Date.UTC(2025, 0, 1);
const step = 10_000;
const span = many * step;

const fill = `INSERT INTO users (tenant, seq, user_id, user_name_key, email_key, mobile_key, external_id, profile,
  password, pwd_must_modify, pwd_change_at, created_at, updated_at, disabled, usr_auth_times, usr_last_login, version,
  changed)
  WITH RECURSIVE numbers (n) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
  SELECT 1, n, '20250101000000000-' || n, 'user-' || n, 'user-' || n || '@example.com', '86/' || n, NULL,
  '{"user_name":"user-' || n || '","name":"User ' || n || '","email":"user-' || n || '@example.com","industry":"IT"}',
  NULL, 0, NULL, ${start} + n * ${step},
  CASE WHEN n % 3 = 0 THEN ${start} + n * ${step} + (n * 7919) % ${many} * 1000 ELSE ${start} + n * ${step} END,
  0, 0, NULL, 1, n FROM numbers`;

const directory = await mkdtemp(join(tmpdir(), 'tenant-users-bench-'));
const binaries = postgresBinaries();
const server = binaries ? await startPostgres(binaries, { durable: true }) : undefined;
try {
  await measure('SQLite', (name) => join(directory, `${name}.db`));
  if (server) await measure('PostgreSQL', (name) => server.urlOf(name));
  else print('PostgreSQL: skipped, no initdb and postgres were found');
} finally {
  await server?.stop();
  await rm(directory, { recursive: true, force: true });
}

/**
 * @param {string} title
 * @param {(name: string) => string} locate
 */
async function measure(title, locate) {
  if (server && title === 'PostgreSQL') await createDatabases(['small', 'large']);
  const small = await open(locate('small'), 1000);
  const large = await open(locate('large'), many);
  const last = Math.floor(many / 100) - 1;
  const at = (/** @type {number} */ part) => time(start + span * part);
  const cases = [
    { label: '1,000 users, page 0', service: small, query: 'offset=0' },
    { label: 'page 0', service: large, query: 'offset=0' },
    { label: `page ${last}`, service: large, query: `offset=${last}` },
    {
      label: '1 % by time, page 0',
      service: large,
      query: `offset=0&updated_at_greater=${at(0.5)}&updated_at_less=${at(0.51)}`,
    },
    {
      label: 'newest tenth, last page',
      service: large,
      query: `offset=${Math.floor(last / 10)}&updated_at_greater=${at(0.9)}`,
    },
    {
      label: `half, page ${Math.floor(last / 3)}`,
      service: large,
      query: `offset=${Math.floor(last / 3)}&updated_at_greater=${at(0.5)}`,
    },
    {
      label: `all by a filter, page ${last}`,
      service: large,
      query: `offset=${last}&updated_at_greater=${time(0)}`,
    },
  ];
  const cold = await page(large, `offset=0&updated_at_greater=${at(0.5)}`);
  /** @type {number[][]} */
  const times = cases.map(() => []);
  /** @type {string[]} */
  const totals = [];
  for (let round = 0; round < rounds + 5; round += 1) {
    for (const [index, { service, query }] of cases.entries()) {
      const { took, total } = await page(service, query);
      if (round >= 5) times[index]?.push(took);
      totals[index] = total.toLocaleString('en');
    }
  }
  print(`\n${title}, ${many.toLocaleString('en')} users, 100 a page, median of ${rounds}`);
  const base = median(times[0] ?? []);
  for (const [index, { label }] of cases.entries()) {
    const took = median(times[index] ?? []);
    const figures = `${took.toFixed(2).padStart(8)} ms ${(took / base).toFixed(2).padStart(6)} ×`;
    print(`  ${label.padEnd(30)} ${figures}   total ${totals[index]}`);
  }
  print(`  ${'first filtered page of a start'.padEnd(30)} ${cold.took.toFixed(2).padStart(8)} ms`);
  await small.service.close();
  await large.service.close();
}

/**
 * @param {string} location
 * @param {number} users
 */
async function open(location, users) {
  await (await startService({ database: location, application })).close();
  const database = await openDatabase(location);
  await database.commit([{ sql: fill, values: [users] }]);
  await database.commit([{ sql: 'ANALYZE', values: [], optional: true }]);
  await database.close();
  const service = await startService({ database: location, application });
  const query = 'grant_type=client_credentials&client_id=bench&client_secret=bench';
  const reply = await request(`${service.baseUrl}/api/v2/tenant/token?${query}`, { method: 'POST' });
  const { access_token } = /** @type {{ access_token: string }} */ (await reply.body.json());
  return { service, authorization: `Bearer ${access_token}` };
}

/**
 * @param {{ service: { baseUrl: string }, authorization: string }} service
 * @param {string} query
 */
async function page({ service, authorization }, query) {
  const before = performance.now();
  const reply = await request(`${service.baseUrl}/api/v2/tenant/users?limit=100&${query}`, {
    headers: { authorization },
  });
  const body = /** @type {{ total: number, users: object[] }} */ (await reply.body.json());
  const took = performance.now() - before;
  if (reply.statusCode !== 200 || body.users.length === 0) throw new Error(`no page: ${query}`);
  return { took, total: body.total };
}

/** @param {string[]} names */
async function createDatabases(names) {
  const { Client } = (await import('pg')).default;
  const client = new Client(server?.urlOf('postgres'));
  await client.connect();
  for (const name of names) await client.query(`CREATE DATABASE ${name}`);
  await client.end();
}

/** @param {number} milliseconds */
function time(milliseconds) {
  return encodeURIComponent(new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' '));
}

/** @param {number[]} times */
function median(times) {
  return times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}
