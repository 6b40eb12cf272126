import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/failures.ts';
import type { HashedUser, User } from '../../contract/wire.ts';

/** The look-ups of the API (§4.6 to §4.9). */
export type Finder = Pick<
  Client,
  'getUserByUserName' | 'getUserByEmail' | 'getUserByMobile' | 'getUserByExternalId'
>;

/** Keys that belong to one user of a tenant only. */
const uniqueKeys = ['user_name', 'email', 'mobile'] as const;

/** Keys of a user. */
export const keyFields = [...uniqueKeys, 'external_id'] as const;

export type KeyField = (typeof keyFields)[number];

const lookUps: Record<KeyField, (finder: Finder, value: string) => Promise<User>> = {
  user_name: (finder, value) => finder.getUserByUserName(value),
  email: (finder, value) => finder.getUserByEmail(value),
  mobile: (finder, value) => finder.getUserByMobile(value),
  external_id: (finder, value) => finder.getUserByExternalId(value),
};

/**
 * Who holds the keys of a row: by each key that the row has, the user found, if any. An external id is asked for only
 * where the row has no other key: several users may share one, so that it tells nothing against them. Rejects when a look-up gets no
 * answer, since nothing is known then; a key that the service refuses to look up is held by nobody.
 */
export async function findHolders(finder: Finder, row: HashedUser): Promise<Map<KeyField, User>> {
  const holders = new Map<KeyField, User>();
  for (const field of hasUniqueKey(row) ? uniqueKeys : keyFields) {
    const value = row[field];
    if (value === undefined) continue;
    try {
      holders.set(field, await lookUps[field](finder, value));
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.effect === 'unknown') throw failure;
    }
  }
  return holders;
}

/** True when the row has a key that two users cannot share, so that sending it again cannot make a second user. */
export function hasUniqueKey(row: HashedUser): boolean {
  return uniqueKeys.some((field) => row[field] !== undefined);
}

/**
 * By which a row is known again in a mended file, where rows have other numbers: its first key; `undefined` when it
 * has none.
 */
export function keyOf(row: HashedUser): string | undefined {
  const field = keyFields.find((name) => row[name] !== undefined);
  return field && `${field}=${field === 'external_id' ? row[field] : row[field]?.toLowerCase()}`;
}
