import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { Client } from 'pg';
import { inject, onTestFinished } from 'vitest';

/** Whether this run tests the service on PostgreSQL. */
export const isPostgres = process.env.TEST_DATABASE === 'postgresql';

/**
 * A new SQLite file or PostgreSQL database, which is deleted after the running test. It is for tests that change the
 * schema, or end a service as a crash would. Other tests use one of test-database.ts, which costs far less.
 */
export async function temporaryDatabase(): Promise<string> {
  if (!isPostgres) return temporaryFile();
  const { url, drop } = await copyTemplate();
  onTestFinished(drop);
  return url;
}

/** Path of a SQLite file that does not exist yet, in a directory that is deleted after the running test. */
export function temporaryFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-users-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'users.db');
}

/** Creates an empty PostgreSQL database without any table, as a first start finds it. */
export async function emptyPostgres(encoding = 'UTF8'): Promise<string> {
  const { url, drop } = await create('template0', encoding);
  onTestFinished(drop);
  return url;
}

/** URL of a new database with the schema in it. */
export function copyTemplate(): Promise<{ url: string; drop(): Promise<void> }> {
  return create(inject('postgresTemplate').split('/').at(-1) ?? '');
}

/** Changes the schema of a database outside the transactions of the service. */
export async function define(location: string, sql: string): Promise<void> {
  if (isPostgres) return administer(sql, location);
  const database = new DatabaseSync(location);
  database.exec(sql);
  database.close();
}

async function create(from: string, encoding = 'UTF8'): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copying the files takes half of the processor time: the checkpoint that it needs writes to memory here.
  await administer(`CREATE DATABASE ${name} TEMPLATE ${from} ENCODING '${encoding}' STRATEGY FILE_COPY`);
  const url = inject('postgresTemplate').replace(/[^/]+$/, name);
  return { url, drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function administer(
  sql: string,
  location = inject('postgresTemplate').replace(/[^/]+$/, 'postgres'),
): Promise<void> {
  const client = new Client(location);
  await client.connect();
  await client.query(sql);
  await client.end();
}
