import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { bcryptCosts, type HashAlgorithm } from '../../contract/attributes.ts';
import type { HashedPassword } from '../../contract/wire.ts';
import { type BcryptParts, bcryptText, readBcrypt, readDigest, readHmacKey } from '../../text/hash-forms.ts';

/**
 * Returns true if the API accepts this password for this hash (decisions 31 to 35). A string is hashed as UTF-8. Compares in
 * constant time. An HMAC without a key never matches, since the API rejects it; nor does bcrypt above cost 16.
 */
export async function verifyHash(password: Uint8Array | string, hash: HashedPassword): Promise<boolean> {
  const { algorithm, value, key = '' } = hash;
  const bytes = Buffer.from(password);
  if (algorithm === 'bcrypt') return verifyBcrypt(bytes, readBcrypt(value));
  if (algorithm === 'hmacsha256_base64_key' && key === '') return false;
  return valueMatches(acceptedDigests[algorithm](bytes, readHmacKey(key)), value);
}

/** An algorithm of the API that is a plain digest: all but bcrypt, which has its own salt and cost. */
export type DigestAlgorithm = Exclude<HashAlgorithm, 'bcrypt'>;

/** Computes the digest of a password's bytes; `key` is empty if the algorithm has none. */
export type Digest = (password: Uint8Array, key: Uint8Array) => Buffer;

/** The digests exactly as the API computes them (decisions 31 to 33). */
export const acceptedDigests: Record<DigestAlgorithm, Digest> = {
  md5: (password) => computeDigest('md5', password),
  md5_sha256: (password) => computeDigest('sha256', computeDigest('md5', password).toString('hex')),
  hmacsha256_base64_key: (password, key) => createHmac('sha256', key).update(password).digest(),
};

/** Computes a digest by its name in OpenSSL. */
export function computeDigest(name: string, data: Uint8Array | string): Buffer {
  return createHash(name).update(data).digest();
}

/** True if the text stands for this digest, as hex in either case or as base64 (decisions 31 to 33). Takes constant time. */
export function valueMatches(digest: Buffer, value: string): boolean {
  const given = readDigest(value, digest.length);
  return given !== undefined && timingSafeEqual(given, digest);
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
