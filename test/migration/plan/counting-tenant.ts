import type { ApplyClient } from '../../../src/migration/plan/apply-action.ts';
import { startTenant, type Tenant } from '../start-tenant.ts';

/** Options that every plan and every run of it gets. */
export const facts = { target: { base_url: 'memory' }, version: '1.0.0', now: Date.now };

/** A tenant for applying a plan, which counts the changes that reached it. */
export async function countingTenant(): Promise<{ tenant: Tenant & ApplyClient; calls: string[] }> {
  const tenant = await startTenant();
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
