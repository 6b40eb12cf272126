import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePlan } from '../../../src/migration/make-plan.ts';
import type { ApplyClient } from '../../../src/migration/plan/apply-action.ts';
import { goodHashes } from '../hashes.ts';
import { startTenant, type Tenant } from '../start-tenant.ts';

/** Options that every plan and every run of it gets. */
export const facts = { target: { base_url: 'memory' }, version: '1.0.0', now: Date.now };

/** A definition by which a number without an area code is of Hong Kong; the search for duplicates takes it for one of China. */
export const inHongKong = { mobile: { default_area_code: '852' } };

/** A tenant for applying a plan, which counts the changes that reached it. `now`: its clock, in epoch milliseconds. */
export async function countingTenant(
  now = Date.now,
  definition: object = {},
): Promise<{ tenant: Tenant & ApplyClient; calls: string[] }> {
  const tenant = await startTenant(definition, now);
  const single = tenant.client.withoutRetries();
  const calls: string[] = [];
  return {
    calls,
    tenant: Object.assign(tenant, {
      updateUser: (id: string, changes: object) => {
        calls.push(`update ${id}`);
        return single.updateUser(id, changes);
      },
      disableUser: (id: string) => {
        calls.push(`disable ${id}`);
        return single.disableUser(id);
      },
    }),
  };
}

/**
 * Plans a file for a tenant with this number of users: half of them are updated, the others disabled, and as many
 * created.
 */
export async function planFor(tenant: Tenant, directory: string, users: number): Promise<string> {
  for (let at = 0; at < users; at += 1) {
    await tenant.client.createUser({ user_name: `user${at}`, name: `Old ${at}` });
  }
  const file = join(directory, 'users.csv');
  const lines = Array.from({ length: users }, (_, at) => {
    const name = at % 2 === 0 ? `user${at}` : `new${at}`;
    return `${name},New ${at},md5,${goodHashes.md5}\n`;
  });
  await writeFile(file, `user_name,name,algorithm,hash\n${lines.join('')}`);
  const to = join(directory, 'plan');
  const options = { update: 'all', disableMissing: true, by: 'user_name' } as const;
  const limits = [{ kind: 'disable', most: { fraction: 1 } }] as const;
  await makePlan(tenant, { ...facts, ...options, limits, file, reading: {}, directory: to });
  return to;
}
