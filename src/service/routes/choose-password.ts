import { apiError } from '../errors/api-error.ts';
import { checkPasswordPolicy } from '../passwords/policy/check-password.ts';
import { hashPassword, matchesStored } from '../passwords/stored-password.ts';
import { findUsedPasswords } from '../storage/access/password-history.ts';
import type { Database } from '../storage/engine/database.ts';
import type { StoredProfile, UserRow } from '../storage/users/user-row.ts';
import type { Tenant } from '../tenant/definition.ts';

/**
 * Hashes a user's new password. Throws the errors of `checkPasswordPolicy`, then `passwordUsedBefore` (decision 36).
 */
export async function choosePassword(
  database: Database,
  tenant: Tenant,
  row: UserRow,
  password: string,
): Promise<string> {
  await checkPasswordPolicy(password, JSON.parse(row.profile) as StoredProfile, tenant.definition);
  await rejectUsedPassword(password, await findUsedPasswords(database, tenant, row));
  return hashPassword(password);
}

/** Throws `passwordUsedBefore` when the new password matches a stored one, whatever its scheme (§7.3). */
async function rejectUsedPassword(password: string, used: readonly string[]): Promise<void> {
  for (const stored of used) {
    if (await matchesStored(stored, password)) throw apiError('passwordUsedBefore');
  }
}
