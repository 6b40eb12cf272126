import { bcryptCosts } from '../../contract/attributes.ts';
import type { HashedPassword } from '../../contract/wire.ts';
import {
  acceptedDigests,
  type BcryptParts,
  bcryptText,
  digestMatches,
  readBcrypt,
  readHmacKey,
} from '../../text/hash-forms.ts';

/**
 * Returns true if the API accepts this password for this hash (decisions 31 to 35). A string is hashed as UTF-8. Compares in
 * constant time. An HMAC without a key never matches, since the API rejects it; nor does bcrypt above cost 16.
 */
export async function verifyHash(password: Uint8Array | string, hash: HashedPassword): Promise<boolean> {
  const { algorithm, value, key = '' } = hash;
  const bytes = Buffer.from(password);
  if (algorithm === 'bcrypt') return verifyBcrypt(bytes, readBcrypt(value));
  if (algorithm === 'hmacsha256_base64_key' && key === '') return false;
  return digestMatches(acceptedDigests[algorithm](bytes, readHmacKey(key)), value);
}

const loose = /^(?:\{bcrypt\})?(?<prefix>\$?(?:2[abxy]\$)?)(?<cost>\d\d)\$(?<body>[./A-Za-z0-9]{53})$/i;

/** Parses a bcrypt hash even if its prefix is incomplete or unknown to the API; returns `undefined` for any other text. */
export function readLooseBcrypt(value: string): BcryptParts | undefined {
  const parts = loose.exec(value)?.groups;
  return parts && { prefix: parts.prefix ?? '', cost: Number(parts.cost), body: parts.body ?? '' };
}

/** True for the beginning of a bcrypt hash, which is not enough for a comparison. */
export function isCutBcrypt(value: string): boolean {
  return /^(?:\{bcrypt\})?\$2[abxy]\$\d\d\$[./A-Za-z0-9]{0,52}$/.test(value);
}

/** Compares a password with a bcrypt hash. Never matches at a cost above what the service compares. */
export async function verifyBcrypt(password: Uint8Array, hash: BcryptParts | undefined): Promise<boolean> {
  if (hash === undefined || hash.cost > bcryptCosts.compared) return false;
  // Loaded only here: an import needs this file for its checks, but often compares nothing.
  const { verify } = await import('@node-rs/bcrypt');
  return verify(password, bcryptText(hash));
}
