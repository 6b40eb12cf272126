import type { TransactionOutcome } from '../batching.ts';
import type { Numbers, Statement } from '../database.ts';
import { takeNumbers } from '../numbers.ts';
import { asStoreError } from '../store-error.ts';
import type { SqliteConnection } from './connection.ts';

/** The last numbers of the tenants that a batch has read, as its transactions leave them. */
type LastNumbers = Map<number, Numbers>;

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
    connection.begin();
    const last: LastNumbers = new Map();
    const outcomes = transactions.map((transaction) => attempt(connection, transaction, last));
    const update = 'UPDATE numbers SET seq = ?, changed = ? WHERE tenant = ?';
    for (const [tenant, { seq, changed }] of last) connection.change(update, [seq, changed, tenant]);
    connection.exec('COMMIT');
    return outcomes;
  } catch (error) {
    if (connection.isOpen() && connection.isTransaction()) connection.exec('ROLLBACK');
    const failure = asStoreError(error);
    return transactions.map(() => failure);
  }
}

/** A faulty transaction fails alone, unless SQLite has rolled back the whole batch with it. It takes no numbers. */
function attempt(
  connection: SqliteConnection,
  transaction: readonly Statement[],
  last: LastNumbers,
): TransactionOutcome {
  const numbers = lastNumbers(connection, transaction, last);
  const before = { ...numbers };
  let outcome: TransactionOutcome;
  try {
    outcome = runTransaction(connection, transaction, numbers);
  } catch (error) {
    if (!connection.isTransaction()) throw error;
    outcome = asStoreError(error);
  }
  if (numbers && outcome !== true) Object.assign(numbers, before);
  return outcome;
}

/** All statements of a transaction are of one tenant. */
function lastNumbers(
  connection: SqliteConnection,
  transaction: readonly Statement[],
  last: LastNumbers,
): Numbers | undefined {
  const tenant = transaction.find(({ numbers }) => numbers)?.tenantLock;
  if (tenant === undefined) return undefined;
  const known = last.get(tenant);
  if (known) return known;
  const sql = 'SELECT seq, changed FROM numbers WHERE tenant = ?';
  const [row] = connection.rows(sql, [tenant]) as Numbers[];
  if (row) last.set(tenant, row);
  return row;
}

/** A single statement undoes itself when it fails; several need a savepoint. */
function runTransaction(
  connection: SqliteConnection,
  transaction: readonly Statement[],
  numbers: Numbers | undefined,
): boolean {
  if (transaction.length === 1 && transaction[0]) return run(connection, transaction[0], numbers);
  connection.exec('SAVEPOINT one');
  let done = false;
  try {
    done = transaction.every((statement) => run(connection, statement, numbers));
  } finally {
    if (connection.isTransaction()) connection.exec(done ? 'RELEASE one' : 'ROLLBACK TO one; RELEASE one');
  }
  return done;
}

function run(connection: SqliteConnection, statement: Statement, numbers: Numbers | undefined): boolean {
  const { sql, unless, optional } = statement;
  if (unless && connection.rows(unless.sql, unless.values).length > 0) return optional === true;
  try {
    return connection.change(sql, takeNumbers(statement, numbers)) > 0 || optional === true;
  } catch (error) {
    if (isBrokenKey(error)) return false;
    throw error;
  }
}

function isBrokenKey(error: unknown): boolean {
  return error instanceof Error && /^UNIQUE constraint failed/.test(error.message);
}
