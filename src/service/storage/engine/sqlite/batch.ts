import type { TransactionOutcome } from '../batching.ts';
import { type Numbers, type Statement, type StatementCondition, takeNumbers } from '../database.ts';
import { asStoreError } from '../store-error.ts';
import type { SqliteConnection } from './connection.ts';

/** State of a tenant during a batch: its last numbers, as updated by the transactions, and the results of conditions. */
interface ReadTenant {
  numbers: Numbers;
  found: Map<string, boolean>;
}

/**
 * Carries out transactions together, so that one write to disk serves them all; one that is undone, or fails, does not affect the
 * others. On return, every transaction with the outcome `true` is on disk. Never throws: an error that ends the whole batch is the
 * outcome of each transaction.
 */
export function runBatch(
  connection: SqliteConnection,
  transactions: readonly (readonly Statement[])[],
): TransactionOutcome[] {
  const tenants = new Map<number, ReadTenant>();

  /** Reads a tenant once per batch. All statements of a transaction belong to one tenant. */
  function readTenant(transaction: readonly Statement[]): ReadTenant | undefined {
    const tenant = transaction.find(({ numbers }) => numbers)?.tenantLock;
    if (tenant === undefined) return undefined;
    const known = tenants.get(tenant);
    if (known) return known;
    const sql = 'SELECT seq, changed FROM numbers WHERE tenant = ?';
    const [numbers] = connection.rows(sql, [tenant]) as Numbers[];
    if (!numbers) return undefined;
    const read = { numbers, found: new Map() };
    tenants.set(tenant, read);
    return read;
  }

  function holds({ sql, values, isOfBatch }: StatementCondition, tenant: ReadTenant | undefined): boolean {
    const known = isOfBatch ? tenant?.found.get(sql) : undefined;
    if (known !== undefined) return known;
    const found = connection.rows(sql, values).length > 0;
    if (isOfBatch) tenant?.found.set(sql, found);
    return found;
  }

  function run(statement: Statement, tenant: ReadTenant | undefined): boolean {
    const { sql, unless, optional } = statement;
    if (unless && holds(unless, tenant)) return optional === true;
    try {
      return connection.change(sql, takeNumbers(statement, tenant?.numbers)) > 0 || optional === true;
    } catch (error) {
      if (error instanceof Error && /^UNIQUE constraint failed/.test(error.message)) return false;
      throw error;
    }
  }

  /** A single statement undoes itself if it fails; several need a savepoint. */
  function runTransaction(transaction: readonly Statement[], tenant: ReadTenant | undefined): boolean {
    if (transaction.length === 1 && transaction[0]) return run(transaction[0], tenant);
    connection.exec('SAVEPOINT one');
    let done = false;
    try {
      done = transaction.every((statement) => run(statement, tenant));
    } finally {
      if (connection.isTransaction()) connection.exec(done ? 'RELEASE one' : 'ROLLBACK TO one; RELEASE one');
    }
    return done;
  }

  /** A failing transaction takes no numbers, and fails alone, unless SQLite has rolled back the whole batch with it. */
  function attempt(transaction: readonly Statement[]): TransactionOutcome {
    const tenant = readTenant(transaction);
    const before = { ...tenant?.numbers };
    let outcome: TransactionOutcome;
    try {
      outcome = runTransaction(transaction, tenant);
    } catch (error) {
      if (!connection.isTransaction()) throw error;
      outcome = asStoreError(error);
    }
    if (tenant && outcome !== true) Object.assign(tenant.numbers, before);
    return outcome;
  }

  try {
    connection.begin();
    const outcomes = transactions.map(attempt);
    const update = 'UPDATE numbers SET seq = ?, changed = ? WHERE tenant = ?';
    for (const [tenant, { numbers }] of tenants)
      connection.change(update, [numbers.seq, numbers.changed, tenant]);
    connection.exec('COMMIT');
    return outcomes;
  } catch (error) {
    if (connection.isOpen() && connection.isTransaction()) connection.exec('ROLLBACK');
    const failure = asStoreError(error);
    return transactions.map(() => failure);
  }
}
