import type { Tenant } from '../tenant/tenant.ts';
import type { Statement } from './database.ts';
import type { UserRow } from './user-row.ts';

/** Counts a login up and notes its time; that is no change of the user, so `updated_at` stays. */
export function countLogin(tenant: Tenant, row: UserRow, now: number): Statement {
  const sql =
    'UPDATE users SET usr_auth_times = usr_auth_times + 1, usr_last_login = ? WHERE tenant = ? AND seq = ?';
  return { sql, values: [now, tenant.key, row.seq] };
}

/** Replaces the stored form of the same password, unless the password was changed meanwhile. */
export function keepHash(tenant: Tenant, row: UserRow, stored: string): Statement {
  const sql = 'UPDATE users SET password = ? WHERE tenant = ? AND seq = ? AND password = ?';
  return { sql, values: [stored, tenant.key, row.seq, row.password], optional: true };
}

/** Sets a new password; whoever set one meanwhile wins, and this unit changes nothing. */
export function setPassword(
  tenant: Tenant,
  row: UserRow,
  password: { stored: string; mustModify: boolean },
  now: number,
): Statement {
  const sql = `UPDATE users SET password = ?, pwd_must_modify = ?, pwd_change_at = ?, updated_at = ?
    WHERE tenant = ? AND seq = ? AND password IS NOT DISTINCT FROM ?`;
  const values = [password.stored, password.mustModify ? 1 : 0, now, now, tenant.key, row.seq, row.password];
  return { sql, values };
}
