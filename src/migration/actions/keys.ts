import {
  defaultAreaCode,
  foldCase,
  normalForm,
  parseMobile,
  uniqueAttributes,
} from '../../contract/normal-forms.ts';
import type { HashedUser } from '../../contract/wire.ts';

/** Fields by which a user can be looked up. */
export const keyFields = [...uniqueAttributes, 'external_id'] as const;

export type KeyField = (typeof keyFields)[number];

/** True when the row has a key that two users cannot share, so that sending it again cannot make a second user. */
export function hasUniqueKey(row: HashedUser): boolean {
  return uniqueAttributes.some((field) => row[field] !== undefined);
}

/**
 * Recognises a row in a corrected file, where rows have other numbers, by its first key; `undefined` when it has none.
 */
export function rowKey(row: HashedUser): string | undefined {
  for (const field of keyFields) {
    const value = row[field];
    if (value !== undefined) return `${field}=${field === 'external_id' ? value : foldCase(value)}`;
  }
  return undefined;
}

/** A question to the tenant: who has this value as this key? The answer is about a field of the row. */
export interface KeyQuery {
  field: KeyField;
  key: KeyField;
  value: string;
}

/**
 * What to ask about a row to know who has its keys. An external id is asked for only where the row has no other key, or
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
 * What to ask besides, since a login name must mean one person (decision 17): a user name that another user has as e-mail
 * address or mobile number is taken, and the reverse. What `keyQueries` asks already is left out.
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
  if (parsed) {
    const { area = defaultAreaCode, number } = parsed;
    const names = [`${area}-${number}`, `+${area}-${number}`];
    if (area === defaultAreaCode) names.push(number);
    for (const one of names) add('mobile', 'user_name', one);
  }
  return queries;
}
