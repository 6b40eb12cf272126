import type { TenantDefinition } from '../tenant/definition.ts';
import type { Tenant } from '../tenant/tenant.ts';
import type { Database } from './database.ts';

/** Finds the rows' key of a tenant, or gives it one. */
export async function openTenant(database: Database, definition: TenantDefinition): Promise<Tenant> {
  const sql = `INSERT INTO tenants (tenant, tenant_id) VALUES ((SELECT coalesce(max(tenant), 0) + 1 FROM tenants), ?)
    ON CONFLICT DO NOTHING`;
  await database.commit([{ sql, values: [definition.tenantId] }]);
  const [row] = await database.query<{ tenant: number }>('SELECT tenant FROM tenants WHERE tenant_id = ?', [
    definition.tenantId,
  ]);
  if (!row) throw new Error(`tenant ${definition.tenantId} could not be stored`);
  return { key: row.tenant, definition };
}
