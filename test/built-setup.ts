import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { secretDigest } from '../src/service/storage/access/secrets.ts';
import { insertFirstKey } from '../src/service/storage/access/signing-keys.ts';
import { openDatabase } from '../src/service/storage/open-database.ts';
import { storeTenant } from '../src/service/storage/tenants.ts';
import { defaultTenant } from '../src/service/tenant/default-tenant.ts';
import { memoryDirectory } from './memory-directory.mjs';
import { preparedKeyPair } from './prepared-keys.ts';
import { spawnServe } from './spawn-serve.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The `serve` process of the built program, and a directory in which tests mark the tenants that they use. */
    builtService: { baseUrl: string; claims: string };
  }
}

/** More than there are tests in the project, since each gets its own tenant. */
const tenants = 400;
const client_secret = 'test-secret-7d41c0';

/** The first tenant has the application that all test services know; no test gets this tenant. */
const applicationOf = (tenant: number) => ({
  client_id: tenant === 0 ? 'test-application' : `built-application-${tenant}`,
  client_secret,
});

/**
 * Starts `serve` of the built program once for the whole run, with its commit thread, on a database of many tenants. At
 * the end the run fails if the service has logged a failure of its own.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(memoryDirectory() ?? tmpdir(), 'tenant-users-built-'));
  const file = join(directory, 'tenants.db');
  await makeTenants(file);
  const options = ['--port', '0', '--database', file, '--commit-thread'];
  // All tests have the same address.
  options.push('--address-limit', '100000/s');
  const serve = spawnServe(options, { PATH: process.env.PATH ?? '', HOME: directory });
  project.provide('builtService', { baseUrl: (await serve.ready).base_url, claims: directory });

  return async () => {
    const { stderr } = await serve.end('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
    if (/"level":"(?:warn|error)"/.test(stderr)) throw new Error(`the built service failed: ${stderr}`);
  };
}

/**
 * Stores the tenants, each with an application and a signing key. All have the same secret and signing key, which are
 * made once.
 */
async function makeTenants(file: string): Promise<void> {
  const database = await openDatabase(file);
  const hash = secretDigest(client_secret);
  const pair = await preparedKeyPair();
  const made = Array.from({ length: tenants }, async (_, index) => {
    const { key } = await storeTenant(database, { ...defaultTenant, tenant_id: `built-${index}` });
    const sql = 'INSERT INTO applications (tenant, client_id, secret_hash, created_at) VALUES (?, ?, ?, 0)';
    const insert = { sql, values: [key, applicationOf(index).client_id, hash] };
    await database.commit([insert, insertFirstKey(key, pair, 0)]);
  });
  await Promise.all(made);
  await database.close();
}

/** A tenant of the built service that no other test uses. */
export function claimTenant() {
  const { baseUrl, claims } = inject('builtService');
  for (let index = 1; index < tenants; index += 1) {
    try {
      mkdirSync(join(claims, String(index)));
    } catch {
      continue;
    }
    return { baseUrl, tenantId: `built-${index}`, application: applicationOf(index) };
  }
  throw new Error('the built service has too few tenants for all tests');
}
