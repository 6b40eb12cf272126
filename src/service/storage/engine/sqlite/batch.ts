import type { TransactionOutcome } from '../batching.ts';
import type { Statement } from '../database.ts';
import { asStoreError } from '../store-error.ts';
import type { SqliteConnection } from './connection.ts';

/**
 * Carries out transactions together, so that one write to disk serves them all; one that is undone, or fails, does not
 * affect the others. When this returns, what has outcome `true` is on disk. Never throws: an error that ends the whole
 * batch is the outcome of each transaction.
 */
export function runBatch(
  connection: SqliteConnection,
  transactions: readonly (readonly Statement[])[],
): TransactionOutcome[] {
  try {
    connection.exec('BEGIN IMMEDIATE');
    const outcomes = transactions.map((transaction) => attempt(connection, transaction));
    connection.exec('COMMIT');
    return outcomes;
  } catch (error) {
    if (connection.isOpen() && connection.isTransaction()) connection.exec('ROLLBACK');
    const failure = asStoreError(error);
    return transactions.map(() => failure);
  }
}

/** A faulty transaction fails alone, unless SQLite has rolled back the whole batch with it. */
function attempt(connection: SqliteConnection, transaction: readonly Statement[]): TransactionOutcome {
  try {
    return runTransaction(connection, transaction);
  } catch (error) {
    if (!connection.isTransaction()) throw error;
    return asStoreError(error);
  }
}

/** A single statement undoes itself when it fails; several need a savepoint. */
function runTransaction(connection: SqliteConnection, transaction: readonly Statement[]): boolean {
  if (transaction.length === 1 && transaction[0]) return run(connection, transaction[0]);
  connection.exec('SAVEPOINT one');
  let done = false;
  try {
    done = transaction.every((statement) => run(connection, statement));
  } finally {
    if (connection.isTransaction()) connection.exec(done ? 'RELEASE one' : 'ROLLBACK TO one; RELEASE one');
  }
  return done;
}

function run(connection: SqliteConnection, { sql, values, optional }: Statement): boolean {
  try {
    return connection.change(sql, values) > 0 || optional === true;
  } catch (error) {
    if (isBrokenKey(error)) return false;
    throw error;
  }
}

function isBrokenKey(error: unknown): boolean {
  return error instanceof Error && /^UNIQUE constraint failed/.test(error.message);
}
