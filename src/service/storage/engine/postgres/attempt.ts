import { DatabaseError } from 'pg';
import { errorCode } from '../../../../text/error-code.ts';
import type { TransactionOutcome } from '../batching.ts';
import { type Numbers, type Statement, takeNumbers } from '../database.ts';
import { asStoreError, StoreError } from '../store-error.ts';
import { gatherInserts } from './bulk-insert.ts';
import type { Session } from './connections.ts';
import { isRace } from './retry.ts';

type Transaction = readonly Statement[];

/** Result of an attempt for one transaction: its outcome, or `undone` if it was rolled back with the others. */
export type Attempted = TransactionOutcome | 'undone';

const uniqueViolation = '23505';
/** SQLSTATEs of errors that no transaction causes: connection, read-only server, race, resources, locks, intervention, system. */
const blameless = /^(?:08|25006|40|53|55|57|58)/;

/**
 * Tries to commit transactions together: locks their tenants, sends all statements at once, and checks their effects before the
 * commit. If one must be undone, or has used a user's number in vain, everything is rolled back, and the others must be tried again
 * without it. If inserts sent `inBulk` do not all succeed, each is sent by itself to find out which one fails. Throws any error
 * that ends the whole attempt.
 */
export async function attemptBatch(
  session: Session,
  transactions: readonly Transaction[],
  inBulk: boolean,
): Promise<Attempted[]> {
  const last = await begin(session, countNumbers(transactions));
  const valuesOf = (statement: Statement) => takeNumbers(statement, last.get(statement.tenantLock ?? 0));
  const changeCount = async (statement: Statement) =>
    (await session.run(statement, valuesOf(statement))).rowCount ?? 0;
  const inserts = gatherInserts(valuesOf);
  const sent = transactions.map((transaction) =>
    inBulk && inserts.add(transaction) ? undefined : transaction.map(changeCount),
  );
  const inserted = inserts
    .statements()
    .map(async ({ sql, values, rows }) => (await session.run({ sql }, values)).rowCount === rows);
  await Promise.allSettled([...sent.flatMap((own) => own ?? []), ...inserted]);

  const attempted: Attempted[] = [];
  let isWasted = false;
  for (const [index, transaction] of transactions.entries()) {
    const own = sent[index];
    const { outcome, mustUndo } = own ? await judge(transaction, own) : done;
    attempted.push(outcome);
    if (mustUndo) return undo(session, attempted, transactions.length);
    isWasted ||= outcome !== true && transaction.some(({ numbers }) => numbers === 'user');
  }
  if (isWasted) return undo(session, attempted, transactions.length);
  if (!(await areAllInserted(inserted))) {
    await session.exec('ROLLBACK');
    return attemptBatch(session, transactions, false);
  }
  await commit(session);
  return attempted;
}

/** Counts the numbers that the transactions take, by the tenants that they lock. */
function countNumbers(transactions: readonly Transaction[]): Map<number, Numbers> {
  const counts = new Map<number, Numbers>();
  for (const { tenantLock, numbers } of transactions.flat()) {
    if (tenantLock === undefined) continue;
    const count = counts.get(tenantLock) ?? { seq: 0, changed: 0 };
    counts.set(tenantLock, count);
    if (numbers === 'user') count.seq += 1;
    if (numbers) count.changed += 1;
  }
  return counts;
}

/**
 * A node that hangs during a commit must not keep its locks, nor wait for another's forever. The limits, in milliseconds, are set
 * in each transaction, because a pooler keeps no session state.
 */
const limits = 'SET LOCAL lock_timeout = 25000; SET LOCAL idle_in_transaction_session_timeout = 15000';

/**
 * Begins a transaction, locks its tenants in the same order everywhere and before any other row, to avoid deadlocks, and returns
 * their last numbers. Sent as one message and awaited: statements sent after a `BEGIN` that fails would take effect at once.
 */
async function begin(session: Session, counts: Map<number, Numbers>): Promise<Map<number, Numbers>> {
  const locked = [...counts].sort(([one], [other]) => one - other);
  const updates = locked.map(
    ([tenant, { seq, changed }]) => `UPDATE numbers SET seq = seq + ${seq}, changed = changed + ${changed}
      WHERE tenant = ${tenant} RETURNING seq, changed`,
  );
  const { rows } = await session.exec<Numbers>(['BEGIN', limits, ...updates].join('; '));
  return new Map(
    locked.map(([tenant, { seq, changed }], index) => {
      const row = rows[index];
      if (!row) throw new StoreError('the table "numbers" has no row of the tenant');
      return [tenant, { seq: row.seq - seq, changed: row.changed - changed }];
    }),
  );
}

/** Returns the first failure in the order of sending; errors after it only say that the transaction is aborted. */
async function firstFailure(sent: readonly Promise<unknown>[]): Promise<PromiseRejectedResult | undefined> {
  return (await Promise.allSettled(sent)).find((result) => result.status === 'rejected');
}

/** False if a row was not inserted. Throws errors that no row can cause. */
async function areAllInserted(inserted: readonly Promise<boolean>[]): Promise<boolean> {
  const failure = await firstFailure(inserted);
  if (!failure) return (await Promise.all(inserted)).every(Boolean);
  if (isBlameless(failure.reason)) throw failure.reason;
  return false;
}

/** True if the database failed, and not the statement. */
function isBlameless(error: unknown): boolean {
  return !(error instanceof DatabaseError) || blameless.test(error.code ?? '');
}

interface Judgement {
  outcome: TransactionOutcome;
  mustUndo: boolean;
}

/** Judgement of transactions sent in bulk, until the bulk inserts are checked. */
const done: Judgement = { outcome: true, mustUndo: false };

async function judge(transaction: Transaction, sent: readonly Promise<number>[]): Promise<Judgement> {
  const failure = await firstFailure(sent);
  if (failure) {
    const error: unknown = failure.reason;
    if (isBlameless(error)) throw error;
    return { outcome: errorCode(error) === uniqueViolation ? false : asStoreError(error), mustUndo: true };
  }
  const counts = await Promise.all(sent);
  const isDone = transaction.every(({ optional }, at) => optional === true || (counts[at] ?? 0) > 0);
  return { outcome: isDone, mustUndo: !isDone && counts.some((count) => count > 0) };
}

async function undo(session: Session, attempted: readonly Attempted[], all: number): Promise<Attempted[]> {
  await session.exec('ROLLBACK');
  return Array.from({ length: all }, (_, index) => {
    const outcome = attempted[index] ?? true;
    return outcome === true ? 'undone' : outcome;
  });
}

/**
 * Commits. Unless the server rejected the commit, a failure leaves the outcome unknown. So does a warning: the wait for the standby
 * was cut short, and the commit is lost if the standby takes over.
 */
async function commit(session: Session): Promise<void> {
  const { command, warning } = await session.exec('COMMIT').catch((error: unknown) => {
    if (isRace(error)) throw error;
    throw unknownCommit(asStoreError(error).message);
  });
  if (command !== 'COMMIT') throw new StoreError('the database undid the commit', 'COMMIT_UNDONE');
  if (warning !== undefined) throw unknownCommit(warning);
}

function unknownCommit(reason: string): StoreError {
  return new StoreError(`it is not known whether the commit took place: ${reason}`, 'COMMIT_UNKNOWN');
}
