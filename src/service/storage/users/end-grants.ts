import type { Tenant } from '../../tenant/definition.ts';
import type { Statement } from '../engine/database.ts';

/** Returns the statement that ends every session, state and ticket of a user (decision 39), including those being created. */
export function endGrants(tenant: Tenant, userId: string): Statement {
  const sql = 'DELETE FROM grants WHERE tenant = ? AND user_id = ?';
  return { sql, values: [tenant.key, userId], optional: true, tenantLock: tenant.key };
}
