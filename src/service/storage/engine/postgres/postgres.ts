import { DatabaseError, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { batchQueries, type WaitingQuery } from '../batching.ts';
import type { Database } from '../database.ts';
import { asStoreError, StoreError } from '../store-error.ts';
import { migratePostgres } from './migrate.ts';
import { isRace, mostTries, pause } from './retry.ts';
import { postgresStatement } from './statement.ts';
import { openPostgresWriter } from './writer.ts';

const readConnections = 10;
const seconds = 1000;

/**
 * Opens a PostgreSQL database, `postgres://…` or `postgresql://…`, and brings its schema up to date. Reads share a
 * pool; writes go through one connection, where the transactions that arrive while a commit is under way share the next.
 * Throws `StoreError` when it cannot be reached or is newer than this program; the message never has the password.
 */
export async function openPostgres(url: string): Promise<Database> {
  if (!URL.canParse(url)) throw new StoreError('the PostgreSQL URL is malformed');
  const settings: PoolConfig = {
    connectionString: url,
    application_name: 'tenant-users',
    connectionTimeoutMillis: 10 * seconds,
    keepAlive: true,
    types: { getTypeParser },
  };
  const readers = quiet(new Pool({ ...settings, max: readConnections, pipeline: true }));
  const writers = quiet(
    new Pool({
      ...settings,
      max: 1,
      pipeline: true,
    }),
  );
  const writer = openPostgresWriter(writers);
  const end = () => Promise.all([readers.end(), writers.end()]);
  try {
    await migratePostgres(readers);
  } catch (error) {
    await end();
    throw asStoreError(error);
  }

  return {
    query: batchQueries((batch) => readPostgres(readers, batch)),
    commit: writer.commit,
    async close() {
      await writer.idle();
      await end();
    },
  };
}

/**
 * Ignores the `error` events of broken connections, which would otherwise end the process: the query that uses the
 * connection fails, and the pool makes another.
 */
function quiet(pool: Pool): Pool {
  return pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
}

const [int8, numeric] = [20, 1700];

/** Counts and times are far below 2^53: they are numbers here as they are with SQLite. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === int8 || oid === numeric ? Number : types.getTypeParser(oid, format as 'text');

/** Most queries that share a connection; the others of a large batch go to another one. */
const largestBatch = 16;

/** Sends queries over few connections of the pool, each without waiting for the answer to the one before, and answers them. */
function readPostgres(pool: Pool, queries: readonly WaitingQuery[]): void {
  for (let from = 0; from < queries.length; from += largestBatch) {
    void readBatch(pool, queries.slice(from, from + largestBatch));
  }
}

async function readBatch(pool: Pool, batch: readonly WaitingQuery[]): Promise<void> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    for (const { reject } of batch) reject(asStoreError(error));
    return;
  }
  let isBroken = false;
  const read = async (query: WaitingQuery, tries = 1): Promise<void> => {
    try {
      query.resolve((await client.query(postgresStatement(query, query.values))).rows);
    } catch (error) {
      if (isRace(error) && tries < mostTries) {
        await pause(tries);
        return read(query, tries + 1);
      }
      isBroken ||= !(error instanceof DatabaseError);
      query.reject(asStoreError(error));
    }
  };
  await Promise.all(batch.map((query) => read(query)));
  client.release(isBroken);
}
