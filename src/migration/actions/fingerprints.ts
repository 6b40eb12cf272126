import { hash, randomBytes } from 'node:crypto';
import { attributeNames } from '../../contract/attributes.ts';
import type { HashedUser, User } from '../../contract/wire.ts';
import { rowKey } from './keys.ts';

/** What is known of a row without its values. */
export interface RowFingerprint {
  /** Of its first key. */
  key?: string;
  /** Of its values. */
  values: string;
  /** Of its hash. */
  hash?: string;
}

/** Tells values apart without holding them: who does not have the key learns nothing from a fingerprint. */
export interface Fingerprints {
  /** Of a user, as far as a change could have changed them. `withLogins`: a login counts as one. */
  ofUser(user: User, withLogins?: boolean): string;
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
  return {
    ofUser: (user, withLogins = false) =>
      withLogins
        ? of('used', JSON.stringify([userState(user), user.usr_auth_times, user.usr_last_login ?? '']))
        : of('user', userState(user)),
    ofRow(row, isDisabled = false) {
      const first = rowKey(row);
      const password = row['hash-pwd'];
      const fingerprint: RowFingerprint = { values: of('values', textOf(row, isDisabled)) };
      if (first !== undefined) fingerprint.key = of('key', first);
      if (password) {
        const { algorithm, value, key: hmacKey = '' } = password;
        fingerprint.hash = of('hash', `${first}\n${algorithm}\n${value.length}\n${value}${hmacKey}`);
      }
      return fingerprint;
    },
  };
}

/** The values of a row as one text, in a fixed order; each with its length, so that none runs into the next. */
function textOf(row: HashedUser, isDisabled: boolean): string {
  const { extension = {}, pwd_must_modify: mustModify } = row;
  let text = `${mustModify} ${isDisabled}`;
  for (const name of attributeNames) {
    const value = row[name];
    if (value !== undefined) text += ` ${name} ${value.length} ${value}`;
  }
  for (const key of Object.keys(extension).sort()) {
    const value = extension[key] ?? '';
    text += ` extension.${key} ${value.length} ${value}`;
  }
  return text;
}

/**
 * A user as one text: everything that a change could have changed, and nothing that a login changes. Two texts are equal
 * where two answers show the same user in the same state.
 */
export function userState(user: User): string {
  const extension = Object.entries(user.extension ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([
    user.user_id,
    user.disabled,
    attributeNames.map((name) => user[name] ?? ''),
    extension.filter(([, value]) => value !== ''),
  ]);
}
