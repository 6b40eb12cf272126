import { DatabaseError, type Pool, type PoolClient, type QueryConfig } from 'pg';
import { batchTransactions, type TransactionOutcome } from '../batching.ts';
import type { Statement } from '../database.ts';
import { asStoreError, StoreError } from '../store-error.ts';
import { runAtOnce, runOneByOne } from './batch.ts';

const mostTries = 8;
/** Number space of our advisory locks, apart from those of other programs on the same database. */
const lockSpace = 0x75736572;

/** Takes a turn until the end of the transaction; the two numbers make one lock. */
export function lockTenant(turn: number): QueryConfig {
  return { name: 'turn', text: 'SELECT pg_advisory_xact_lock($1, $2)', values: [lockSpace, turn] };
}

/**
 * Commits units in groups on the one connection of a pool. A group first runs without savepoints, at the cost of two round
 * trips; only when that shows something to undo it runs again, unit by unit. Deadlocks and serialization failures start
 * again, too.
 */
export function openPostgresWriter(pool: Pool): ReturnType<typeof batchTransactions> {
  return batchTransactions(async (units) => {
    let oneByOne = false;
    for (let tries = 1; ; tries += 1) {
      try {
        const outcomes = await commitGroup(pool, units, oneByOne);
        if (outcomes) return outcomes;
        oneByOne = true;
      } catch (error) {
        const fault = faultOf(error);
        if (fault === 'unit' && !oneByOne) oneByOne = true;
        else if (!(fault === 'race' && tries < mostTries) && !(fault === 'connection' && tries === 1)) {
          const told = asStoreError(error);
          return units.map(() => told);
        }
      }
    }
  });
}

/** One transaction; `undefined` when it was undone because a unit has changed something that it must not. */
async function commitGroup(
  pool: Pool,
  units: readonly (readonly Statement[])[],
  oneByOne: boolean,
): Promise<TransactionOutcome[] | undefined> {
  const client = await pool.connect();
  let broken = true;
  try {
    const begun = begin(client, units);
    const [outcomes] = await Promise.all([(oneByOne ? runOneByOne : runAtOnce)(client, units), begun]);
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

/** Turns are taken in one order everywhere and before any row, so that nobody waits in a circle. */
async function begin(client: PoolClient, units: readonly (readonly Statement[])[]): Promise<void> {
  const turns = new Set(
    units.flat().flatMap(({ tenantLock }) => (tenantLock === undefined ? [] : [tenantLock])),
  );
  const inOrder = [...turns].sort((one, other) => one - other);
  const sent = [client.query('BEGIN'), ...inOrder.map((turn) => client.query(lockTenant(turn)))];
  const failed = (await Promise.allSettled(sent)).find((settled) => settled.status === 'rejected');
  if (failed) throw failed.reason;
}

/** What this throws other than a refusal of the server leaves open whether the commit took place. */
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

type Fault = 'race' | 'connection' | 'unit' | 'final';

const classes: Record<string, Fault> = { '40': 'race', '08': 'connection', '57': 'connection' };
/** Insufficient resources, a lock that was not to be had, a failure of the system: trying again makes it worse. */
const final = new Set(['53', '55', '58']);

function faultOf(error: unknown): Fault {
  if (error instanceof StoreError) return 'final';
  if (!(error instanceof DatabaseError)) return 'connection';
  const sqlClass = error.code?.slice(0, 2) ?? '';
  return final.has(sqlClass) ? 'final' : (classes[sqlClass] ?? 'unit');
}
