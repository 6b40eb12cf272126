import type { Calls } from '../../client/calls.ts';
import type { AttributeName } from '../../contract/attributes.ts';
import { foldCase, normalForm, uniqueAttributes } from '../../contract/normal-forms.ts';
import type { HashedUser, User } from '../../contract/wire.ts';
import type { Existing, NotCreated } from '../model/outcome.ts';
import { callApi, type RunControl } from './call-api.ts';

/** The look-ups of the API (§4.6 to §4.9). */
export type UserFinder = Pick<
  Calls,
  'getUserByUserName' | 'getUserByEmail' | 'getUserByMobile' | 'getUserByExternalId'
>;

/** Keys of a user. */
export const keyFields = [...uniqueAttributes, 'external_id'] as const;

export type KeyField = (typeof keyFields)[number];

const lookUps: Record<KeyField, (finder: UserFinder, value: string) => Promise<User>> = {
  user_name: (finder, value) => finder.getUserByUserName(value),
  email: (finder, value) => finder.getUserByEmail(value),
  mobile: (finder, value) => finder.getUserByMobile(value),
  external_id: (finder, value) => finder.getUserByExternalId(value),
};

/** What the look-ups of a row came to. `unanswered`: one of them was not answered, so that nothing is known. */
export type Search =
  | { kind: 'found'; users: ReadonlyMap<KeyField, User> }
  | { kind: 'unanswered' }
  | { kind: 'stopped' };

/**
 * Finds the users that have a key of the row. An external id is asked for only where the row has no other key: several users
 * may share one, so that it does not tell them apart. A key that the service refuses to look up belongs to no user.
 */
export async function findExistingUsers(
  finder: UserFinder,
  row: HashedUser,
  control: RunControl,
): Promise<Search> {
  const users = new Map<KeyField, User>();
  for (const field of hasUniqueKey(row) ? uniqueAttributes : keyFields) {
    const value = row[field];
    if (value === undefined) continue;
    const result = await callApi(control, 'lookUp', () => lookUps[field](finder, value));
    if (result.kind === 'answered') users.set(field, result.answer);
    else if (result.kind === 'stopped') return result;
    else if (result.kind !== 'refused') return { kind: 'unanswered' };
  }
  return { kind: 'found', users };
}

/** True when the row has a key that two users cannot share, so that sending it again cannot make a second user. */
export function hasUniqueKey(row: HashedUser): boolean {
  return uniqueAttributes.some((field) => row[field] !== undefined);
}

/**
 * Recognises a row in a corrected file, where rows have other numbers, by its first key; `undefined` when it has none.
 */
export function rowKey(row: HashedUser): string | undefined {
  const field = keyFields.find((name) => row[name] !== undefined);
  return field && `${field}=${field === 'external_id' ? row[field] : foldCase(row[field] ?? '')}`;
}

/**
 * "Already exists" is a question: the same person is `existing`; anybody else a `conflict`, which names the fields that
 * differ and the user that has each key, and never a value. `undefined` when no user has a key of the row. `code`, `hint`:
 * those of the conflict, which is the API error of the row where there was one.
 */
export function matchExistingUsers(
  row: HashedUser,
  found: ReadonlyMap<KeyField, User>,
  { code, hint }: { code: string; hint: string },
): Existing | NotCreated | undefined {
  const users = new Map([...found.values()].map((user) => [user.user_id, user]));
  const [first] = users.values();
  if (first === undefined) return undefined;
  const byMobile = found.get('mobile')?.user_id;
  const differing = [
    ...new Set([...users.values()].flatMap((user) => differences(row, user, user.user_id === byMobile))),
  ];
  if (users.size === 1 && differing.length === 0 && !first.disabled) {
    return { result: 'existing', userId: first.user_id };
  }
  const held = [...users.keys()].map((id) => `${keysOf(found, id)} by ${id}`).join(', ');
  const parts = [`held: ${held}`];
  if (differing.length > 0) parts.push(`different there: ${differing.join(', ')}`);
  if (users.size === 1 && first.disabled) parts.push('the user is disabled, which the API cannot take back');
  return { result: 'conflict', code, message: parts.join('; '), hint };
}

function keysOf(found: ReadonlyMap<KeyField, User>, id: string): string {
  return [...found].flatMap(([field, user]) => (user.user_id === id ? [field] : [])).join(' and ');
}

/** Fields by which a user is the person of a row; other fields may have changed since. */
const identity = [
  'user_name',
  'email',
  'mobile',
  'external_id',
  'name',
] as const satisfies readonly AttributeName[];

type Field = (typeof identity)[number];

/**
 * The fields in which a found user is not the person of the row; a field that the row leaves empty is no difference.
 * `byMobile`: the user was found by the mobile number of the row, which says for sure that it is theirs.
 */
function differences(row: HashedUser, found: User, byMobile: boolean): Field[] {
  return identity.filter((field) => {
    const wanted = row[field];
    if (wanted === undefined || (field === 'mobile' && byMobile)) return false;
    // Only the tenant knows which area code a number without one has.
    return normalForm(field, wanted) !== normalForm(field, found[field] ?? '');
  });
}
