import type { Tenant } from '../../tenant/definition.ts';
import type { Database, Statement } from '../engine/database.ts';

interface Count {
  failures: number;
  expires_at: number;
}

/**
 * Accounts for which a login attempt is counted (decision 40). `person` decides whether a password is compared; what is shown
 * depends on the typed name, so that nobody learns whether two names belong to one person.
 */
export interface LoginAccounts {
  /** A user id, or the typed name if no user has it. */
  person: string;
  typed: string;
}

/** An attempt that was counted: the attempts left, and whether the password may be compared. */
export interface LoginAttempt {
  attemptsLeft: number;
  isPermitted: boolean;
}

/**
 * Counts a login attempt before the password is compared: however many arrive at the same time, only those within the limit are
 * permitted. A successful login gives its attempt back (`clearAttempts`). Each number is used once. The last attempt locks for
 * `lock_seconds`; after that long without an attempt, the count starts over. Resolves to the seconds of the lock if there is one.
 */
export async function countAttempt(
  database: Database,
  tenant: Tenant,
  { person, typed }: LoginAccounts,
  now: number,
): Promise<LoginAttempt | { secondsLocked: number }> {
  for (;;) {
    const counts = await findCounts(database, tenant, [person, typed]);
    const lock = remainingLock(counts.get(typed), tenant, now);
    if (lock > 0) return { secondsLocked: lock };
    const isPermitted = remainingLock(counts.get(person), tenant, now) === 0;
    const counted = isPermitted && person !== typed ? [typed, person] : [typed];
    const next = (account: string) => {
      const before = counts.get(account);
      return before && remainingTime(before, tenant, now) > 0 ? before.failures + 1 : 1;
    };
    const transaction = counted.map((one) => writeCount(tenant, one, counts.get(one), next(one), now));
    if (await database.commit(transaction)) {
      return { attemptsLeft: Math.max(0, tenant.definition.login.max_attempts - next(typed)), isPermitted };
    }
  }
}

/** Deletes the counts of accounts. */
export function clearAttempts(tenant: Tenant, accounts: readonly string[]): Statement {
  const places = accounts.map(() => '?').join(', ');
  const sql = `DELETE FROM login_attempts WHERE tenant = ? AND account IN (${places})`;
  return { sql, values: [tenant.key, ...accounts], optional: true };
}

/** Takes back an attempt for which no password was compared. */
export function uncountAttempt(
  tenant: Tenant,
  { person, typed }: LoginAccounts,
  { isPermitted }: LoginAttempt,
): Statement {
  const sql =
    'UPDATE login_attempts SET failures = failures - 1 WHERE tenant = ? AND account IN (?, ?) AND failures > 0';
  const values = [tenant.key, typed, isPermitted ? person : typed];
  return { sql, values, optional: true, tenantLock: tenant.key };
}

async function findCounts(
  database: Database,
  tenant: Tenant,
  [one, other]: [string, string],
): Promise<Map<string, Count>> {
  const sql =
    'SELECT account, failures, expires_at FROM login_attempts WHERE tenant = ? AND account IN (?, ?)';
  const rows = await database.query<Count & { account: string }>(sql, [tenant.key, one, other]);
  return new Map(rows.map((row) => [row.account, row]));
}

function remainingLock(count: Count | undefined, tenant: Tenant, now: number): number {
  if (!count || count.failures < tenant.definition.login.max_attempts) return 0;
  return Math.ceil(remainingTime(count, tenant, now) / 1000);
}

/** Milliseconds by which the clocks of nodes may differ. */
const tolerance = 300_000;

/** Milliseconds until a count ends; 0 if it has ended, or was written by a clock that was ahead: it would last until that time. */
function remainingTime(count: Count, { definition }: Tenant, now: number): number {
  const left = count.expires_at - now;
  return left > definition.login.lock_seconds * 1000 + tolerance ? 0 : Math.max(0, left);
}

/** Changes nothing if another attempt was counted since `before` was read. */
function writeCount(
  tenant: Tenant,
  account: string,
  before: Count | undefined,
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
