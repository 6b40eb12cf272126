import { setImmediate as nextTick } from 'node:timers/promises';
import type { Database, Statement, Value } from './database.ts';
import { asStoreError, StoreError } from './store-error.ts';

/** Result of one transaction of a batch: the result of `commit`, or the error that it failed with. */
export type TransactionOutcome = boolean | Error;

/** Carries out transactions together, and resolves to their outcomes in the same order when everything is on disk. */
export type CommitBatch = (
  transactions: readonly (readonly Statement[])[],
) => Promise<readonly TransactionOutcome[]>;

/** A transaction that waits for its commit, with the callbacks of its sender. */
interface WaitingTransaction {
  transaction: readonly Statement[];
  resolve(done: boolean): void;
  reject(error: unknown): void;
}

/** Maximum number of transactions per commit, so that the first of them does not wait for too many others. */
const largestBatch = 256;
/** Number of new users per tick for which others keep waiting: more than begin beside a login, which long batches would delay. */
const manyInTick = 24;

/**
 * Commits transactions in batches, with one write to disk per batch. Those that arrive in one tick of the event loop share a batch,
 * and those that arrive during a commit share the next one. New users wait as long as every tick brings many more of them: the more
 * rows share a commit, the fewer pages are written for each. `idle` stops accepting transactions, and resolves when all of them are
 * committed. `isFault`: true for an outcome which shows that the database cannot be written to. `mayTry`: false while it is not worth
 * trying.
 */
export function batchWrites(
  commitBatch: CommitBatch,
  isFault: (error: Error) => boolean,
  mayTry = () => true,
): Pick<Database, 'commit' | 'canWrite'> & { idle(): Promise<void> } {
  let waiting: WaitingTransaction[] = [];
  let work = Promise.resolve();
  let ended = false;
  /** True if a waiting transaction is not that of a new user. */
  let isUrgent = false;
  let hasFailed = false;

  async function gather(countBefore: number): Promise<void> {
    let before = countBefore;
    while (!isUrgent && waiting.length < largestBatch && waiting.length >= before + manyInTick) {
      before = waiting.length;
      await nextTick();
    }
  }

  async function commitWaiting(): Promise<void> {
    let before = waiting.length;
    await nextTick();
    while (waiting.length > 0) {
      await gather(before);
      before = 0;
      // An urgent transaction may be among those that do not fit into this batch.
      isUrgent &&= waiting.length > largestBatch;
      const batch = waiting.slice(0, largestBatch);
      waiting = waiting.slice(largestBatch);
      const transactions = batch.map(({ transaction }) => transaction);
      const outcomes = await commitBatch(transactions).catch((error: unknown) => {
        // Only this batch fails; the next one is tried.
        const failure = asStoreError(error);
        return batch.map(() => failure);
      });
      hasFailed ||= outcomes.some((outcome) => outcome instanceof Error && isFault(outcome));
      answer(batch, outcomes);
    }
  }

  function commit(transaction: readonly Statement[]): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (ended) throw new StoreError('the database is not open');
      isUrgent ||= !transaction.some(({ numbers }) => numbers === 'user');
      if (waiting.push({ transaction, resolve, reject }) === 1) work = work.then(commitWaiting);
    });
  }

  return {
    commit,
    async canWrite() {
      // Only a write shows that writing works again.
      if (hasFailed && mayTry()) hasFailed = !(await commit(probe).catch(() => false));
      return !hasFailed;
    },
    async idle() {
      ended = true;
      await work;
    },
  };
}

/** Leaves nothing, but is written to the disk: an unchanged row would not be. */
const probe: readonly Statement[] = [
  "INSERT INTO login_attempts (tenant, account, failures, expires_at) VALUES (0, '', 0, 0)",
  'DELETE FROM login_attempts WHERE tenant = 0',
].map((sql) => ({ sql, values: [] }));

function answer(batch: readonly WaitingTransaction[], outcomes: readonly TransactionOutcome[]): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const outcome = outcomes[index];
    if (typeof outcome === 'boolean') resolve(outcome);
    else reject(asStoreError(outcome));
  }
}

/** A query that waits for its batch, with callbacks for its result. */
export interface WaitingQuery {
  sql: string;
  values: readonly Value[];
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/**
 * Reads in batches: the queries that arrive in one tick of the event loop run together at its end, and their answers are returned
 * together, because waking a reader for each answer costs more than the look-up. Queries made in response to an answer do not wait
 * for another tick: a login makes several, and during an import a tick is long. `readBatch` answers each query, and does not throw.
 */
export function batchQueries(readBatch: (batch: readonly WaitingQuery[]) => void): Database['query'] {
  let waiting: WaitingQuery[] = [];
  /** Number of batches whose answers are being processed. */
  let answering = 0;

  function endAnswering(): void {
    answering -= 1;
  }

  function readWaiting(): void {
    const batch = waiting;
    waiting = [];
    answering += 1;
    readBatch(batch);
    // Runs when all readers have processed the available answers.
    queueMicrotask(() => process.nextTick(endAnswering));
  }

  return <Row>(sql: string, values: readonly Value[]) =>
    new Promise<Row[]>((resolve, reject) => {
      const answer = (rows: unknown[]) => resolve(rows as Row[]);
      if (waiting.push({ sql, values, resolve: answer, reject }) > 1) return;
      if (answering > 0) process.nextTick(readWaiting);
      else setImmediate(readWaiting);
    });
}
