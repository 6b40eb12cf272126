import { present } from '../../../text/present.ts';
import { apiError } from '../../errors/api-error.ts';
import type { Tenant } from '../../tenant/definition.ts';
import type { Database, Statement } from '../engine/database.ts';
import { findUser } from './find-users.ts';
import {
  claimExtension,
  ensureMark,
  makeUniqueKeys,
  otherWithName,
  rejectTaken,
  releaseExtension,
  type UniqueExtension,
  type UniqueKeys,
  uniqueExtensions,
} from './unique-keys.ts';
import type { StoredProfile, UserRow } from './user-row.ts';
import type { ChangedValues } from './user-values.ts';

/**
 * Changes the named attributes of a user (§4.10); extension attributes are merged by key (decision 25b). If another request changed
 * the user meanwhile, it starts over from the newer row. `updated_at` moves only on change. Throws `userNotFound` or an
 * "already exists" error.
 */
export async function updateUserRow(
  database: Database,
  tenant: Tenant,
  userId: string,
  changes: ChangedValues,
  now: number,
): Promise<void> {
  for (;;) {
    const row = await findUser(database, tenant, userId);
    if (!row) throw apiError('userNotFound');
    const before = JSON.parse(row.profile) as StoredProfile;
    const profile = merge(before, changes);
    const hasMobile = Object.hasOwn(changes.attributes, 'mobile');
    const keys = makeUniqueKeys(profile, hasMobile ? (changes.mobileKey ?? null) : row.mobile_key);
    if (JSON.stringify(profile) === row.profile && keys.mobile_key === row.mobile_key) return;
    const changed = changedKeys(keys, row);
    const claims = valuesOnlyIn(profile, before, tenant);
    // A claim of the new value can be left over from a change by a node whose definition did not have the rule yet.
    const released = [...valuesOnlyIn(before, profile, tenant), ...claims];
    const { user_name_key, email_key, mobile_key } = keys;
    const values = [JSON.stringify(profile), user_name_key, email_key, mobile_key, now];
    const isSame = Object.values(changed).every((key) => !key);
    await ensureMark(database, tenant, changed);
    const transaction: Statement[] = [
      {
        sql: changeRow,
        values: [...values, tenant.key, row.seq, row.version],
        ...(isSame ? {} : { unless: otherWithName(tenant, changed, userId) }),
        tenantLock: tenant.key,
        numbers: 'change',
      },
      ...released.map((own) => releaseExtension(tenant, own, userId)),
      ...claims.map((own) => claimExtension(tenant, own, userId)),
    ];
    if (await database.commit(transaction)) return;
    await rejectTaken(database, tenant, changed, claims, userId);
  }
}

const changeRow = `UPDATE users SET changed = ?, profile = ?, user_name_key = ?, email_key = ?, mobile_key = ?,
  updated_at = ?, version = version + 1 WHERE tenant = ? AND seq = ? AND version = ?`;

/** Disables a user (§4.11); disabling again changes nothing (decision 28). Throws `userNotFound`. */
export async function disableUserRow(
  database: Database,
  tenant: Tenant,
  userId: string,
  now: number,
): Promise<void> {
  const sql = `UPDATE users SET changed = ?, disabled = 1, updated_at = ?, version = version + 1
    WHERE tenant = ? AND user_id = ? AND disabled = 0`;
  const values = [now, tenant.key, userId];
  for (;;) {
    const disable: Statement = { sql, values, tenantLock: tenant.key, numbers: 'change' };
    if (await database.commit([disable, endGrants(tenant, userId)])) return;
    const row = await findUser(database, tenant, userId);
    if (!row) throw apiError('userNotFound');
    if (row.disabled === 1) return;
  }
}

/**
 * Returns the keys that differ from those of a row, and no text for the others. Only these are compared with the keys of other users:
 * a conflict that is already stored stays, and prevents no other change.
 */
function changedKeys(keys: UniqueKeys, row: UserRow): UniqueKeys {
  const { user_name_key, email_key, mobile_key } = keys;
  return {
    user_name_key: user_name_key === row.user_name_key ? '' : user_name_key,
    email_key: email_key === row.email_key ? null : email_key,
    mobile_key: mobile_key === row.mobile_key ? null : mobile_key,
  };
}

/** Returns the unique values that only the first profile has. Unchanged values are not touched, even if their user has no claim. */
function valuesOnlyIn(
  profile: StoredProfile,
  other: StoredProfile,
  { definition }: Tenant,
): UniqueExtension[] {
  return uniqueExtensions(profile, definition).filter(({ key, value }) => other.extension?.[key] !== value);
}

/** Keeps the order of the profile's keys, so that an unchanged profile is the same text. */
function merge(profile: StoredProfile, { attributes, extension }: ChangedValues): StoredProfile {
  const { extension: before, user_name, ...values } = profile;
  const extensions = present({ ...before, ...extension });
  return {
    user_name: attributes.user_name ?? user_name,
    ...present({ ...values, ...attributes }),
    ...(Object.keys(extensions).length > 0 ? { extension: extensions } : {}),
  };
}

/**
 * Returns the statement that ends every session, state and ticket of a user (decision 39), including those being created. It is here
 * because a disable needs it, and `access/` imports `users/`.
 */
export function endGrants(tenant: Tenant, userId: string): Statement {
  const sql = 'DELETE FROM grants WHERE tenant = ? AND user_id = ?';
  return { sql, values: [tenant.key, userId], optional: true, tenantLock: tenant.key };
}
