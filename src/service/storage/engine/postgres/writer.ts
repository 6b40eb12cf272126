import { DatabaseError } from 'pg';
import { batchTransactions, type TransactionOutcome } from '../batching.ts';
import type { Statement } from '../database.ts';
import { asStoreError, StoreError } from '../store-error.ts';
import { type Attempted, attemptBatch } from './attempt.ts';
import type { Connections } from './connections.ts';
import { isRace, mostTries, pause } from './retry.ts';

type Transactions = readonly (readonly Statement[])[];

/** Tries of a batch before it is halved. */
const triesOfBatch = 4;

/** Commits transactions in batches, one after the other. */
export function openPostgresWriter(writers: Connections): ReturnType<typeof batchTransactions> {
  return batchTransactions((transactions) => commitAll(writers, transactions, 1));
}

/** Never throws: an error is the outcome of each transaction that it has ended. */
async function commitAll(
  writers: Connections,
  transactions: Transactions,
  tries: number,
): Promise<TransactionOutcome[]> {
  if (transactions.length > 1 && tries > triesOfBatch) {
    const half = Math.ceil(transactions.length / 2);
    const first = await commitAll(writers, transactions.slice(0, half), 1);
    return [...first, ...(await commitAll(writers, transactions.slice(half), 1))];
  }
  let attempted: Attempted[];
  try {
    attempted = await attempt(writers, transactions);
  } catch (error) {
    if (!(isRace(error) && tries < mostTries) && !(isLost(error) && tries === 1)) {
      const failure = asStoreError(error);
      return transactions.map(() => failure);
    }
    await pause(tries);
    return commitAll(writers, transactions, tries + 1);
  }
  const undone = transactions.filter((_, index) => attempted[index] === 'undone');
  const again = undone.length > 0 ? await commitAll(writers, undone, tries + 1) : [];
  return attempted.map((outcome) => (outcome === 'undone' ? (again.shift() ?? false) : outcome));
}

async function attempt(writers: Connections, transactions: Transactions): Promise<Attempted[]> {
  const session = await writers.take();
  let isBroken = true;
  try {
    const attempted = await attemptBatch(session, transactions);
    isBroken = false;
    return attempted;
  } catch (error) {
    if (error instanceof DatabaseError) {
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

/** The connection broke, or the server ends it, before the commit: another one may be had. */
function isLost(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(?:08|57)/.test(error.code ?? '');
  return !(error instanceof StoreError);
}
