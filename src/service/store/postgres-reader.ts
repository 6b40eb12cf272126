import { DatabaseError, type Pool, type PoolClient } from 'pg';
import type { Database, Value } from './database.ts';
import { postgresStatement } from './postgres-statement.ts';
import { asStoreError } from './store-error.ts';

/** A query that waits for a connection, and how to answer it. */
interface WaitingQuery {
  sql: string;
  values: readonly Value[];
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** Queries that share a connection at most: the others of a busy turn go to another. */
const largestGroup = 16;

/**
 * Reads in groups: the queries that arrive in one turn of the event loop go over one connection of the pool, each without
 * waiting for the answer to the one before.
 */
export function openPostgresReader(pool: Pool): Pick<Database, 'query'> {
  let waiting: WaitingQuery[] = [];

  function readWaiting(): void {
    const queries = waiting;
    waiting = [];
    for (let from = 0; from < queries.length; from += largestGroup) {
      void readGroup(pool, queries.slice(from, from + largestGroup));
    }
  }

  return {
    query<Row>(sql: string, values: readonly Value[]) {
      return new Promise<Row[]>((resolve, reject) => {
        const answer = (rows: unknown[]) => resolve(rows as Row[]);
        if (waiting.push({ sql, values, resolve: answer, reject }) === 1) setImmediate(readWaiting);
      });
    },
  };
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
