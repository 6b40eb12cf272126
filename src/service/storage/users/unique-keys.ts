import { foldCase } from '../../../contract/normal-forms.ts';
import { apiError } from '../../errors/api-error.ts';
import type { Tenant, TenantDefinition } from '../../tenant/definition.ts';
import { mobileKey } from '../../tenant/mobile-key.ts';
import type { Database, Statement } from '../engine/database.ts';
import type { StoredProfile, UserRow } from './user-row.ts';

/** The values of a user that no other user of the tenant may hold. */
export interface UniqueKeys {
  user_name_key: string;
  email_key: string | null;
  mobile_key: string | null;
}

/**
 * Reads the keys from a profile that has been checked. A mobile number that was stored under another definition keeps
 * its `storedMobileKey`: the rules of today might read it otherwise, or refuse it.
 */
export function uniqueKeysOf(
  profile: StoredProfile,
  definition: TenantDefinition,
  storedMobileKey?: string | null,
): UniqueKeys {
  const { mobile } = profile;
  return {
    user_name_key: foldCase(profile.user_name),
    email_key: profile.email === undefined ? null : foldCase(profile.email),
    mobile_key: storedMobileKey ?? (mobile === undefined ? null : mobileKey(mobile, definition)),
  };
}

/** An extension value of an attribute that the tenant marks unique. */
export interface UniqueExtension {
  key: string;
  value: string;
}

/** The unique extension values of a profile, in the order of the definition. */
export function uniqueExtensions(profile: StoredProfile, definition: TenantDefinition): UniqueExtension[] {
  const { extension } = profile;
  if (!extension) return [];
  const found: UniqueExtension[] = [];
  for (const [key, { unique }] of definition.extension) {
    const value = extension[key];
    if (unique && value !== undefined) found.push({ key, value });
  }
  return found;
}

/** Takes a unique extension value for a user, or changes nothing when another user has it. */
export function claimExtension(tenant: Tenant, { key, value }: UniqueExtension, userId: string): Statement {
  const sql =
    'INSERT INTO unique_extensions (tenant, attribute, value, user_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
  return { sql, values: [tenant.key, key, value, userId] };
}

/** Gives up a user's value of an extension attribute; a user of old, who shares it, may not hold it. */
export function releaseExtension(tenant: Tenant, { key, value }: UniqueExtension, userId: string): Statement {
  const sql =
    'DELETE FROM unique_extensions WHERE tenant = ? AND attribute = ? AND value = ? AND user_id = ?';
  return { sql, values: [tenant.key, key, value, userId], optional: true };
}

/** Throws the "already exists" refusal of the first key or claim that a user other than `self` holds (decision 26). */
export async function refuseTaken(
  database: Database,
  tenant: Tenant,
  keys: UniqueKeys,
  claims: readonly UniqueExtension[],
  self = '',
): Promise<void> {
  const holders = await database.query<Pick<UserRow, keyof UniqueKeys>>(
    `SELECT user_name_key, email_key, mobile_key FROM users
     WHERE tenant = ? AND user_id <> ? AND (user_name_key = ? OR email_key = ? OR mobile_key = ?)`,
    [tenant.key, self, keys.user_name_key, keys.email_key, keys.mobile_key],
  );
  const isHeld = (key: keyof UniqueKeys) =>
    keys[key] !== null && holders.some((row) => row[key] === keys[key]);
  if (isHeld('user_name_key')) throw apiError('userNameTaken');
  if (isHeld('mobile_key')) throw apiError('mobileTaken');
  if (isHeld('email_key')) throw apiError('emailTaken');
  for (const { key, value } of claims) {
    const sql =
      'SELECT user_id FROM unique_extensions WHERE tenant = ? AND attribute = ? AND value = ? AND user_id <> ?';
    const taken = await database.query(sql, [tenant.key, key, value, self]);
    if (taken.length > 0)
      throw apiError('extensionTaken', tenant.definition.extension.get(key)?.displayName ?? key);
  }
}
