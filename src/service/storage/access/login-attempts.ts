import { type ApiErrorReply, apiError } from '../../errors/api-error.ts';
import type { Tenant } from '../../tenant/definition.ts';
import type { Database, Statement } from '../engine/database.ts';
import { nextChange, type UserRow } from '../users/user-row.ts';

interface Attempts {
  failures: number;
  expires_at: number;
}

/**
 * Throws `loginLocked` while an account is locked, with the seconds that are left. An account is a user or a name
 * that no user has (`findLogin`); a user's and a stranger's attempts are counted alike.
 */
export async function refuseLocked(
  database: Database,
  tenant: Tenant,
  account: string,
  now: number,
): Promise<void> {
  const attempts = await findAttempts(database, tenant, account);
  if (attempts && isLocked(attempts, tenant, now)) throw lockedRefusal(attempts, now);
}

/**
 * Counts a failed login: `loginRefused` with the attempts that are left, or `loginLocked` when others have used
 * them up. Each attempt is given out once, however many fail at the same time. The last one locks the account for
 * `lockSeconds`; a count that has been quiet for as long begins anew.
 */
export async function countFailure(
  database: Database,
  tenant: Tenant,
  account: string,
  now: number,
): Promise<ApiErrorReply> {
  for (;;) {
    const attempts = await findAttempts(database, tenant, account);
    if (attempts && isLocked(attempts, tenant, now)) return lockedRefusal(attempts, now);
    const failures = attempts && attempts.expires_at > now ? attempts.failures + 1 : 1;
    if (await database.commit([keepFailure(tenant, account, attempts, failures, now)])) {
      return apiError('loginRefused', String(Math.max(0, tenant.definition.login.maxAttempts - failures)));
    }
  }
}

/** A condition of a statement, with its values: the account is not locked. */
function whileNotLocked(tenant: Tenant, account: string, now: number): Statement {
  const sql = `NOT EXISTS (SELECT 1 FROM login_attempts
    WHERE tenant = ? AND account = ? AND failures >= ? AND expires_at > ?)`;
  return { sql, values: [tenant.key, account, tenant.definition.login.maxAttempts, now] };
}

/** Forgets the failed logins of an account. */
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

function isLocked({ failures, expires_at }: Attempts, { definition }: Tenant, now: number): boolean {
  return failures >= definition.login.maxAttempts && expires_at > now;
}

function lockedRefusal({ expires_at }: Attempts, now: number): ApiErrorReply {
  return apiError('loginLocked', String(Math.ceil((expires_at - now) / 1000)));
}

/** Changes nothing when another failure was counted since `before` was read. */
function keepFailure(
  tenant: Tenant,
  account: string,
  before: Attempts | undefined,
  failures: number,
  now: number,
): Statement {
  const expiresAt = now + tenant.definition.login.lockSeconds * 1000;
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
    tenantLock: tenant.key,
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
  return { sql, values: [...values, tenant.key, row.seq, row.password], tenantLock: tenant.key };
}
