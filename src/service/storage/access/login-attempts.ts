import type { Tenant } from '../../tenant/definition.ts';
import type { Database, Statement } from '../engine/database.ts';
import { nextChange, type UserRow } from '../users/user-row.ts';

interface Attempts {
  failures: number;
  expires_at: number;
}

/**
 * Seconds for which an account is still locked, 0 when it is not. An account is a user or a name that no user has
 * (`findLogin`); the attempts of both are counted in the same way.
 */
export async function secondsLocked(
  database: Database,
  tenant: Tenant,
  account: string,
  now: number,
): Promise<number> {
  return remainingLock(await findAttempts(database, tenant, account), tenant, now);
}

/** What a failed login leads to. */
export type LoginFailure = { attemptsLeft: number } | { secondsLocked: number };

/**
 * Counts a failed login. The result is the attempts that are left, or the time of the lock when others have used them up.
 * Each attempt is counted once, however many fail at the same time. The last one locks the account for `lock_seconds`; a
 * count without a failure for as long starts again.
 */
export async function countFailure(
  database: Database,
  tenant: Tenant,
  account: string,
  now: number,
): Promise<LoginFailure> {
  for (;;) {
    const attempts = await findAttempts(database, tenant, account);
    const lock = remainingLock(attempts, tenant, now);
    if (lock > 0) return { secondsLocked: lock };
    const failures = attempts && attempts.expires_at > now ? attempts.failures + 1 : 1;
    if (await database.commit([recordFailure(tenant, account, attempts, failures, now)])) {
      return { attemptsLeft: Math.max(0, tenant.definition.login.max_attempts - failures) };
    }
  }
}

/** A condition of a statement, with its values: the account is not locked. */
function whileNotLocked(tenant: Tenant, account: string, now: number): Statement {
  const sql = `NOT EXISTS (SELECT 1 FROM login_attempts
    WHERE tenant = ? AND account = ? AND failures >= ? AND expires_at > ?)`;
  return { sql, values: [tenant.key, account, tenant.definition.login.max_attempts, now] };
}

/** Deletes the count of an account's failed logins. */
export function clearAttempts(tenant: Tenant, account: string): Statement {
  const sql = 'DELETE FROM login_attempts WHERE tenant = ? AND account = ?';
  return { sql, values: [tenant.key, account], optional: true };
}

async function findAttempts(
  database: Database,
  tenant: Tenant,
  account: string,
): Promise<Attempts | undefined> {
  const sql = 'SELECT failures, expires_at FROM login_attempts WHERE tenant = ? AND account = ?';
  const [attempts] = await database.query<Attempts>(sql, [tenant.key, account]);
  return attempts;
}

function remainingLock(attempts: Attempts | undefined, { definition }: Tenant, now: number): number {
  if (!attempts || attempts.failures < definition.login.max_attempts) return 0;
  return Math.max(0, Math.ceil((attempts.expires_at - now) / 1000));
}

/** Changes nothing when another failure was counted since `before` was read. */
function recordFailure(
  tenant: Tenant,
  account: string,
  before: Attempts | undefined,
  failures: number,
  now: number,
): Statement {
  const expiresAt = now + tenant.definition.login.lock_seconds * 1000;
  if (!before) {
    const sql = `INSERT INTO login_attempts (tenant, account, failures, expires_at) VALUES (?, ?, ?, ?)
      ON CONFLICT DO NOTHING`;
    return { sql, values: [tenant.key, account, failures, expiresAt], tenantLock: tenant.key };
  }
  const sql = `UPDATE login_attempts SET failures = ?, expires_at = ?
    WHERE tenant = ? AND account = ? AND failures = ? AND expires_at = ?`;
  const values = [failures, expiresAt, tenant.key, account, before.failures, before.expires_at];
  return { sql, values, tenantLock: tenant.key };
}

/** A login that is about to succeed. */
export interface Admission {
  /** The new stored form of the same password, when the old one was outdated. */
  stored?: string | undefined;
  /** Does it count as a login? One that only led to a change of password does not. */
  counts: boolean;
}

/**
 * Records a successful login; `updated_at` stays, since the user does not change. The statement has no effect when the
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
  const lastLogin = counts ? [now] : [];
  return {
    sql,
    values: [stored, ...lastLogin, tenant.key, row.seq, row.password, ...lock.values],
    tenantLock: tenant.key,
  };
}

/** Sets a new password; has no effect when another one was set meanwhile. */
export function setPassword(
  tenant: Tenant,
  row: UserRow,
  password: { stored: string; mustModify: boolean },
  now: number,
): Statement {
  const sql = `UPDATE users SET password = ?, pwd_must_modify = ?, pwd_change_at = ?, updated_at = ?,
    changed = ${nextChange} WHERE tenant = ? AND seq = ? AND password IS NOT DISTINCT FROM ?`;
  const values = [password.stored, password.mustModify ? 1 : 0, now, now, tenant.key];
  return { sql, values: [...values, tenant.key, row.seq, row.password], tenantLock: tenant.key };
}
