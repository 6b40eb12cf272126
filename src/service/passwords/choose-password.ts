import type { Database } from '../store/database.ts';
import { findUsedPasswords } from '../store/password-history.ts';
import type { Profile, UserRow } from '../store/user-row.ts';
import type { Tenant } from '../tenant/tenant.ts';
import { checkPassword } from './policy/check-password.ts';
import { refuseUsedPassword } from './refuse-used-password.ts';
import { hashPassword } from './stored-password.ts';

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
  await checkPassword(password, JSON.parse(row.profile) as Profile, tenant.definition);
  await refuseUsedPassword(password, await findUsedPasswords(database, tenant, row));
  return hashPassword(password);
}
