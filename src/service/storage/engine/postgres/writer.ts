import { DatabaseError, type Pool, type PoolClient, type QueryConfig } from 'pg';
import { batchTransactions, type TransactionOutcome } from '../batching.ts';
import type { Statement } from '../database.ts';
import { asStoreError, StoreError } from '../store-error.ts';
import { runAtOnce, runOneByOne } from './batch.ts';

const mostTries = 8;
/** Number space of our advisory locks, apart from those of other programs on the same database. */
const lockSpace = 0x75736572;

/** Holds the lock of a tenant until the end of the transaction; the two numbers make one lock. */
export function lockTenant(tenant: number): QueryConfig {
  return { name: 'lock_tenant', text: 'SELECT pg_advisory_xact_lock($1, $2)', values: [lockSpace, tenant] };
}

/**
 * Commits transactions in batches on the one connection of a pool. A batch first runs without savepoints, in two round
 * trips; only when something must be undone it runs again, one transaction after the other. After a deadlock or a
 * serialization failure the batch starts again, too.
 */
export function openPostgresWriter(pool: Pool): ReturnType<typeof batchTransactions> {
  return batchTransactions(async (transactions) => {
    let oneByOne = false;
    for (let tries = 1; ; tries += 1) {
      try {
        const outcomes = await commitBatch(pool, transactions, oneByOne);
        if (outcomes) return outcomes;
        oneByOne = true;
      } catch (error) {
        const fault = classifyFault(error);
        if (fault === 'transaction' && !oneByOne) oneByOne = true;
        else if (!(fault === 'race' && tries < mostTries) && !(fault === 'connection' && tries === 1)) {
          const failure = asStoreError(error);
          return transactions.map(() => failure);
        }
      }
    }
  });
}

/** Runs a batch; `undefined` when it was rolled back because a transaction that must have no effect had one. */
async function commitBatch(
  pool: Pool,
  transactions: readonly (readonly Statement[])[],
  oneByOne: boolean,
): Promise<TransactionOutcome[] | undefined> {
  const client = await pool.connect();
  let broken = true;
  try {
    const begun = begin(client, transactions);
    const [outcomes] = await Promise.all([(oneByOne ? runOneByOne : runAtOnce)(client, transactions), begun]);
    if (outcomes) await commit(client);
    else await client.query('ROLLBACK');
    broken = false;
    return outcomes;
  } catch (error) {
    if (error instanceof DatabaseError) broken = !(await rolledBack(client));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Locks are taken in the same order everywhere, and before any row, so that there is no deadlock. */
async function begin(client: PoolClient, transactions: readonly (readonly Statement[])[]): Promise<void> {
  const locks = new Set(
    transactions.flat().flatMap(({ tenantLock }) => (tenantLock === undefined ? [] : [tenantLock])),
  );
  const inOrder = [...locks].sort((one, other) => one - other);
  const sent = [client.query('BEGIN'), ...inOrder.map((tenant) => client.query(lockTenant(tenant)))];
  const failed = (await Promise.allSettled(sent)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Unless the server rejected the commit, a failure leaves it unknown whether the commit took place. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT').catch((error: unknown) => {
    if (error instanceof DatabaseError && error.code?.startsWith('40') && error.code !== '40003') throw error;
    const { message } = asStoreError(error);
    throw new StoreError(`it is not known whether the commit took place: ${message}`, 'COMMIT_UNKNOWN');
  });
  if (command !== 'COMMIT') throw new StoreError('the database undid the commit', 'COMMIT_UNDONE');
}

async function rolledBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

type Fault = 'race' | 'connection' | 'transaction' | 'final';

const classes: Record<string, Fault> = { '40': 'race', '08': 'connection', '57': 'connection' };
/** Insufficient resources, a lock that is not available, a failure of the system: a retry would make it worse. */
const final = new Set(['53', '55', '58']);

function classifyFault(error: unknown): Fault {
  if (error instanceof StoreError) return 'final';
  if (!(error instanceof DatabaseError)) return 'connection';
  const sqlClass = error.code?.slice(0, 2) ?? '';
  return final.has(sqlClass) ? 'final' : (classes[sqlClass] ?? 'transaction');
}
