import { randomBytes, randomUUID } from 'node:crypto';
import type { Tenant } from '../../tenant/definition.ts';
import type { ColumnType, Database, Statement, Value } from '../engine/database.ts';
import {
  claimExtension,
  ensureMark,
  makeUniqueKeys,
  otherWithName,
  rejectTaken,
  uniqueExtensions,
} from './unique-keys.ts';
import type { StoredProfile } from './user-row.ts';
import type { NewValues } from './user-values.ts';

/** The columns for which an insert has values; first the numbers, which the database adds. */
const columns = {
  seq: 'bigint',
  changed: 'bigint',
  tenant: 'bigint',
  user_id: 'text',
  user_name_key: 'text',
  email_key: 'text',
  mobile_key: 'text',
  external_id: 'text',
  profile: 'text',
  password: 'text',
  pwd_must_modify: 'bigint',
  pwd_change_at: 'bigint',
  created_at: 'bigint',
  updated_at: 'bigint',
} as const satisfies Record<string, ColumnType>;

type NewRow = Record<Exclude<keyof typeof columns, 'seq' | 'changed'>, Value>;

const names = Object.keys(columns);
const types = Object.values(columns);
const given = names.slice(2) as (keyof NewRow)[];

const insert = `INSERT INTO users (${names.join(', ')}, disabled, usr_auth_times, usr_last_login, version)
  VALUES (${names.map(() => '?').join(', ')}, 0, 0, NULL, 1) ON CONFLICT DO NOTHING`;

/** A user's password as stored, and whether the next login must change it. */
export interface NewPassword {
  stored: string | null;
  mustModify: boolean;
}

/**
 * Adds a user, and resolves to the new user id once it is on disk. The unique indexes decide who wins a race; for the loser it throws
 * `userNameTaken`, `mobileTaken`, `emailTaken` or `extensionTaken`, in this order (decisions 26, 27).
 */
export async function insertUser(
  database: Database,
  tenant: Tenant,
  checked: NewValues,
  { stored, mustModify }: NewPassword,
  now: number,
): Promise<string> {
  for (;;) {
    const profile = newProfile(checked);
    const keys = makeUniqueKeys(profile, checked.mobileKey ?? null);
    const claims = uniqueExtensions(profile, tenant.definition);
    const userId = newUserId(now);
    const row: NewRow = {
      tenant: tenant.key,
      user_id: userId,
      user_name_key: keys.user_name_key,
      email_key: keys.email_key,
      mobile_key: keys.mobile_key,
      external_id: profile.external_id ?? null,
      profile: JSON.stringify(profile),
      password: stored,
      pwd_must_modify: mustModify ? 1 : 0,
      pwd_change_at: stored === null ? null : now,
      created_at: now,
      updated_at: now,
    };
    await ensureMark(database, tenant, keys);
    const transaction: Statement[] = [
      {
        sql: insert,
        values: given.map((name) => row[name]),
        unless: otherWithName(tenant, keys, userId),
        tenantLock: tenant.key,
        numbers: 'user',
        types,
      },
      ...claims.map((own) => claimExtension(tenant, own, userId)),
    ];
    if (await database.commit(transaction)) return userId;
    const named = checked.attributes.user_name !== undefined;
    await rejectTaken(database, tenant, named ? keys : { ...keys, user_name_key: '' }, claims);
    // No key of the caller is taken. Either the generated id or name was, and the next one will be free; or the tenant now has
    // readable names, which the next try checks.
  }
}

function newProfile({ attributes, extension }: NewValues): StoredProfile {
  const profile: StoredProfile = { user_name: attributes.user_name ?? newUserName(), ...attributes };
  if (Object.keys(extension).length > 0) profile.extension = extension;
  return profile;
}

/** Creates a user id, `yyyyMMddHHmmssSSS-XXXX-XXXXXXXXX` (decision 6); the leading digits are the time in UTC. */
export function newUserId(time: number): string {
  if (time !== latest.time) latest = { time, digits: new Date(time).toISOString().replace(/\D/g, '') };
  // Fast, because Node draws the random bits of many UUIDs at once. Only random digits are taken, none that the format fixes.
  const uuid = randomUUID().toUpperCase();
  return `${latest.digits}-${uuid.slice(0, 4)}-${uuid.slice(4, 8)}${uuid.slice(24, 29)}`;
}

/** Cached, because an import creates many users within a millisecond. */
let latest = { time: Number.NaN, digits: '' };

/** Generates a user name for a user who is created without one (decision 22). */
export function newUserName(): string {
  const letters = Array.from(randomBytes(40)).filter((byte) => byte < 252);
  return `user_${letters
    .slice(0, 10)
    .map((byte) => (byte % 36).toString(36))
    .join('')}`;
}
