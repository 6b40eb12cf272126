import { claimStoredValues } from './store/claim-stored-values.ts';
import type { Database } from './store/database.ts';
import { findTenants, storeTenant } from './store/tenants.ts';
import { defaultTenant } from './tenant/default-tenant.ts';
import type { TenantDefinition } from './tenant/definition.ts';
import type { Tenant } from './tenant/tenant.ts';

/**
 * The tenants a service serves: those of `definitions`, which are stored; without any, those the database has, or the
 * built-in one where it has none.
 */
export async function openTenants(
  database: Database,
  definitions: readonly TenantDefinition[] | undefined,
): Promise<Tenant[]> {
  const stored = definitions ? [] : await findTenants(database);
  const given = definitions ?? (stored.length > 0 ? [] : [defaultTenant]);
  for (const definition of given) stored.push(await storeTenant(database, definition));
  for (const tenant of stored) await claimStoredValues(database, tenant);
  return stored;
}
