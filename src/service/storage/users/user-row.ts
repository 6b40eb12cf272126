import { formatTime } from '../../../contract/time.ts';
import type { AttributeValues } from '../../../contract/wire.ts';

/** Content of `profile`: values that the service only stores and shows, by wire name. */
export type StoredProfile = AttributeValues & { user_name: string; extension?: Record<string, string> };

/** A row of `users`; times in epoch milliseconds, booleans 0 or 1. */
export interface UserRow {
  seq: number;
  user_id: string;
  user_name_key: string;
  email_key: string | null;
  mobile_key: string | null;
  external_id: string | null;
  /** JSON of a `StoredProfile`. */
  profile: string;
  password: string | null;
  pwd_must_modify: number;
  pwd_change_at: number | null;
  created_at: number;
  updated_at: number;
  disabled: number;
  usr_auth_times: number;
  usr_last_login: number | null;
  version: number;
}

/** Columns that a look-up or a page shows; never the password. */
export type ShownRow = Pick<
  UserRow,
  | 'user_id'
  | 'profile'
  | 'pwd_change_at'
  | 'created_at'
  | 'updated_at'
  | 'disabled'
  | 'usr_auth_times'
  | 'usr_last_login'
>;

/** A `ShownRow` as one text: fetching a column takes longer than finding the row. The profile is last and begins with `{`. */
export interface ShownText {
  shown: string;
}

const shownText = (
  profile: string,
) => `user_id || ',' || created_at || ',' || updated_at || ',' || disabled || ',' || usr_auth_times
  || ',' || coalesce(pwd_change_at || '', '') || ',' || coalesce(usr_last_login || '', '') || ',' || ${profile} AS shown`;

/** SELECT expression for the column of a `ShownText`. */
export const shownColumn = shownText('profile');

/** Bytes from which a profile is large: with a picture it can have megabytes. */
const large = 64 * 1024;

/** SELECT expression for the profiles of several users: large ones are left out, so that each can be read by itself. */
export const smallProfile = `CASE WHEN octet_length(profile) < ${large} THEN profile ELSE '{' END`;

/** `shownColumn` for a page, which has up to 100 users. */
export const shownOnPage = shownText(smallProfile);

/** True if the profile was left out, because it is large. */
export function isLeftOut({ profile }: Pick<UserRow, 'profile'>): boolean {
  return profile === '{';
}

/** Parses what `shownColumn` or `shownOnPage` selects. */
export function readShown({ shown }: ShownText): ShownRow {
  const start = shown.indexOf('{');
  const [user_id = '', created, updated, disabled, logins, changed, lastLogin] = shown
    .slice(0, start)
    .split(',');
  return {
    user_id,
    profile: shown.slice(start),
    pwd_change_at: changed ? Number(changed) : null,
    created_at: Number(created),
    updated_at: Number(updated),
    disabled: Number(disabled),
    usr_auth_times: Number(logins),
    usr_last_login: lastLogin ? Number(lastLogin) : null,
  };
}

/**
 * Returns the JSON of a user as the API shows it (§2.2, decision 23): absent attributes are left out, the password never appears.
 * The stored JSON of the profile is inserted unchanged, because parsing and serializing it would take longer than all the rest. The
 * other values need no escaping.
 */
export function userJson(row: ShownRow, timeZone: string): string {
  const time = (name: 'pwd_change_at' | 'created_at' | 'updated_at' | 'usr_last_login') => {
    const value = row[name];
    return value === null ? '' : `,"${name}":"${formatTime(value, timeZone)}"`;
  };
  return (
    `{"user_id":"${row.user_id}",${row.profile.slice(1, -1)}` +
    `${time('pwd_change_at')}${time('created_at')}${time('updated_at')}` +
    `,"disabled":${row.disabled === 1},"usr_auth_times":"${row.usr_auth_times}"${time('usr_last_login')}}`
  );
}
