import { DatabaseError, type PoolClient } from 'pg';
import type { TransactionOutcome } from '../batching.ts';
import type { Statement } from '../database.ts';
import { postgresStatement } from './statement.ts';

const uniqueViolation = '23505';

/**
 * Sends all statements of a batch at once. `undefined` when a transaction that must have no effect has changed
 * something; throws the first error of the database, after which the whole batch can only be rolled back.
 */
export async function runAtOnce(
  client: PoolClient,
  transactions: readonly (readonly Statement[])[],
): Promise<TransactionOutcome[] | undefined> {
  const sent = transactions.map((transaction) => transaction.map((statement) => send(client, statement)));
  const failed = (await Promise.allSettled(sent.flat())).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  const outcomes: TransactionOutcome[] = [];
  for (const [index, transaction] of transactions.entries()) {
    const counts = await Promise.all(sent[index] ?? []);
    const isDone = transaction.every(({ optional }, at) => optional === true || (counts[at] ?? 0) > 0);
    if (!isDone && counts.some((count) => count > 0)) return undefined;
    outcomes.push(isDone);
  }
  return outcomes;
}

/** Runs each transaction in a savepoint of its own: one that fails does not affect the others. Throws what ends the whole batch. */
export async function runOneByOne(
  client: PoolClient,
  transactions: readonly (readonly Statement[])[],
): Promise<TransactionOutcome[]> {
  const outcomes: TransactionOutcome[] = [];
  for (const transaction of transactions) {
    await client.query('SAVEPOINT one');
    const outcome = await runTransaction(client, transaction);
    if (outcome !== true) await client.query('ROLLBACK TO SAVEPOINT one');
    await client.query('RELEASE SAVEPOINT one');
    outcomes.push(outcome);
  }
  return outcomes;
}

async function runTransaction(
  client: PoolClient,
  transaction: readonly Statement[],
): Promise<TransactionOutcome> {
  try {
    for (const statement of transaction) {
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
