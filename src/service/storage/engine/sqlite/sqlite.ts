import { closeSync, openSync, statSync } from 'node:fs';
import { isUnnamed, temporaryDatabase } from '../../../../text/database-location.ts';
import { batchQueries, batchTransactions, type WaitingQuery } from '../batching.ts';
import type { Database, DatabaseOptions } from '../database.ts';
import { missingSteps } from '../migrations.ts';
import { runBatch } from './batch.ts';
import { type CommitThread, startCommitThread, threadFile } from './commit-thread.ts';
import { openSqliteConnection, type SqliteConnection } from './connection.ts';

/**
 * Opens a SQLite file, `:memory:` or `:temporary:`, and brings its schema up to date. Only the owner can read a new file, since it
 * holds password hashes. One that is no file has no commit thread.
 */
export function openSqlite(path: string, { commitThread = false }: DatabaseOptions = {}): Database {
  const isFile = !isUnnamed(path);
  if (isFile) closeSync(openSync(path, 'a', 0o600));
  // SQLite removes the file of a database without a name as soon as it is open.
  const connection = openSqliteConnection(path === temporaryDatabase ? '' : path);
  try {
    migrate(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
  const fileNumber = () => statSync(path, { throwIfNoEntry: false })?.ino;
  const opened = isFile ? fileNumber() : undefined;
  const writer = openWriter(connection, path, commitThread && isFile);
  return {
    query: batchQueries((batch) => readSqlite(connection, batch)),
    commit: writer.commit,
    isLost: () => isFile && fileNumber() !== opened,
    async close() {
      await writer.close();
      connection.close();
    },
  };
}

/**
 * Commits transactions in batches, in the caller's thread or, `withThread`, in one of its own. That is started by the first
 * batch of several transactions, so that a command with a few calls does not wait for it. When it ends by itself, and where
 * the program runs from its sources, the caller's thread commits.
 */
function openWriter(
  connection: SqliteConnection,
  path: string,
  withThread: boolean,
): Pick<Database, 'commit' | 'close'> {
  const file = withThread ? threadFile('commit') : undefined;
  let thread: CommitThread | undefined;

  const { commit, idle } = batchTransactions(async (transactions) => {
    if (file && !thread && transactions.length > 1) thread = startCommitThread(file, path);
    return thread?.isAlive() ? thread.commit(transactions) : runBatch(connection, transactions);
  });

  return {
    commit,
    async close() {
      await idle();
      await thread?.close();
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
