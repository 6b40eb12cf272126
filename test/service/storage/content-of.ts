import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { isPostgres } from './temporary-database.ts';

/** Everything in a database of `temporaryDatabase`: the bytes of its files, or the rows of its tables. */
export async function contentOf(database: string): Promise<Buffer> {
  if (isPostgres) return Buffer.from(await rowsOf(database));
  const directory = dirname(database);
  return Buffer.concat(readdirSync(directory).map((name) => readFileSync(join(directory, name))));
}

async function rowsOf(url: string): Promise<string> {
  const client = new Client(url);
  await client.connect();
  const tables = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  const texts: string[] = [];
  for (const { tablename } of tables.rows) {
    const { rows } = await client.query(`SELECT * FROM ${tablename}`);
    texts.push(JSON.stringify(rows));
  }
  await client.end();
  return texts.join('\n');
}
