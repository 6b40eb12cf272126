import type { Calls } from '../../client/calls.ts';
import { ApiError } from '../../client/errors.ts';
import { type ErrorEntry, errorCatalogue } from '../../contract/errors.ts';
import type { User } from '../../contract/wire.ts';
import { decide, describeOwners } from '../actions/decide.ts';
import { type KeyField, type KeyQuery, keyQueries, loginNameQueries } from '../actions/keys.ts';
import { reasons } from '../actions/reasons.ts';
import type { NotCreated } from '../model/outcome.ts';
import type { ValidRow } from '../rows/validate-rows.ts';
import { callApi, type RunControl } from './call-api.ts';

/** The look-ups of the API (§4.6 to §4.9). */
const lookUps = {
  user_name: 'getUserByUserName',
  email: 'getUserByEmail',
  mobile: 'getUserByMobile',
  external_id: 'getUserByExternalId',
} as const satisfies Record<KeyField, keyof Calls>;

export type UserFinder = Pick<Calls, (typeof lookUps)[KeyField]>;

type LookUp = keyof UserFinder | 'getUser';

export function lookUpUser(
  finder: UserFinder,
  { key, value }: Pick<KeyQuery, 'key' | 'value'>,
): Promise<User> {
  return finder[lookUps[key]](value);
}

/**
 * True if the API error of a look-up says that there is no such user: it is one that the API lists for this look-up. Any other,
 * such as a missing permission or endpoint, says nothing about the user.
 */
export function saysNobody(lookUp: LookUp, { code }: ApiError): boolean {
  const entries: readonly ErrorEntry[] = Object.values(errorCatalogue);
  return entries.some((entry) => entry.code === code && entry.on.includes(lookUp));
}

/** Returns the user whom a look-up found; `undefined` if it says that there is nobody. Rejects with any other failure. */
export function userOrNobody(lookUp: LookUp, found: Promise<User>): Promise<User | undefined> {
  return found.catch((failure: unknown) => {
    if (failure instanceof ApiError && saysNobody(lookUp, failure)) return undefined;
    throw failure;
  });
}

/** True if the API answers a look-up, be it that there is no such user: then it accepts the client's token. */
export async function acceptsToken(client: Pick<Calls, 'getUser'>): Promise<boolean> {
  try {
    await client.getUser('nobody');
    return true;
  } catch (failure) {
    return failure instanceof ApiError && failure.effect === 'none';
  }
}

/** Result of the look-ups of a row. `unanswered`: one of them did not say whose the key is, so nothing is known. */
export type Search =
  | { kind: 'found'; owners: Map<KeyField, User[]> }
  | { kind: 'unanswered'; error: unknown }
  | { kind: 'stopped' };

/** The user who is the person of a row. `isDifferent`: other fields are not as the row says. */
export interface FoundPerson {
  kind: 'same';
  user: User;
  isDifferent: boolean;
}

/** Makes the look-ups one after the other. */
export async function lookUpOwners(
  finder: UserFinder,
  queries: readonly KeyQuery[],
  control: RunControl,
): Promise<Search> {
  const owners = new Map<KeyField, User[]>();
  for (const query of queries) {
    const { field, key } = query;
    const result = await callApi(control, 'repeatable', () => lookUpUser(finder, query));
    if (result.kind === 'answered') owners.set(field, [...(owners.get(field) ?? []), result.answer]);
    else if (result.kind === 'stopped') return result;
    else if (result.kind !== 'refused' || !saysNobody(lookUps[key], result.error))
      return { kind: 'unanswered', error: result.error };
  }
  return { kind: 'found', owners };
}

/**
 * Finds out what "already exists" means for a row: the `same` person; or a `conflict` with anybody else, which names the fields
 * that differ and the owner of each key, but no values; or `undefined` if no user has a key of the row. `code`, `hint`: those of a
 * conflict, taken from the API error of the row if there was one; for a user who is disabled there is other advice. `isTaken`: the
 * API said that a key is taken, perhaps by a user who has it as another key.
 */
export async function compareWithOwners(
  finder: UserFinder,
  { user: row, isDisabled }: Pick<ValidRow, 'user' | 'isDisabled'>,
  control: RunControl,
  { code, hint, isTaken }: { code: string; hint: string; isTaken: boolean },
): Promise<FoundPerson | NotCreated | Exclude<Search, { kind: 'found' }> | undefined> {
  let search = await lookUpOwners(finder, keyQueries(row), control);
  if (search.kind === 'found' && search.owners.size === 0 && isTaken) {
    search = await lookUpOwners(finder, loginNameQueries(row), control);
  }
  if (search.kind !== 'found') return search;
  const action = decide(row, search.owners, { isDisabled });
  if (action.kind === 'create') return undefined;
  const user = [...search.owners.values()].flat().find(({ user_id: id }) => id === action.userId);
  if ((action.kind === 'same' || action.kind === 'disable') && user)
    return { kind: 'same', user, isDifferent: action.fields.length > 0 };
  const owners = action.owners.map(({ userId }) => userId);
  const remedy = action.reason === 'ENABLE' ? reasons.ENABLE.remedy : hint;
  return { result: 'conflict', code, message: describeOwners(action), hint: remedy, owners };
}

/** Returns the fields of an outcome for a user who was found, and who may be disabled already if the file says so. */
export function foundUser<Result extends 'created' | 'existing'>(
  result: Result,
  { user, isDifferent }: FoundPerson,
) {
  return {
    ...{ result, userId: user.user_id },
    ...(user.disabled ? { isDisabled: true as const } : {}),
    ...(isDifferent ? { isDifferent: true as const } : {}),
  };
}
