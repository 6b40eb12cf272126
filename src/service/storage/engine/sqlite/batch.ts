import type { TransactionOutcome } from '../batching.ts';
import type { Statement } from '../database.ts';
import { asStoreError } from '../store-error.ts';
import type { SqliteConnection } from './connection.ts';

/**
 * Carries out units in one transaction, so that one write to disk serves them all; a unit that is undone, or fails, harms no
 * other. When this returns, what has outcome `true` is on disk. Never throws: what ends the transaction is the outcome of all.
 */
export function runBatch(
  connection: SqliteConnection,
  units: readonly (readonly Statement[])[],
): TransactionOutcome[] {
  try {
    connection.exec('BEGIN IMMEDIATE');
    const outcomes = units.map((unit) => settle(connection, unit));
    connection.exec('COMMIT');
    return outcomes;
  } catch (error) {
    if (connection.isOpen() && connection.isTransaction()) connection.exec('ROLLBACK');
    const failure = asStoreError(error);
    return units.map(() => failure);
  }
}

/** A faulty unit fails alone, unless SQLite has undone the transaction with it. */
function settle(connection: SqliteConnection, unit: readonly Statement[]): TransactionOutcome {
  try {
    return runUnit(connection, unit);
  } catch (error) {
    if (!connection.isTransaction()) throw error;
    return asStoreError(error);
  }
}

/** A single statement undoes itself when it fails; several need a savepoint. */
function runUnit(connection: SqliteConnection, unit: readonly Statement[]): boolean {
  if (unit.length === 1 && unit[0]) return run(connection, unit[0]);
  connection.exec('SAVEPOINT unit');
  let done = false;
  try {
    done = unit.every((statement) => run(connection, statement));
  } finally {
    if (connection.isTransaction()) connection.exec(done ? 'RELEASE unit' : 'ROLLBACK TO unit; RELEASE unit');
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
