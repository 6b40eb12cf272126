import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../src/service/storage/engine/postgres/postgres.ts';
import { startEngine } from './engine-proxy.mjs';
import { engines, isEngine } from './engines.mjs';
import { postgresBinaries } from './postgres-binaries.mjs';
import { startPostgres } from './postgres-server.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a database with the schema in it, of which each test gets a copy. */
    postgresTemplate: string;
  }
}

/** Name of the database that is copied. */
export const template = 'template_tenant_users';

/** Starts one PostgreSQL for the whole run; the project is left out if there are no binaries. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const binaries = postgresBinaries();
  if (!binaries) throw new Error('there is no PostgreSQL');
  const server = await startPostgres(binaries, { durable: false });
  const admin = new Client(server.urlOf('postgres'));
  await admin.connect();
  await admin.query(`CREATE DATABASE ${template}`);
  await admin.end();
  const database = await openPostgres(server.urlOf(template));
  await database.close();
  const engine = process.env.TEST_ENGINE
    ? await startNamed(server.urlOf(template), process.env.TEST_ENGINE)
    : undefined;
  project.provide('postgresTemplate', engine?.through(server.urlOf(template)) ?? server.urlOf(template));
  return async () => {
    engine?.stop();
    await server.stop();
  };
}

/** Runs all tests as on another engine: `TEST_ENGINE=strictest TEST_RACES=0.1 npx vitest run --project postgresql`. */
function startNamed(url: string, name: string) {
  const races = process.env.TEST_RACES;
  if (isEngine(name)) return startEngine(url, name, races ? { races: Number(races) } : {});
  throw new Error(`TEST_ENGINE is one of ${Object.keys(engines).join(', ')}`);
}
