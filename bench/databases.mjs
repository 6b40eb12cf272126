import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresBinaries } from '../test/postgres-binaries.mjs';
import { startPostgres } from '../test/postgres-server.mjs';
import { UsageError } from './options.mjs';

/**
 * Creates empty databases of one kind; `fresh` resolves to a value for `serve --database`; `close` drops the remaining
 * databases. `sizes` returns the bytes of a database and of its log; PostgreSQL has one log for all databases.
 * @typedef {{
 *   kind: string,
 *   isPostgres: boolean,
 *   fresh(): Promise<string>,
 *   sizes(location: string): Promise<{ database: number, log: number }>,
 *   drop(location: string): Promise<void>,
 *   close(): Promise<void>,
 * }} Databases
 */

/**
 * The databases that were requested. Throws `UsageError` if there is no PostgreSQL to start.
 * @param {string | undefined} database `postgres`, the URL of a server, or nothing for SQLite
 * @param {string} directory for the files of SQLite
 * @returns {Promise<Databases>}
 */
export async function openDatabases(database, directory) {
  if (database === undefined) return sqliteIn(directory);
  if (database !== 'postgres') return postgresAt(database);
  const own = await ownPostgres();
  if (!own) throw new UsageError('no initdb and postgres were found: give the URL of a server');
  return own;
}

/** A durable PostgreSQL for the bench; nothing if there are no binaries. */
export async function ownPostgres() {
  const binaries = postgresBinaries();
  if (!binaries) return undefined;
  const server = await startPostgres(binaries, { durable: true });
  return postgresAt(server.urlOf('postgres'), server.stop);
}

/**
 * @param {string} directory
 * @returns {Databases}
 */
function sqliteIn(directory) {
  let made = 0;
  return {
    kind: 'SQLite',
    isPostgres: false,
    async fresh() {
      made += 1;
      return join(directory, `${made}.db`);
    },
    async sizes(location) {
      const size = (/** @type {string} */ path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      return { database: size(location), log: size(`${location}-wal`) };
    },
    async drop(location) {
      await Promise.all(['', '-wal', '-shm'].map((end) => rm(location + end, { force: true })));
    },
    async close() {},
  };
}

/**
 * @param {string} address
 * @param {() => Promise<void>} [stop]
 * @returns {Promise<Databases>}
 */
async function postgresAt(address, stop = async () => {}) {
  const url = withoutPassword(address);
  const { Client } = (await import('pg')).default;
  const client = new Client(url.href);
  await client.connect();
  const { rows } = await client.query('SHOW server_version');
  const prefix = `tenant_users_bench_${process.pid}`;
  let made = 0;
  /** @type {Set<string>} */
  const present = new Set();
  const nameOf = (/** @type {string} */ location) => new URL(location).pathname.slice(1);
  const drop = async (/** @type {string} */ name) => {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    present.delete(name);
  };
  return {
    kind: `PostgreSQL ${rows[0].server_version.split(' ')[0]}`,
    isPostgres: true,
    async fresh() {
      made += 1;
      const name = `${prefix}_${made}`;
      await client.query(`CREATE DATABASE ${name}`);
      present.add(name);
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    async sizes(location) {
      const sql = 'SELECT pg_database_size($1) AS database, (SELECT sum(size) FROM pg_ls_waldir()) AS log';
      const [found] = (await client.query(sql, [nameOf(location)])).rows;
      return { database: Number(found.database), log: Number(found.log) };
    },
    drop: (location) => drop(nameOf(location)),
    async close() {
      for (const name of present) await drop(name);
      await client.end();
      await stop();
    },
  };
}

/**
 * Locations become arguments of processes, which everybody can read, so the password is in the environment instead.
 * @param {string} address
 */
function withoutPassword(address) {
  if (!URL.canParse(address)) throw new UsageError('--database: the URL is malformed');
  const url = new URL(address);
  const password = decodeURIComponent(url.password) || url.searchParams.get('password');
  if (password) process.env.PGPASSWORD = password;
  url.password = '';
  url.searchParams.delete('password');
  return url;
}
