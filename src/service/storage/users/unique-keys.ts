import { foldCase, parseMobile } from '../../../contract/normal-forms.ts';
import { apiError } from '../../errors/api-error.ts';
import type { Tenant, TenantDefinition } from '../../tenant/definition.ts';
import { mobileKeyOf } from '../../tenant/mobile-key.ts';
import type { Database, Statement, StatementCondition, Value } from '../engine/database.ts';
import { findUser } from './find-users.ts';
import type { StoredProfile, UserRow } from './user-row.ts';

/** Values of a user that no other user of the tenant may have. */
export type UniqueKeys = Pick<UserRow, 'user_name_key' | 'email_key' | 'mobile_key'>;

/**
 * Makes the keys of a checked profile. The mobile key is passed in, because that of an unchanged number must not be made again: the
 * tenant's rules may have changed since it was stored.
 */
export function makeUniqueKeys(profile: StoredProfile, mobileKey: string | null): UniqueKeys {
  return {
    user_name_key: foldCase(profile.user_name),
    email_key: profile.email === undefined ? null : foldCase(profile.email),
    mobile_key: mobileKey,
  };
}

/**
 * Returns the keys under which a login could mistake a user for another one (decision 17): the user name as an e-mail address and as a
 * mobile number, and names that it could read as the user's; always the same number of them.
 */
function loginKeys({ user_name_key, email_key, mobile_key }: UniqueKeys, { definition }: Tenant) {
  const ownArea = `${definition.mobile.default_area_code}-`;
  return {
    asEmail: user_name_key.includes('@') ? user_name_key : null,
    asMobile: mobileKeyOf(user_name_key, definition),
    names: [
      email_key,
      mobile_key,
      mobile_key === null ? null : `+${mobile_key}`,
      mobile_key?.startsWith(ownArea) ? mobile_key.slice(ownArea.length) : null,
    ],
  };
}

/** True if a login could read a user name as an e-mail address or, by the rules of any tenant, as a mobile number. */
function isReadable(userNameKey: string): boolean {
  return userNameKey.includes('@') || parseMobile(userNameKey) !== undefined;
}

const other = (condition: string, shown = '1') =>
  `SELECT ${shown} FROM users WHERE tenant = ? AND user_id <> ? AND ${condition}`;
const byName = other('user_name_key IN (?, ?, ?, ?)');
const byAll = [byName, other('email_key = ?'), other('mobile_key = ?')].join(' UNION ALL ');
const byMark = 'SELECT 1 FROM readable_names WHERE tenant = ?';

/** Tenants known to have had a readable user name, which are remembered even if the name changes. */
const withReadableNames = new WeakSet<Tenant>();

/**
 * Stores, before a readable user name, the mark that its tenant has one. In most tenants no user name can be read as anything else, so
 * that an insert need only look for the mark.
 */
export function ensureMark(database: Database, tenant: Tenant, keys: UniqueKeys): Promise<void> | undefined {
  // Not an async function: a promise for each insert would be garbage that nearly no tenant needs.
  const isNeeded = !withReadableNames.has(tenant) && isReadable(keys.user_name_key);
  return isNeeded ? storeMark(database, tenant) : undefined;
}

async function storeMark(database: Database, tenant: Tenant): Promise<void> {
  const sql = 'INSERT INTO readable_names (tenant) VALUES (?) ON CONFLICT DO NOTHING';
  await database.commit([{ sql, values: [tenant.key], optional: true }]);
  withReadableNames.add(tenant);
}

/**
 * Returns the query for a user other than `self` with whom a login by the same name could be confused. `ensureMark` must have been called
 * for the keys.
 */
export function otherWithName(tenant: Tenant, keys: UniqueKeys, self: string): StatementCondition {
  // The mark and the first readable name are never in one batch, and whoever adds a readable name checks all other users.
  if (!withReadableNames.has(tenant)) return { sql: byMark, values: [tenant.key], isOfBatch: true };
  const { asEmail, asMobile, names } = loginKeys(keys, tenant);
  const others = [tenant.key, self];
  const values: Value[] = [...others, ...names];
  if (asEmail === null && asMobile === null) return { sql: byName, values };
  return { sql: byAll, values: [...values, ...others, asEmail, ...others, asMobile] };
}

/** Called if a statement had no effect although no key is taken: another node may have set the mark. */
async function learnMark(database: Database, tenant: Tenant): Promise<void> {
  const marked = await database.query(byMark, [tenant.key]);
  if (marked.length > 0) withReadableNames.add(tenant);
}

/** A value of a unique extension attribute. */
export interface UniqueExtension {
  key: string;
  value: string;
}

/** Returns the unique extension values of a profile, in the order of the definition. */
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

/** Returns the statement that claims a unique extension value for a user; it changes nothing if another user has the value. */
export function claimExtension(tenant: Tenant, { key, value }: UniqueExtension, userId: string): Statement {
  const sql =
    'INSERT INTO unique_extensions (tenant, attribute, value, user_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
  return { sql, values: [tenant.key, key, value, userId], types: claimTypes };
}

const claimTypes = ['bigint', 'text', 'text', 'text'] as const;

/** Returns the statement that releases a claim; a user who shared the value before it became unique has none. */
export function releaseExtension(tenant: Tenant, { key, value }: UniqueExtension, userId: string): Statement {
  const sql =
    'DELETE FROM unique_extensions WHERE tenant = ? AND attribute = ? AND value = ? AND user_id = ?';
  return { sql, values: [tenant.key, key, value, userId], optional: true };
}

/**
 * Releases the claim of a unique extension value if its user, other than `self`, has left the value through a node whose definition did
 * not have the rule yet, or is missing in a database that was restored in part. Returns the user of any other claim.
 */
export async function releaseStaleClaim(
  database: Database,
  tenant: Tenant,
  own: UniqueExtension,
  self: string,
): Promise<string | undefined> {
  const sql = 'SELECT user_id FROM unique_extensions WHERE tenant = ? AND attribute = ? AND value = ?';
  const [claim] = await database.query<{ user_id: string }>(sql, [tenant.key, own.key, own.value]);
  if (claim?.user_id === self) return self;
  if (!claim) return undefined;
  const row = await findUser(database, tenant, claim.user_id);
  const { extension } = row ? (JSON.parse(row.profile) as StoredProfile) : {};
  if (extension?.[own.key] === own.value) return claim.user_id;
  // The user may take the value back meanwhile.
  const changed = 'SELECT 1 FROM users WHERE tenant = ? AND user_id = ? AND version <> ?';
  const unless = { sql: changed, values: [tenant.key, claim.user_id, row?.version ?? 0] };
  const release = { ...releaseExtension(tenant, own, claim.user_id), unless, tenantLock: tenant.key };
  await database.commit([release]);
  return undefined;
}

/** Finds users with one of the keys. With OR instead of UNION ALL, SQLite would read all users of the tenant and use no index. */
const byEachKey = ['user_name_key IN (?, ?, ?, ?, ?)', 'email_key IN (?, ?)', 'mobile_key IN (?, ?)']
  .map((condition) => other(condition, 'user_name_key, email_key, mobile_key'))
  .join(' UNION ALL ');

/**
 * Throws the error for the first key or claim that a user other than `self` has, in the order of decision 26. If there is none, the
 * statement should be tried again.
 */
export async function rejectTaken(
  database: Database,
  tenant: Tenant,
  keys: UniqueKeys,
  claims: readonly UniqueExtension[],
  self = '',
): Promise<void> {
  const { asEmail, asMobile, names } = loginKeys(keys, tenant);
  const user = [tenant.key, self];
  const others = await database.query<UniqueKeys>(byEachKey, [
    ...[...user, keys.user_name_key, ...names],
    ...[...user, keys.email_key, asEmail],
    ...[...user, keys.mobile_key, asMobile],
  ]);
  const isTaken = (key: keyof UniqueKeys) =>
    keys[key] !== null && others.some((row) => row[key] === keys[key]);
  const isName = (name: string | null | undefined) =>
    name != null && others.some((row) => row.user_name_key === name);
  const isOther = others.some(
    ({ email_key, mobile_key }) =>
      (asEmail !== null && email_key === asEmail) || (asMobile !== null && mobile_key === asMobile),
  );
  const [asEmailName, ...asMobileNames] = names;
  if (isTaken('user_name_key') || isOther) throw apiError('userNameTaken');
  if (isTaken('mobile_key') || asMobileNames.some(isName)) throw apiError('mobileTaken');
  if (isTaken('email_key') || isName(asEmailName)) throw apiError('emailTaken');
  for (const own of claims) {
    const owner = await releaseStaleClaim(database, tenant, own, self);
    if (owner !== undefined && owner !== self)
      throw apiError('extensionTaken', tenant.definition.extension.get(own.key)?.display_name ?? own.key);
  }
  await learnMark(database, tenant);
}
