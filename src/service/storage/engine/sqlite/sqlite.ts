import { closeSync, openSync } from 'node:fs';
import { batchQueries, type WaitingQuery } from '../batching.ts';
import type { Database } from '../database.ts';
import { missingSteps } from '../migrations.ts';
import { openSqliteConnection, type SqliteConnection } from './connection.ts';
import { openSqliteWriter } from './writer.ts';

/**
 * Opens a SQLite file, or `:memory:`, and brings its schema up to date. Only the owner can read a new file, since it
 * holds password hashes.
 */
export function openSqlite(path: string): Database {
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const connection = openSqliteConnection(path);
  try {
    migrate(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
  const writer = openSqliteWriter(path, connection);
  return {
    query: batchQueries((batch) => readSqlite(connection, batch)),
    commit: writer.commit,
    async close() {
      await writer.close();
      connection.close();
    },
  };
}

/** In one transaction: of several processes that start together one does it, and the others wait for it. */
function migrate(connection: SqliteConnection): void {
  connection.exec('BEGIN IMMEDIATE');
  const [version] = connection.rows('PRAGMA user_version', []) as { user_version: number }[];
  const applied = version?.user_version ?? 0;
  const steps = missingSteps(applied);
  for (const step of steps) connection.exec(step);
  connection.exec(`PRAGMA user_version = ${applied + steps.length}`);
  connection.exec('COMMIT');
}

/** Carries out a batch of queries in one snapshot of the database, and answers them. */
function readSqlite(connection: SqliteConnection, batch: readonly WaitingQuery[]): void {
  const isShared = batch.length > 1;
  try {
    if (isShared) connection.exec('BEGIN');
    for (const query of batch) read(connection, query);
    if (isShared) connection.exec('COMMIT');
  } catch (error) {
    if (connection.isOpen() && connection.isTransaction()) connection.exec('ROLLBACK');
    for (const { reject } of batch) reject(error);
  }
}

function read(connection: SqliteConnection, { sql, values, resolve, reject }: WaitingQuery): void {
  try {
    resolve(connection.rows(sql, values));
  } catch (error) {
    reject(error);
  }
}
