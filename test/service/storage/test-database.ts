import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { copyTemplate, isPostgres } from './temporary-database.ts';

/** Databases of this worker that no test uses now. */
const free: string[] = [];

const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_steps'";

/**
 * An empty database for the running test, in memory or on PostgreSQL, where one that an earlier test has used is
 * emptied and taken again: that is several times faster than a new one.
 */
export async function testDatabase(): Promise<string> {
  if (!isPostgres) return ':memory:';
  const url = free.pop() ?? (await copyTemplate()).url;
  onTestFinished(async () => {
    await empty(url);
    free.push(url);
  });
  return url;
}

async function empty(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ tablename: string }>(tables);
  await client.query(rows.map(({ tablename }) => `DELETE FROM ${tablename}`).join(';'));
  await client.end();
}
