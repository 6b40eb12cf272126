import { closeSync, openSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../../../text/error-code.ts';
import { isUnnamed, temporaryDatabase } from '../../../../text/locations/database-location.ts';
import { batchQueries, batchWrites, type CommitBatch, type WaitingQuery } from '../batching.ts';
import type { Database, DatabaseOptions } from '../database.ts';
import { missingSteps } from '../migrations.ts';
import { StoreError } from '../store-error.ts';
import { runBatch } from './batch.ts';
import { type CommitThread, commitFile, startCommitThread } from './commit-thread.ts';
import { openSqliteConnection, type SqliteConnection } from './connection.ts';

/**
 * Opens a SQLite file, `:memory:` or `:temporary:`, and brings its schema up to date. Only the owner can read a new file, because
 * it contains password hashes. An unnamed database has no commit thread.
 */
export function openSqlite(path: string, { commitThread = false }: DatabaseOptions = {}): Database {
  const isFile = !isUnnamed(path);
  const connection = openAndMigrate(path, isFile);
  const fileNumber = () => statSync(path, { throwIfNoEntry: false })?.ino;
  const opened = isFile ? fileNumber() : undefined;
  const isLost = () => isFile && fileNumber() !== opened;
  const file = commitThread && isFile ? commitFile() : undefined;
  let thread: CommitThread | undefined;

  /**
   * Commits in a thread of its own, or in that of the caller. The thread is started by the first batch of several transactions, so that
   * a command with a few calls does not wait for it. The caller's thread commits if the other has ended by itself, or if the program
   * runs from its sources.
   */
  async function commitBatch(transactions: Parameters<CommitBatch>[0]) {
    if (isLost()) throw new StoreError(lost);
    if (file && !thread && transactions.length > 1) thread = startCommitThread(file, path);
    return thread?.isAlive() ? thread.commit(transactions) : runWhenFree(connection, transactions);
  }

  // The rest of a full disk may be enough for one row, so the room is checked too.
  const { commit, idle, canWrite } = batchWrites(commitBatch, isDiskFault, () => hasRoom(path));
  return {
    query: batchQueries((batch) => readSqlite(connection, batch)),
    commit,
    isLost,
    canWrite,
    async close() {
      await idle();
      await thread?.close();
      connection.close();
    },
  };
}

function openAndMigrate(path: string, isFile: boolean): SqliteConnection {
  let connection: SqliteConnection | undefined;
  try {
    if (isFile) closeSync(openSync(path, 'a', 0o600));
    // SQLite deletes the file of an unnamed database as soon as it is open.
    connection = openSqliteConnection(path === temporaryDatabase ? '' : path);
    migrate(connection);
    // From now on a lock of another process must not stop the event loop.
    connection.exec('PRAGMA busy_timeout = 0');
    return connection;
  } catch (error) {
    connection?.close();
    // If the file of the locks cannot grow, SQLite does not say that the disk is full.
    const isFull = errorCode(error) === 'SQLITE_IOERR' && !hasRoom(path);
    throw isFull ? new StoreError('no space is left on the disk', 'SQLITE_FULL') : error;
  }
}

const lost =
  'the database file was deleted or replaced, so the change would be lost: move the same file back, or restart to use the other one';

/** Milliseconds to wait for a lock of another process, and between two tries. */
const lockTimeout = 5000;
const lockInterval = 10;

/** Runs a batch; waits for a lock of another process without blocking the event loop. */
async function runWhenFree(
  connection: SqliteConnection,
  transactions: Parameters<CommitBatch>[0],
): ReturnType<CommitBatch> {
  for (let waited = 0; ; waited += lockInterval) {
    const outcomes = runBatch(connection, transactions);
    const [first] = outcomes;
    const isLocked = first instanceof Error && /^database is locked/.test(first.message);
    if (!isLocked || waited >= lockTimeout) return outcomes;
    await sleep(lockInterval);
  }
}

/** Free bytes from which a disk is not full: enough for some of the largest batches. */
const leastRoom = 8 * 1024 * 1024;

function hasRoom(path: string): boolean {
  if (isUnnamed(path)) return true;
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize >= leastRoom;
}

const diskFaults =
  /disk is full|readonly database|disk I\/O error|unable to open|disk image is malformed|not a database/;

/** True if the disk is full, cannot be written to, or fails, or if the file is damaged. */
function isDiskFault({ message }: Error): boolean {
  return diskFaults.test(message);
}

/** Runs in one transaction: if several processes start together, one migrates and the others wait. */
function migrate(connection: SqliteConnection): void {
  connection.exec('BEGIN IMMEDIATE');
  const [version] = connection.rows('PRAGMA user_version', []) as { user_version: number }[];
  const applied = version?.user_version ?? 0;
  const steps = missingSteps(applied);
  for (const step of steps) connection.exec(step);
  connection.exec(`PRAGMA user_version = ${applied + steps.length}`);
  connection.exec('COMMIT');
}

/** Carries out a batch of queries on one snapshot of the database, and answers them. */
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
