import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import type { Database } from '../../../src/service/storage/engine/database.ts';
import { missingSteps } from '../../../src/service/storage/engine/migrations.ts';
import { StoreError } from '../../../src/service/storage/engine/store-error.ts';
import { openDatabase } from '../../../src/service/storage/open-database.ts';
import { copyTemplate, isPostgres, temporaryFile } from './temporary-database.ts';

/** A database of this worker, and the connection over which it is emptied. */
interface Emptied {
  url: string;
  client: Client;
}

/** Databases that no test uses at the moment. */
const free: Emptied[] = [];

/** Databases that are open. */
const kept: Database[] = [];

/** Empties a database that has the tables of the schema, and no others. */
const emptySchema = missingSteps(0).flatMap((step) => {
  const [, name] = /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(step) ?? [];
  return name === undefined ? [] : [{ sql: `DELETE FROM ${name}`, values: [], optional: true }];
});

/** Tests create tables of their own, too. */
const emptyAll = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_steps' LOOP
    EXECUTE format('DELETE FROM %I', name);
  END LOOP;
END $$`;

/**
 * An empty database for the running test, in memory or on PostgreSQL. On PostgreSQL, a database that an earlier test
 * has used is emptied and used again, over a connection that stays open: that is many times faster than a new one.
 */
export async function testDatabase(): Promise<string> {
  if (!isPostgres) return ':memory:';
  const database = free.pop() ?? (await create());
  onTestFinished(async () => {
    await database.client.query(emptyAll);
    free.push(database);
  });
  return database.url;
}

/**
 * Like `testDatabase`, for a database that must still exist after its service has closed: a SQLite file instead of
 * memory.
 */
export function lastingDatabase(): Promise<string> {
  return isPostgres ? testDatabase() : Promise.resolve(temporaryFile());
}

async function create(): Promise<Emptied> {
  const { url } = await copyTemplate();
  const client = new Client(url);
  // The server ends with the run, which breaks the connection.
  client.on('error', () => {});
  await client.connect();
  return { url, client };
}

/**
 * An empty database for a service of the running test. It stays open, and a later test uses it again: to open one costs
 * two processes on PostgreSQL, and the creation of the schema on SQLite. Tests about opening a database open their own.
 * After the service has closed it, it commits nothing: a request that is still running would otherwise write into the
 * database of a later test.
 */
export async function keptDatabase(): Promise<Database> {
  const database = kept.pop() ?? (await openDatabase(isPostgres ? (await copyTemplate()).url : ':memory:'));
  const { breakOff: _, ...unbroken } = database;
  onTestFinished(async () => {
    await database.commit(emptySchema);
    kept.push(database);
  });
  let isClosed = false;
  let underWay: Promise<unknown> = Promise.resolve();
  return {
    ...unbroken,
    commit(transaction) {
      if (isClosed) return Promise.reject(new StoreError('the database is not open'));
      const committed = database.commit(transaction);
      underWay = Promise.allSettled([underWay, committed]);
      return committed;
    },
    async close() {
      isClosed = true;
      await underWay;
    },
  };
}
