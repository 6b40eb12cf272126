import type { Tenant } from '../../tenant/definition.ts';
import type { Database, Statement } from '../engine/database.ts';
import type { UserRow } from '../users/user-row.ts';

/** Returns the stored forms of the passwords that a user must not use again, the current one first (decision 36). */
export async function findUsedPasswords(
  database: Database,
  tenant: Tenant,
  { user_id, password }: UserRow,
): Promise<string[]> {
  const { history } = tenant.definition.password;
  if (history < 1) return [];
  const sql = `SELECT password FROM password_history WHERE tenant = ? AND user_id = ?
    ORDER BY number DESC LIMIT ?`;
  const rows = await database.query<{ password: string }>(sql, [tenant.key, user_id, history - 1]);
  return [password, ...rows.map((row) => row.password)].filter((stored) => stored !== null);
}

/**
 * Returns statements for the transaction that changes a password: they add the replaced one to the history, and delete those that
 * the tenant's rule no longer needs.
 */
export function rememberPassword(tenant: Tenant, { user_id, password }: UserRow): Statement[] {
  const owner = [tenant.key, user_id];
  const newest = 'SELECT max(number) FROM password_history WHERE tenant = ? AND user_id = ?';
  const insert: Statement = {
    sql: `INSERT INTO password_history (tenant, user_id, number, password)
      SELECT ?, ?, coalesce(max(number), 0) + 1, ? FROM password_history WHERE tenant = ? AND user_id = ?`,
    values: [...owner, password, ...owner],
  };
  const trim: Statement = {
    sql: `DELETE FROM password_history WHERE tenant = ? AND user_id = ? AND number <= (${newest}) - ?`,
    values: [...owner, ...owner, Math.max(0, tenant.definition.password.history - 1)],
    optional: true,
  };
  return password === null ? [] : [insert, trim];
}
