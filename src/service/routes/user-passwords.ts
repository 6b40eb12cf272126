import type { ServiceContext } from '../context/context.ts';
import { apiError } from '../errors/api-error.ts';
import type { Comparison } from '../passwords/passwords.ts';
import { checkPasswordPolicy } from '../passwords/policy/check-password.ts';
import { countFailure, secondsLocked } from '../storage/access/login-attempts.ts';
import { findUsedPasswords } from '../storage/access/password-history.ts';
import type { StoredProfile, UserRow } from '../storage/users/user-row.ts';
import type { Tenant } from '../tenant/definition.ts';

/**
 * Verifies the password of an account, whose stored form is `null` for an unknown user. Throws `loginLocked` with the
 * seconds of the lock, or `loginRefused` with the attempts that are left.
 */
export async function verifyPassword(
  { database, passwords, now }: ServiceContext,
  tenant: Tenant,
  account: string,
  stored: string | null,
  password: string,
): Promise<Comparison> {
  const locked = await secondsLocked(database, tenant, account, now());
  if (locked > 0) throw apiError('loginLocked', String(locked));
  const comparison = await passwords.compare(stored, password);
  if (comparison.matches) return comparison;
  const failure = await countFailure(database, tenant, account, now());
  throw 'secondsLocked' in failure
    ? apiError('loginLocked', String(failure.secondsLocked))
    : apiError('loginRefused', String(failure.attemptsLeft));
}

/** Hashes a user's new password. Throws the errors of `checkPasswordPolicy`, then `passwordUsedBefore` (decision 36). */
export async function choosePassword(
  { database, passwords }: ServiceContext,
  tenant: Tenant,
  row: UserRow,
  password: string,
): Promise<string> {
  await checkPasswordPolicy(password, JSON.parse(row.profile) as StoredProfile, tenant.definition);
  for (const used of await findUsedPasswords(database, tenant, row)) {
    if (await passwords.matches(used, password)) throw apiError('passwordUsedBefore');
  }
  return passwords.hash(password);
}
