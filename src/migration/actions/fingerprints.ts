import { hash, randomBytes } from 'node:crypto';
import { attributeNames } from '../../contract/attributes.ts';
import type { HashedUser, User } from '../../contract/wire.ts';
import { isHexDigest } from '../../text/hash-forms.ts';
import { rowKey } from './keys.ts';

/** Fingerprints of the values of a row, which do not reveal them. */
export interface ValueFingerprints {
  /** Of all values except the hash. */
  values: string;
  /** Of the hash; left out if the row has none. */
  hash?: string;
}

/** Returns stored fingerprints, of which an empty one stands for none; `undefined` if they say nothing. */
export function knownFingerprints(values: string | null, hash: string | null): ValueFingerprints | undefined {
  if (values === null || !(values || hash)) return undefined;
  return hash ? { values, hash } : { values };
}

/** Fingerprints of a row, which do not reveal its values. */
export interface RowFingerprint extends ValueFingerprints {
  /** Of the first key; left out if the row has none. */
  key?: string;
}

/** Length of a fingerprint in base64url characters: 96 bits. */
export const fingerprintLength = 16;

/** The first character of the fingerprint of values whose user is disabled; no digest has it. */
const disabledMark = '!';
/** That of one who should have been disabled. */
const enabledMark = '.';

/** Between the fingerprint of a hash and the first key under which it was made. */
const keyMark = '\n';

/** Returns the fingerprint of a hash with the key under which it was made, for a row that has another one now. */
export const withKey = (hash: string, key: string) =>
  hash === '' || hash.includes(keyMark) ? hash : `${hash}${keyMark}${key}`;

/** True for the fingerprint of the values of a user who is disabled. */
export const isOfDisabled = (values: string) => values.startsWith(disabledMark);

/** True for that of a user who should have been disabled, and is not. */
export const isOfStillEnabled = (values: string) => values.startsWith(enabledMark);

/** Returns what the fingerprint of values becomes if the user is disabled. If it is empty, nothing else is known of the user. */
export const asDisabled = (values: string) => `${disabledMark}${values.slice(1)}`;

/** Returns what such a fingerprint becomes if the user is not disabled after all; its first character stays unknown. */
export const asEnabled = (values: string) =>
  isOfDisabled(values) ? `${enabledMark}${values.slice(1)}` : values;

/** True for fingerprints of the same values, also if a first character is unknown. */
export function areSame(one: string, other: string): boolean {
  return isOfDisabled(one) === isOfDisabled(other) && one.slice(1) === other.slice(1);
}

export function newFingerprintKey(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the fingerprint of a text; `kind` keeps equal texts of different kinds apart. The key may precede the text because less
 * than half of the digest is kept, which rules out length extension; an HMAC would take four times as long.
 */
export function fingerprint(key: string, kind: string, text: string): string {
  return hash('sha256', `${key}\n${kind}\n${text}`, 'base64url').slice(0, fingerprintLength);
}

export type Fingerprints = ReturnType<typeof createFingerprints>;

/** Makes fingerprints by which values can be compared without being stored. Without the key they reveal nothing. */
export function createFingerprints(key: string) {
  const of = (kind: string, text: string) => fingerprint(key, kind, text);

  /** `first`: the first key of the row, or the one that it had when the other fingerprint of its hash was made. */
  function ofValues(row: HashedUser, isDisabled = false, first = rowKey(row)): ValueFingerprints {
    const enabled = of('values', textOf(row));
    const values = isDisabled ? asDisabled(enabled) : enabled;
    const password = row['hash-pwd'];
    if (!password) return { values };
    const { algorithm, value, key: hmacKey = '' } = password;
    const hash = of('hash', `${first}\n${algorithm}\n${value.length}\n${value}${hmacKey}`);
    return { values, hash };
  }

  return {
    /** Of a user; changes with everything that an update or a disable can change. `withLogins`: also changes with a login. */
    ofUser: (user: User, withLogins = false) =>
      withLogins
        ? of('used', JSON.stringify([userState(user), user.usr_auth_times, user.usr_last_login ?? '']))
        : of('user', userState(user)),
    ofValues,
    /**
     * True if a stored fingerprint is one that the hash of a row can have; `undefined` stands for no hash. `first`: the first key of the
     * row when the fingerprint was made, unless it is stored with it.
     */
    isHashOf(stored: string | undefined, row: HashedUser, first?: string): boolean {
      const [hash, ...key] = stored?.split(keyMark) ?? [];
      const made = key.length > 0 ? key.join(keyMark) : first;
      return [row, ...withCapitalHex(row)].some((one) => ofValues(one, false, made).hash === hash);
    },
    ofRow(row: HashedUser, isDisabled?: boolean): RowFingerprint {
      const first = rowKey(row);
      return { ...ofValues(row, isDisabled), ...(first === undefined ? {} : { key: of('key', first) }) };
    },
  };
}

/** Returns the user with the other meaning of `pwd_must_modify`, in each way to write it: left out, it counts as true. */
export function withOtherFlag({ pwd_must_modify: mustModify = true, ...user }: HashedUser): HashedUser[] {
  return mustModify ? [{ ...user, pwd_must_modify: false }] : [user, { ...user, pwd_must_modify: true }];
}

/** Returns the user with the hash in capitals, as earlier versions sent hex that the file has so; empty for any other hash. */
function withCapitalHex(user: HashedUser): HashedUser[] {
  const password = user['hash-pwd'];
  if (!password || !isHexDigest(password.value)) return [];
  return [{ ...user, 'hash-pwd': { ...password, value: password.value.toUpperCase() } }];
}

/** Returns the values of a row, without the hash, as one text in a fixed order. */
function textOf(row: HashedUser): string {
  const { extension, pwd_must_modify: mustModify } = row;
  const own = extension === undefined ? [] : Object.entries(extension).sort(byName);
  return JSON.stringify([mustModify, attributeNames.map((name) => row[name]), own]);
}

/**
 * Returns a user as one text: everything that an update or a disable can change, and nothing that a login changes. Two texts are
 * equal if two answers show the same user in the same state.
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
