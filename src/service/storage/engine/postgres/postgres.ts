import { DatabaseError, types } from 'pg';
import { batchQueries, type WaitingQuery } from '../batching.ts';
import type { Database, DatabaseOptions } from '../database.ts';
import { asStoreError } from '../store-error.ts';
import { readAddresses } from './addresses.ts';
import { type Connections, openServer, type Session } from './connections.ts';
import { migratePostgres } from './migrate.ts';
import { insist } from './retry.ts';
import { keepStatistics } from './statistics.ts';
import { openPostgresWriter } from './writer.ts';

const defaultPoolSize = 10;

/** Milliseconds for the server to close the connections. */
const goodbye = 1000;

/**
 * Opens a PostgreSQL database, `postgres://…` or `postgresql://…`, and brings its schema up to date. Reads share a pool; writes use
 * one connection, where the transactions that arrive during a commit share the next one. Throws `StoreError` if it cannot be
 * reached or is newer than this program; the message never contains the password.
 */
export async function openPostgres(
  url: string,
  { poolSize = defaultPoolSize }: DatabaseOptions = {},
): Promise<Database> {
  const server = openServer(readAddresses(url, process.env));
  const settings = {
    application_name: 'tenant-users',
    types: { getTypeParser },
    pipeline: true,
  };
  const readers = server.open({ ...settings, max: poolSize });
  const writers = server.open({ ...settings, max: 1 });
  const writer = openPostgresWriter(writers);
  const statistics = keepStatistics(readers);
  const end = () => Promise.all([readers.end(), writers.end()]);
  try {
    await migratePostgres(readers);
  } catch (error) {
    await end();
    throw asStoreError(error);
  }

  return {
    query: batchQueries((batch) => readPostgres(readers, batch)),
    async commit(transaction) {
      const isDone = await writer.commit(transaction);
      if (isDone) statistics.count(transaction);
      return isDone;
    },
    canWrite: writer.canWrite,
    breakOff: server.breakOff,
    async close() {
      await writer.idle();
      await statistics.idle();
      await end();
      // A server that has vanished does not answer a goodbye either, for which the process would otherwise wait.
      setTimeout(server.breakOff, goodbye).unref();
    },
  };
}

const [int8, numeric] = [20, 1700];

/** Counts and times are far below 2^53, so they are parsed as numbers, as with SQLite. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === int8 || oid === numeric ? Number : types.getTypeParser(oid, format as 'text');

/** Maximum number of queries per connection; the others of a large batch use another one. */
const largestBatch = 16;

/** Sends queries over a few connections of the pool, without waiting for earlier answers, and answers them. */
function readPostgres(readers: Connections, queries: readonly WaitingQuery[]): void {
  for (let from = 0; from < queries.length; from += largestBatch) {
    void readBatch(readers, queries.slice(from, from + largestBatch));
  }
}

async function readBatch(readers: Connections, batch: readonly WaitingQuery[]): Promise<void> {
  let session: Session;
  try {
    session = await readers.take();
  } catch (error) {
    for (const { reject } of batch) reject(error);
    return;
  }
  let isBroken = false;
  const read = async (query: WaitingQuery) => {
    try {
      query.resolve((await insist(() => session.run(query, query.values))).rows);
    } catch (error) {
      isBroken ||= !(error instanceof DatabaseError);
      query.reject(asStoreError(error));
    }
  };
  await Promise.all(batch.map(read));
  session.release(isBroken);
}
