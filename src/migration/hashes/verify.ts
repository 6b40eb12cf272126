import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { HashAlgorithm } from '../../contract/attributes.ts';
import type { HashedPassword } from '../../contract/wire.ts';
import { readBcrypt, verifyBcrypt } from './bcrypt.ts';

/**
 * Will the API take this password for this hash (decisions 31 to 35)? A text is taken as UTF-8. Compares in constant
 * time. An HMAC without a key never matches, since the API refuses it; nor does bcrypt above cost 16.
 */
export async function verifyHash(password: Uint8Array | string, hash: HashedPassword): Promise<boolean> {
  const { algorithm, value, key = '' } = hash;
  const bytes = Buffer.from(password);
  if (algorithm === 'bcrypt') return verifyBcrypt(bytes, readBcrypt(value));
  if (algorithm === 'hmacsha256_base64_key' && key === '') return false;
  return valueMatches(acceptedDigests[algorithm](bytes, keyBytes(key)), value);
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

/** Bytes of an HMAC key: base64, or its own UTF-8 bytes where it is none (decision 33). */
export function keyBytes(key: string): Buffer {
  return Buffer.from(key, key.length % 4 === 0 && isBase64(key) ? 'base64' : 'utf8');
}

/** True for standard base64, with its padding or without. */
export function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.replaceAll('=', '').length % 4 !== 1;
}

/** Does the text stand for this digest, as hex in either case or as base64 (decisions 31 to 33)? In constant time. */
export function valueMatches(digest: Buffer, value: string): boolean {
  const given = bytesOfValue(value, digest.length);
  return given !== undefined && given.length === digest.length && timingSafeEqual(given, digest);
}

function bytesOfValue(value: string, length: number): Buffer | undefined {
  if (value.length === 2 * length && /^[0-9a-f]*$/i.test(value)) return Buffer.from(value, 'hex');
  return isBase64(value) ? Buffer.from(value, 'base64') : undefined;
}
