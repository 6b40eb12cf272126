import { createHmac, randomBytes } from 'node:crypto';
import { attributeNames } from '../../contract/attributes.ts';
import type { HashedUser, User } from '../../contract/wire.ts';
import { rowKey } from '../actions/keys.ts';
import { userState } from '../owners/user-state.ts';

/** Tells values apart without holding them: who does not have the key learns nothing from a fingerprint. */
export interface Fingerprints {
  /** Of a user, as far as a change could have changed them. `withLogins`: a login counts as one. */
  ofUser(user: User, withLogins?: boolean): string;
  /** Of a row: of its first key, of its values, and of its hash. */
  ofRow(row: HashedUser): { key?: string; values: string; hash?: string };
}

/** A new key, as text. */
export function newFingerprintKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Makes fingerprints under a key. */
export function createFingerprints(key: string): Fingerprints {
  const of = (kind: string, text: string) =>
    createHmac('sha256', key).update(`${kind}\n${text}`).digest('base64url').slice(0, 22);
  return {
    ofUser: (user, withLogins = false) =>
      withLogins
        ? of('used', JSON.stringify([userState(user), user.usr_auth_times, user.usr_last_login ?? '']))
        : of('user', userState(user)),
    ofRow(row) {
      const first = rowKey(row);
      const { extension = {}, 'hash-pwd': password } = row;
      const values = JSON.stringify([
        attributeNames.map((name) => row[name] ?? ''),
        Object.entries(extension).sort(([one], [other]) => (one < other ? -1 : 1)),
        row.pwd_must_modify ?? null,
      ]);
      return {
        ...(first === undefined ? {} : { key: of('key', first) }),
        values: of('values', values),
        ...(password === undefined ? {} : { hash: of('hash', `${first}\n${JSON.stringify(password)}`) }),
      };
    },
  };
}
