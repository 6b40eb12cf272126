import type { Tenant } from '../../tenant/definition.ts';
import type { Statement } from '../engine/database.ts';
import type { UserRow } from './user-row.ts';

/**
 * Records a successful login; `updated_at` stays, because the user does not change. The statement has no effect if the user was
 * disabled, or the stored password replaced, since the row was read. A lock no longer matters: the attempt was counted, and
 * permitted, before the password was compared. `stored`: new stored form of the same password, if the old one was outdated. `counts`:
 * false if the login only leads to a change of password.
 */
export function admitLogin(
  tenant: Tenant,
  row: UserRow,
  { stored = row.password ?? '', counts }: { stored?: string | undefined; counts: boolean },
  now: number,
): Statement {
  const count = counts ? ', usr_auth_times = usr_auth_times + 1, usr_last_login = ?' : '';
  const sql = `UPDATE users SET password = ?${count}
    WHERE tenant = ? AND seq = ? AND password = ? AND disabled = 0`;
  const lastLogin = counts ? [now] : [];
  return {
    sql,
    values: [stored, ...lastLogin, tenant.key, row.seq, row.password],
    tenantLock: tenant.key,
  };
}

/** Sets a new password; has no effect if another one was set meanwhile. */
export function setPassword(
  tenant: Tenant,
  row: UserRow,
  password: { stored: string; mustModify: boolean },
  now: number,
): Statement {
  const sql = `UPDATE users SET changed = ?, password = ?, pwd_must_modify = ?, pwd_change_at = ?, updated_at = ?
    WHERE tenant = ? AND seq = ? AND password IS NOT DISTINCT FROM ?`;
  const values = [password.stored, password.mustModify ? 1 : 0, now, now];
  const where = [tenant.key, row.seq, row.password];
  return { sql, values: [...values, ...where], tenantLock: tenant.key, numbers: 'change' };
}
