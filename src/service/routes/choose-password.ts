import { apiError } from '../errors/api-error.ts';
import { checkPasswordPolicy } from '../passwords/policy/check-password.ts';
import { hashPassword, matchesStored } from '../passwords/stored-password.ts';
import { findUsedPasswords } from '../storage/access/password-history.ts';
import type { Database } from '../storage/engine/database.ts';
import type { StoredProfile, UserRow } from '../storage/users/user-row.ts';
import type { Tenant } from '../tenant/definition.ts';

/**
 * The stored form of a user's new password. Throws the refusals of `checkPassword`, then `passwordUsedBefore`
 * (decision 36).
 */
export async function choosePassword(
  database: Database,
  tenant: Tenant,
  row: UserRow,
  password: string,
): Promise<string> {
  await checkPasswordPolicy(password, JSON.parse(row.profile) as StoredProfile, tenant.definition);
  await refuseUsedPassword(password, await findUsedPasswords(database, tenant, row));
  return hashPassword(password);
}

/** Throws `passwordUsedBefore` when a new password is one of those that are stored, in whatever scheme (§7.3). */
async function refuseUsedPassword(password: string, used: readonly string[]): Promise<void> {
  for (const stored of used) {
    if (await matchesStored(stored, password)) throw apiError('passwordUsedBefore');
  }
}
