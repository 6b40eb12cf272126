import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { HashAlgorithm } from '../../contract/attributes.ts';
import type { HashedPassword } from '../../contract/wire.ts';
import { readBcrypt, readDigest, readHmacKey } from '../../text/hash-forms.ts';
import { verifyBcrypt } from './bcrypt.ts';

/**
 * Will the API take this password for this hash (decisions 31 to 35)? A text is taken as UTF-8. Compares in constant
 * time. An HMAC without a key never matches, since the API refuses it; nor does bcrypt above cost 16.
 */
export async function verifyHash(password: Uint8Array | string, hash: HashedPassword): Promise<boolean> {
  const { algorithm, value, key = '' } = hash;
  const bytes = Buffer.from(password);
  if (algorithm === 'bcrypt') return verifyBcrypt(bytes, readBcrypt(value));
  if (algorithm === 'hmacsha256_base64_key' && key === '') return false;
  return valueMatches(acceptedDigests[algorithm](bytes, readHmacKey(key)), value);
}

/** An algorithm of the API that is a digest; bcrypt brings its own salt and cost. */
export type DigestAlgorithm = Exclude<HashAlgorithm, 'bcrypt'>;

/** The digest of a password's bytes; `key` is empty where the algorithm has none. */
export type Digest = (password: Uint8Array, key: Uint8Array) => Buffer;

/** The digests of the API, exactly (decisions 31 to 33). */
export const acceptedDigests: Record<DigestAlgorithm, Digest> = {
  md5: (password) => computeDigest('md5', password),
  md5_sha256: (password) => computeDigest('sha256', computeDigest('md5', password).toString('hex')),
  hmacsha256_base64_key: (password, key) => createHmac('sha256', key).update(password).digest(),
};

/** A digest by the name that OpenSSL has for it. */
export function computeDigest(name: string, data: Uint8Array | string): Buffer {
  return createHash(name).update(data).digest();
}

/** Does the text stand for this digest, as hex in either case or as base64 (decisions 31 to 33)? In constant time. */
export function valueMatches(digest: Buffer, value: string): boolean {
  const given = readDigest(value, digest.length);
  return given !== undefined && timingSafeEqual(given, digest);
}
