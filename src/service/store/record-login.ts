import type { Tenant } from '../tenant/tenant.ts';
import type { Statement } from './database.ts';
import { whileNotLocked } from './login-attempts.ts';
import { nextChange, type UserRow } from './user-row.ts';

/** A login that is about to succeed. */
export interface Admission {
  /** What to keep for the same password, when its stored form was outdated. */
  stored?: string | undefined;
  /** Does it count as a login? One that only led to a change of password does not. */
  counts: boolean;
}

/**
 * Lets a login in, and notes it; that is no change of the user, so `updated_at` stays. It changes nothing when the
 * user was disabled or locked, or the stored password replaced, since the row was read.
 */
export function admitLogin(
  tenant: Tenant,
  row: UserRow,
  { stored = row.password ?? '', counts }: Admission,
  now: number,
): Statement {
  const lock = whileNotLocked(tenant, row.user_id, now);
  const count = counts ? ', usr_auth_times = usr_auth_times + 1, usr_last_login = ?' : '';
  const sql = `UPDATE users SET password = ?${count}
    WHERE tenant = ? AND seq = ? AND password = ? AND disabled = 0 AND ${lock.sql}`;
  const noted = counts ? [now] : [];
  return {
    sql,
    values: [stored, ...noted, tenant.key, row.seq, row.password, ...lock.values],
    turnOf: tenant.key,
  };
}

/** Sets a new password; whoever set one meanwhile wins, and this unit changes nothing. */
export function setPassword(
  tenant: Tenant,
  row: UserRow,
  password: { stored: string; mustModify: boolean },
  now: number,
): Statement {
  const sql = `UPDATE users SET password = ?, pwd_must_modify = ?, pwd_change_at = ?, updated_at = ?,
    changed = ${nextChange} WHERE tenant = ? AND seq = ? AND password IS NOT DISTINCT FROM ?`;
  const values = [password.stored, password.mustModify ? 1 : 0, now, now, tenant.key];
  return { sql, values: [...values, tenant.key, row.seq, row.password], turnOf: tenant.key };
}
