import { DatabaseError, type Pool } from 'pg';
import { batchTransactions, type TransactionOutcome } from '../batching.ts';
import type { Statement } from '../database.ts';
import { asStoreError, StoreError } from '../store-error.ts';
import { type Attempted, attemptBatch } from './attempt.ts';
import { isRace, mostTries, pause } from './retry.ts';

type Transactions = readonly (readonly Statement[])[];

/** Tries of a batch before it is halved. */
const triesOfBatch = 4;

/** Commits transactions in batches on the one connection of a pool. */
export function openPostgresWriter(pool: Pool): ReturnType<typeof batchTransactions> {
  return batchTransactions((transactions) => commitAll(pool, transactions, 1));
}

/** Never throws: an error is the outcome of each transaction that it has ended. */
async function commitAll(
  pool: Pool,
  transactions: Transactions,
  tries: number,
): Promise<TransactionOutcome[]> {
  if (transactions.length > 1 && tries > triesOfBatch) {
    const half = Math.ceil(transactions.length / 2);
    const first = await commitAll(pool, transactions.slice(0, half), 1);
    return [...first, ...(await commitAll(pool, transactions.slice(half), 1))];
  }
  let attempted: Attempted[];
  try {
    attempted = await attempt(pool, transactions);
  } catch (error) {
    if (!(isRace(error) && tries < mostTries) && !(isLost(error) && tries === 1)) {
      const failure = asStoreError(error);
      return transactions.map(() => failure);
    }
    await pause(tries);
    return commitAll(pool, transactions, tries + 1);
  }
  const undone = transactions.filter((_, index) => attempted[index] === 'undone');
  const again = undone.length > 0 ? await commitAll(pool, undone, tries + 1) : [];
  return attempted.map((outcome) => (outcome === 'undone' ? (again.shift() ?? false) : outcome));
}

async function attempt(pool: Pool, transactions: Transactions): Promise<Attempted[]> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    const attempted = await attemptBatch(client, transactions);
    isBroken = false;
    return attempted;
  } catch (error) {
    if (error instanceof DatabaseError) {
      isBroken = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      );
    }
    throw error;
  } finally {
    client.release(isBroken);
  }
}

/** The connection broke, or the server ends it, before the commit: another one may be had. */
function isLost(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(?:08|57)/.test(error.code ?? '');
  return !(error instanceof StoreError);
}
