import { normalForm, parseMobile } from '../../contract/normal-forms.ts';
import type { HashedUser, User } from '../../contract/wire.ts';
import { differencesOf, identityFields, isUpdatable, type RowField } from './differences.ts';
import { type KeyField, keyFields } from './keys.ts';
import {
  type ActionKind,
  type ChangingKind,
  changingKinds,
  type KeptField,
  keptReasons,
  type ReasonCode,
  reasons,
} from './reasons.ts';

/** A user in the tenant who has at least one key of a row. */
export interface KeyOwner {
  userId: string;
  keys: readonly KeyField[];
  disabled: boolean;
}

/** What is to be done for a row, and why. Contains no values of the row or of a user. */
export interface RowAction {
  kind: ActionKind;
  reason: ReasonCode;
  /** ID of the user who is the person of the row, if it is known who that is. */
  userId?: string;
  /** Fields to change if this is an update, otherwise the fields that differ. */
  fields: readonly RowField[];
  /** Differing fields that the API cannot change; also what is not as in the file of an earlier job, such as the hash. */
  unchangeable: readonly (RowField | KeptField)[];
  /** Every user who has a key of the row. */
  owners: readonly KeyOwner[];
}

/** The users who have the keys of a row, by the field of the row. Several users can share an external ID. */
export type OwnersByKey = ReadonlyMap<KeyField, readonly User[]>;

export interface DecisionOptions {
  /**
   * How the person of a row is identified. `identity`: only one user has keys of the row, and every key and the name match.
   * `anyKey`: only one user has keys of the row. A field: only one user has keys of the row, including this one.
   */
  by?: 'identity' | 'anyKey' | KeyField | undefined;
  /** True for fields to be updated where they differ; without it, nothing is updated. */
  update?: ((field: RowField) => boolean) | undefined;
  /** The file says that the user may not log in. */
  isDisabled?: boolean | undefined;
  /** The only kind of change that is made. */
  only?: ChangingKind | undefined;
  /** The person of every row is disabled, whatever else the row says. */
  disableAll?: boolean | undefined;
}

/** Decides what is to be done for a valid row, given the users who have its keys. */
export function decide(row: HashedUser, owners: OwnersByKey, options: DecisionOptions = {}): RowAction {
  const { only, disableAll = false } = options;
  const isDisabled = disableAll || options.isDisabled === true;
  const action = decideAny(row, owners, { ...options, isDisabled });
  const { kind, reason: _, ...rest } = action;
  if (disableAll && kind === 'same') return actionOf('IS_DISABLED', rest);
  if (only === undefined || kind === only || !changingKinds.some((one) => one === kind)) return action;
  return actionOf(kind === 'create' ? 'UNKNOWN_USER' : 'OTHER_ACTION', rest);
}

function decideAny(row: HashedUser, owners: OwnersByKey, options: DecisionOptions): RowAction {
  const users = new Map([...owners.values()].flat().map((user) => [user.user_id, user]));
  const base = { fields: [], unchangeable: [], owners: [...users.values()].map(ownerOf) };
  if (users.size === 0) return actionOf(hasKey(row) ? 'NOBODY' : 'NO_KEY', base);
  const owns = (user: User, key: KeyField) =>
    owners.get(key)?.some(({ user_id }) => user_id === user.user_id) === true && hasAs(key, row, user);
  const ownsMobile = (user: User) => owns(user, 'mobile');
  const { by = 'identity' } = options;
  const person = personOf(by, [...users.values()], owns);
  if (!person) {
    const fields = [...users.values()].flatMap((user) =>
      differencesOf(row, user, ownsMobile(user), identityFields),
    );
    return actionOf(users.size > 1 ? 'SEVERAL_USERS' : 'OTHER_PERSON', {
      ...base,
      fields: [...new Set(fields)],
    });
  }
  const identity = differencesOf(row, person, ownsMobile(person), identityFields);
  if (by === 'identity' && identity.length > 0) {
    return actionOf('OTHER_PERSON', { ...base, fields: identity });
  }
  const fields = differencesOf(row, person, ownsMobile(person));
  const found = { ...base, fields, userId: person.user_id };
  // Only a file that could also create users says that they are enabled.
  const isWanted = !options.isDisabled && (options.only ?? 'create') === 'create';
  if (person.disabled && isWanted) return actionOf('ENABLE', found);
  if (options.isDisabled && !person.disabled) return actionOf('FILE_SAYS', found);
  if (fields.length === 0) return actionOf('EQUAL', found);
  const asked = options.update && options.only !== 'disable' ? fields.filter(options.update) : [];
  if (asked.length === 0) return actionOf('NOT_ASKED', found);
  const unchangeable = asked.filter((field) => !isUpdatable(field));
  const changed = asked.filter(isUpdatable);
  if (changed.length === 0) return actionOf('EXTERNAL_ID', { ...found, fields: asked, unchangeable });
  return actionOf('DIFFERS', { ...found, fields: changed, unchangeable });

  function ownerOf({ user_id: userId, disabled }: User): KeyOwner {
    const keys = keyFields.filter((field) => owners.get(field)?.some(({ user_id }) => user_id === userId));
    return { userId, keys, disabled };
  }
}

function actionOf(reason: ReasonCode, rest: Omit<RowAction, 'kind' | 'reason'>): RowAction {
  return { kind: reasons[reason].kind, reason, ...rest };
}

/** Returns the action for a row that has not changed since the file of an earlier job. */
export function unchanged(userId: string): RowAction {
  return actionOf('UNCHANGED', { userId, fields: [], unchangeable: [], owners: [] });
}

/** Returns the action for a row for which nothing is done, because what is known beside the identifiers contradicts them. */
export function inConflict(
  reason: 'KEY_CHANGED' | 'OTHER_NAMES' | 'OTHER_USER' | 'SEVERAL_ROWS',
  { fields, unchangeable, owners }: RowAction,
): RowAction {
  return actionOf(reason, { fields, unchangeable, owners });
}

/** Adapts an action to a row in which something has changed since the file of an earlier job that the API cannot change. */
export function withKept({ kind, reason, ...action }: RowAction, field: KeptField): RowAction {
  if (kind === 'same') return actionOf(keptReasons[field], action);
  const unchangeable = kind === 'update' ? [...action.unchangeable, field] : action.unchangeable;
  return actionOf(reason, { ...action, unchangeable });
}

function hasKey(row: HashedUser): boolean {
  return keyFields.some((field) => row[field] !== undefined);
}

/**
 * True if the user has the value of the row as this key. The owner of a key may have it as another login name instead. The area
 * code of a mobile number is not compared: only the tenant knows that of a number without one.
 */
export function hasAs(
  key: KeyField,
  { [key]: wanted = '' }: HashedUser,
  { [key]: held = '' }: User,
): boolean {
  const number = key === 'mobile' ? parseMobile(wanted)?.number : undefined;
  if (number !== undefined) return number === parseMobile(held)?.number;
  return normalForm(key, wanted) === normalForm(key, held);
}

/**
 * Returns the only user who has keys of the row; `undefined` if there are several, or if that user lacks the key `by`. Somebody who
 * has a value of the row only as another login name, such as the user name as a mobile number, may be anybody.
 */
function personOf(
  by: NonNullable<DecisionOptions['by']>,
  [only, ...others]: readonly User[],
  owns: (user: User, key: KeyField) => boolean,
): User | undefined {
  if (only === undefined || others.length > 0) return undefined;
  const keys = by === 'identity' || by === 'anyKey' ? keyFields : [by];
  return keys.some((key) => owns(only, key)) ? only : undefined;
}

/** Returns what failures.csv says about a row for which nothing can be done. */
export function describeObstacle({
  reason,
  owners,
  fields,
}: Pick<RowAction, 'reason' | 'owners' | 'fields'>) {
  const { text, remedy: hint } = reasons[reason];
  const message = owners.length > 0 ? `${text}; ${describeOwners({ owners, fields }, reason)}` : text;
  return { code: reason, message, hint };
}

/** Describes which user has which keys of a row, and which fields differ. Contains no values. `reason`: what is said already. */
export function describeOwners(
  { owners, fields }: Pick<RowAction, 'owners' | 'fields'>,
  reason?: ReasonCode,
): string {
  const held = owners.map(({ userId, keys }) => `${keys.join(' and ')} by ${userId}`).join(', ');
  const parts = [`held: ${held}`];
  if (fields.length > 0) parts.push(`different there: ${fields.join(', ')}`);
  const [first, ...others] = owners;
  if (first?.disabled && others.length === 0 && reason !== 'ENABLE') parts.push(reasons.ENABLE.text);
  return parts.join('; ');
}
