import { DatabaseError, type Pool, type PoolClient } from 'pg';
import type { WaitingQuery } from './group-queries.ts';
import { postgresStatement } from './postgres-statement.ts';
import { asStoreError } from './store-error.ts';

/** Queries that share a connection at most: the others of a busy turn go to another. */
const largestGroup = 16;

/** Sends queries over few connections of the pool, each without waiting for the answer to the one before, and answers them. */
export function readPostgres(pool: Pool, queries: readonly WaitingQuery[]): void {
  for (let from = 0; from < queries.length; from += largestGroup) {
    void readGroup(pool, queries.slice(from, from + largestGroup));
  }
}

async function readGroup(pool: Pool, group: readonly WaitingQuery[]): Promise<void> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    for (const { reject } of group) reject(asStoreError(error));
    return;
  }
  let isBroken = false;
  const read = async ({ sql, values, resolve, reject }: WaitingQuery) => {
    try {
      resolve((await client.query(postgresStatement(sql, values))).rows);
    } catch (error) {
      isBroken ||= !(error instanceof DatabaseError);
      reject(asStoreError(error));
    }
  };
  await Promise.all(group.map(read));
  client.release(isBroken);
}
