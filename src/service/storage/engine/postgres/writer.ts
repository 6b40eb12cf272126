import { DatabaseError } from 'pg';
import { batchWrites, type TransactionOutcome } from '../batching.ts';
import type { Statement } from '../database.ts';
import { asStoreError, StoreError } from '../store-error.ts';
import { type Attempted, attemptBatch } from './attempt.ts';
import type { Connections } from './connections.ts';
import { isRace, mostTries, pause } from './retry.ts';

type Transactions = readonly (readonly Statement[])[];

/** Number of tries before a batch is halved. */
const triesOfBatch = 4;

/** Commits transactions in batches, one batch after another. */
export function openPostgresWriter(connections: Connections) {
  /** Whether the next batch begins with its inserts in bulk. */
  let beginsInBulk = true;

  /** Never throws: an error is the outcome of each transaction that it ended. */
  async function commitAll(transactions: Transactions, tries: number): Promise<TransactionOutcome[]> {
    if (transactions.length > 1 && tries > triesOfBatch) {
      const half = Math.ceil(transactions.length / 2);
      const first = await commitAll(transactions.slice(0, half), 1);
      return [...first, ...(await commitAll(transactions.slice(half), 1))];
    }
    let attempted: Attempted[];
    try {
      attempted = await attempt(transactions, tries);
    } catch (error) {
      if (!(isRace(error) && tries < mostTries) && !(isLost(error) && tries === 1)) {
        const isReadOnly = error instanceof DatabaseError && error.code === readOnly;
        const failure = isReadOnly ? new ReadOnlyError(error) : asStoreError(error);
        return transactions.map(() => failure);
      }
      await pause(tries);
      return commitAll(transactions, tries + 1);
    }
    const undone = transactions.filter((_, index) => attempted[index] === 'undone');
    const again = undone.length > 0 ? await commitAll(undone, tries + 1) : [];
    return attempted.map((outcome) => (outcome === 'undone' ? (again.shift() ?? false) : outcome));
  }

  async function attempt(transactions: Transactions, tries: number): Promise<Attempted[]> {
    const session = await connections.take();
    let isBroken = true;
    try {
      // If bulk inserts fail in one batch, they mostly fail in the next too; what is left of a batch usually succeeds.
      const inBulk = transactions.length > 1 && (beginsInBulk || tries > 1);
      const attempted = await attemptBatch(session, transactions, inBulk);
      if (tries === 1) beginsInBulk = attempted.every((outcome) => outcome === true);
      isBroken = false;
      return attempted;
    } catch (error) {
      if (error instanceof DatabaseError && error.code !== readOnly) {
        isBroken = await session.exec('ROLLBACK').then(
          () => false,
          () => true,
        );
      }
      throw error;
    } finally {
      session.release(isBroken);
    }
  }

  return batchWrites((transactions) => commitAll(transactions, 1), refusesWrites);
}

/** True for an outcome of a server that is read-only, has no room (class 53), or whose disk fails (58). */
function refusesWrites(failure: Error): boolean {
  return (
    failure instanceof ReadOnlyError || (failure instanceof StoreError && /^5[38]/.test(failure.code ?? ''))
  );
}

/** The server takes no changes, so nothing was done. */
class ReadOnlyError extends StoreError {
  constructor({ message }: Error) {
    super(message, 'NOT_CONNECTED');
  }
}

/** The SQLSTATE of a server that has become read-only while the connection was open. */
const readOnly = '25006';

/**
 * True if the connection broke or fell silent, the server ended it before the commit, or can no longer be written to: another
 * connection may work.
 */
function isLost(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(?:08|57)/.test(error.code ?? '') || error.code === readOnly;
  return !(error instanceof StoreError) || error.code === 'NO_ANSWER';
}
