import {
  defaultAreaCode,
  foldCase,
  type MobileNumber,
  normalForm,
  parseMobile,
  uniqueAttributes,
} from '../../contract/normal-forms.ts';
import type { HashedUser } from '../../contract/wire.ts';

/** Fields by which a user can be looked up. */
export const keyFields = [...uniqueAttributes, 'external_id'] as const;

export type KeyField = (typeof keyFields)[number];

/** True if the row has a key that two users cannot share, so that sending it again cannot create a second user. */
export function hasUniqueKey(row: HashedUser): boolean {
  return uniqueAttributes.some((field) => row[field] !== undefined);
}

/** Returns the first key of a row, which identifies it in a corrected file, where rows have other numbers; `undefined` if none. */
export function rowKey(row: HashedUser): string | undefined {
  for (const field of keyFields) {
    const value = row[field];
    if (value !== undefined) return `${field}=${field === 'external_id' ? value : foldCase(value)}`;
  }
  return undefined;
}

/** Returns the look-up of a `rowKey`. */
export function queryOfKey(key: string): KeyQuery {
  const field = keyFields.find((name) => key.startsWith(`${name}=`)) ?? 'external_id';
  return { field, key: field, value: key.slice(field.length + 1) };
}

/** A look-up in the tenant: which user has `value` as `key`? The answer concerns `field` of the row. */
export interface KeyQuery {
  field: KeyField;
  key: KeyField;
  value: string;
}

/**
 * Returns the look-ups that find the owners of a row's keys. The external ID is looked up only if the row has no other key, or if
 * `by` says that it tells people apart: several users may share one.
 */
export function keyQueries(row: HashedUser, by?: KeyField): KeyQuery[] {
  const fields = hasUniqueKey(row) && by !== 'external_id' ? uniqueAttributes : keyFields;
  return fields.flatMap((field) => {
    const value = row[field];
    return value === undefined ? [] : [{ field, key: field, value }];
  });
}

/**
 * Returns further look-ups, since a login name must mean one person (decision 17): a user name is taken if another user has it as
 * e-mail address or mobile number, and vice versa. Look-ups that `keyQueries` makes are left out.
 */
export function loginNameQueries(row: HashedUser): KeyQuery[] {
  const { user_name: name, email, mobile } = row;
  const queries: KeyQuery[] = [];
  const add = (field: KeyField, key: KeyField, value: string) => {
    const asked = row[key];
    if (asked !== undefined && normalForm(key, asked) === normalForm(key, value)) return;
    queries.push({ field, key, value });
  };
  if (name?.includes('@')) add('user_name', 'email', name);
  if (name !== undefined && parseMobile(name)) add('user_name', 'mobile', name);
  if (email !== undefined) add('email', 'user_name', email);
  const parsed = mobile === undefined ? undefined : parseMobile(mobile);
  for (const one of parsed ? formsOfMobile(parsed) : []) add('mobile', 'user_name', one);
  return queries;
}

/** Returns the forms in which a mobile number can be written; without an area code, the usual one is assumed. */
export function formsOfMobile({ area = defaultAreaCode, number }: MobileNumber): string[] {
  const forms = [`${area}-${number}`, `+${area}-${number}`];
  return area === defaultAreaCode ? [...forms, number] : forms;
}
