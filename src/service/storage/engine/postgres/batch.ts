import { DatabaseError, type PoolClient } from 'pg';
import type { TransactionOutcome } from '../batching.ts';
import type { Statement } from '../database.ts';
import { postgresStatement } from './statement.ts';

const uniqueViolation = '23505';

/**
 * Sends all statements of all units in one go. `undefined` when a unit that is not to be carried out has changed
 * something; throws the first error of the database, after which the transaction can only be rolled back.
 */
export async function runAtOnce(
  client: PoolClient,
  units: readonly (readonly Statement[])[],
): Promise<TransactionOutcome[] | undefined> {
  const sent = units.map((unit) => unit.map((statement) => send(client, statement)));
  const failed = (await Promise.allSettled(sent.flat())).find((settled) => settled.status === 'rejected');
  if (failed) throw failed.reason;
  const outcomes: TransactionOutcome[] = [];
  for (const [index, unit] of units.entries()) {
    const counts = await Promise.all(sent[index] ?? []);
    const isDone = unit.every(({ optional }, at) => optional === true || (counts[at] ?? 0) > 0);
    if (!isDone && counts.some((count) => count > 0)) return undefined;
    outcomes.push(isDone);
  }
  return outcomes;
}

/** Runs each unit in a savepoint of its own: one that fails harms no other. Throws what ends the transaction. */
export async function runOneByOne(
  client: PoolClient,
  units: readonly (readonly Statement[])[],
): Promise<TransactionOutcome[]> {
  const outcomes: TransactionOutcome[] = [];
  for (const unit of units) {
    await client.query('SAVEPOINT unit');
    const outcome = await runUnit(client, unit);
    if (outcome !== true) await client.query('ROLLBACK TO SAVEPOINT unit');
    await client.query('RELEASE SAVEPOINT unit');
    outcomes.push(outcome);
  }
  return outcomes;
}

async function runUnit(client: PoolClient, unit: readonly Statement[]): Promise<TransactionOutcome> {
  try {
    for (const statement of unit) {
      if ((await send(client, statement)) === 0 && !statement.optional) return false;
    }
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseError) || /^(08|40|53|55|57|58)/.test(error.code ?? '')) throw error;
    return error.code === uniqueViolation ? false : error;
  }
}

/** Number of rows that a statement changed. */
async function send(client: PoolClient, { sql, values }: Statement): Promise<number> {
  return (await client.query(postgresStatement(sql, values))).rowCount ?? 0;
}
