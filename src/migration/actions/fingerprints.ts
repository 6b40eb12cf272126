import { hash, randomBytes } from 'node:crypto';
import { attributeNames } from '../../contract/attributes.ts';
import type { HashedUser, User } from '../../contract/wire.ts';
import { rowKey } from './keys.ts';

/** What is known of the values of a row without them. */
export interface ValueFingerprints {
  /** Of its values. */
  values: string;
  /** Of its hash. */
  hash?: string;
}

/** What is known of a row without its values. */
export interface RowFingerprint extends ValueFingerprints {
  /** Of its first key. */
  key?: string;
}

/** Tells values apart without holding them: who does not have the key learns nothing from a fingerprint. */
export interface Fingerprints {
  /** Of a user, as far as a change could have changed them. `withLogins`: a login counts as one. */
  ofUser(user: User, withLogins?: boolean): string;
  /** Of the first key of a row: see `rowKey`. */
  ofKey(key: string): string;
  ofValues(row: HashedUser, isDisabled?: boolean): ValueFingerprints;
  ofRow(row: HashedUser, isDisabled?: boolean): RowFingerprint;
}

/** Characters of a fingerprint: 96 bits. */
export const fingerprintLength = 16;

/** A new key, as text. */
export function newFingerprintKey(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The fingerprint of a text of some kind. Of a digest less than half is kept, so it cannot be continued, and the key may stand
 * before the text; an HMAC would take four times as long.
 */
export function fingerprint(key: string, kind: string, text: string): string {
  return hash('sha256', `${key}\n${kind}\n${text}`, 'base64url').slice(0, fingerprintLength);
}

/** Makes fingerprints under a key. */
export function createFingerprints(key: string): Fingerprints {
  const of = (kind: string, text: string) => fingerprint(key, kind, text);
  const ofKey = (first: string) => of('key', first);

  function ofValues(row: HashedUser, isDisabled = false): ValueFingerprints {
    const values = of('values', textOf(row, isDisabled));
    const password = row['hash-pwd'];
    if (!password) return { values };
    const { algorithm, value, key: hmacKey = '' } = password;
    const hash = of('hash', `${rowKey(row)}\n${algorithm}\n${value.length}\n${value}${hmacKey}`);
    return { values, hash };
  }

  return {
    ofUser: (user, withLogins = false) =>
      withLogins
        ? of('used', JSON.stringify([userState(user), user.usr_auth_times, user.usr_last_login ?? '']))
        : of('user', userState(user)),
    ofKey,
    ofValues,
    ofRow(row, isDisabled) {
      const first = rowKey(row);
      return { ...ofValues(row, isDisabled), ...(first === undefined ? {} : { key: ofKey(first) }) };
    },
  };
}

/** The values of a row as one text, in a fixed order. */
function textOf(row: HashedUser, isDisabled: boolean): string {
  const { extension, pwd_must_modify: mustModify } = row;
  const own = extension === undefined ? [] : Object.entries(extension).sort(byName);
  return JSON.stringify([mustModify, isDisabled, attributeNames.map((name) => row[name]), own]);
}

/**
 * A user as one text: everything that a change could have changed, and nothing that a login changes. Two texts are equal
 * where two answers show the same user in the same state.
 */
export function userState(user: User): string {
  const extension = Object.entries(user.extension ?? {}).sort(byName);
  return JSON.stringify([
    user.user_id,
    user.disabled,
    attributeNames.map((name) => user[name] ?? ''),
    extension.filter(([, value]) => value !== ''),
  ]);
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}
