import type { Tenant } from '../../tenant/definition.ts';
import type { Database, Statement } from '../engine/database.ts';
import {
  claimExtension,
  findTaken,
  makeUniqueKeys,
  type UniqueKeys,
  uniqueExtensions,
  whileNamesDiffer,
} from './unique-keys.ts';
import { newUserId, newUserName } from './user-id.ts';
import { nextChange, type StoredProfile } from './user-row.ts';
import type { NewValues, Rejection } from './user-values.ts';

const inserts = new Map<string, string>();

/**
 * The text that inserts a user while a condition holds, and nothing otherwise: it counts no users then, and the number 1 is
 * taken. An `INSERT ... SELECT ... WHERE` takes half as long again, since SQLite stores what it selects before it inserts it.
 * Texts are kept: to find a prepared statement by a new text, all of it is read.
 */
function insertWhile(condition: string): string {
  const kept = inserts.get(condition);
  if (kept !== undefined) return kept;
  const text = `INSERT INTO users (tenant, seq, user_id, user_name_key, email_key, mobile_key, external_id, profile,
    password, pwd_must_modify, pwd_change_at, created_at, updated_at, disabled, usr_auth_times, usr_last_login, version,
    changed) VALUES (?, (SELECT coalesce(max(seq), 0) + 1 FROM users WHERE tenant = ?${condition}),
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, NULL, 1, ${nextChange}) ON CONFLICT DO NOTHING`;
  inserts.set(condition, text);
  return text;
}

/** A user's password as it is stored, and whether the next login must change it. */
export interface NewPassword {
  stored: string | null;
  mustModify: boolean;
}

/**
 * Adds a user, and resolves to the new user id once it is on disk. The unique indexes decide who wins a race; the loser
 * gets `userNameTaken`, `mobileTaken`, `emailTaken` or `extensionTaken`, in this order (decisions 26, 27).
 */
export async function insertUser(
  database: Database,
  tenant: Tenant,
  checked: NewValues,
  password: NewPassword,
  now: number,
): Promise<{ userId: string } | { rejected: Rejection }> {
  for (;;) {
    const profile = newProfile(checked);
    const keys = makeUniqueKeys(profile, checked.mobileKey ?? null);
    const claims = uniqueExtensions(profile, tenant.definition);
    const userId = newUserId(now);
    const names = await whileNamesDiffer(database, tenant, keys, userId);
    const transaction: Statement[] = [
      {
        sql: insertWhile(names.sql),
        values: [
          tenant.key,
          tenant.key,
          ...names.values,
          ...newRow(tenant, userId, keys, profile, password, now),
        ],
        tenantLock: tenant.key,
      },
      ...claims.map((own) => claimExtension(tenant, own, userId)),
    ];
    if (await database.commit(transaction)) return { userId };
    const named = checked.attributes.user_name !== undefined;
    const rejected = await findTaken(database, tenant, named ? keys : { ...keys, user_name_key: '' }, claims);
    if (rejected) return { rejected };
    // No key of the caller is taken, so it was the generated id or name, and the next one will be free; or the names of
    // the tenant must be asked from now on.
  }
}

function newProfile({ attributes, extension }: NewValues): StoredProfile {
  const profile: StoredProfile = { user_name: attributes.user_name ?? newUserName(), ...attributes };
  if (Object.keys(extension).length > 0) profile.extension = extension;
  return profile;
}

function newRow(
  tenant: Tenant,
  userId: string,
  keys: UniqueKeys,
  profile: StoredProfile,
  password: NewPassword,
  now: number,
) {
  return [
    userId,
    keys.user_name_key,
    keys.email_key,
    keys.mobile_key,
    profile.external_id ?? null,
    JSON.stringify(profile),
    password.stored,
    password.mustModify ? 1 : 0,
    password.stored === null ? null : now,
    now,
    now,
    tenant.key,
  ];
}
