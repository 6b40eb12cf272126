import { onTestFinished } from 'vitest';
import { type Client, createClient } from '../../src/client/client.ts';
import type { HashedUser } from '../../src/contract/wire.ts';
import type { TenantReader } from '../../src/migration/owners/list-owners.ts';
import type { ImportClient } from '../../src/migration/send/import-row.ts';
import { openService } from '../../src/service/open-service.ts';
import { definitionOf } from '../../src/service/tenant/definition.ts';
import { preparedKeyPair } from '../prepared-keys.ts';
import { application } from '../test-service.ts';

/** A tenant of a real service in this process, as an import sees it. A test may replace a call. */
export interface Tenant extends ImportClient, TenantReader {
  /** The rows that reached the service, in order. */
  sent: HashedUser[];
  /** Reads and changes the tenant beside the import. */
  client: Client;
}

/** Starts a tenant with this definition, and a clock of its own, for the running test. */
export async function startTenant(definition: object = {}, now = Date.now): Promise<Tenant> {
  const tenants = [definitionOf(JSON.stringify({ tenant_id: 'test', ...definition }))];
  const service = await openService({
    database: ':memory:',
    application,
    makeKeyPair: preparedKeyPair,
    tenants,
    now,
  });
  const client = createClient({
    baseUrl: 'http://localhost',
    clientId: application.client_id,
    clientSecret: application.client_secret,
    answer: service.answer,
  });
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  const { importHashedUser, ...calls } = client.withoutRetries();
  const sent: HashedUser[] = [];
  return {
    ...calls,
    client,
    sent,
    importHashedUser(user) {
      sent.push(user);
      return importHashedUser(user);
    },
  };
}
