import { createHash, createHmac } from 'node:crypto';
import type { HashAlgorithm } from '../../contract/attributes.ts';
import { isBase64 } from './value-matches.ts';

/** An algorithm of the API that is a digest; bcrypt brings its own salt and cost. */
export type DigestAlgorithm = Exclude<HashAlgorithm, 'bcrypt'>;

/** The digest of a password's bytes; `key` is empty where the algorithm has none. */
export type Digest = (password: Uint8Array, key: Uint8Array) => Buffer;

/** The digests of the API, exactly (decisions 31 to 33). */
export const acceptedDigests: Record<DigestAlgorithm, Digest> = {
  md5: (password) => digestOf('md5', password),
  md5_sha256: (password) => digestOf('sha256', digestOf('md5', password).toString('hex')),
  hmacsha256_base64_key: (password, key) => createHmac('sha256', key).update(password).digest(),
};

/** A digest by the name that OpenSSL has for it. */
export function digestOf(name: string, data: Uint8Array | string): Buffer {
  return createHash(name).update(data).digest();
}

/** Bytes of an HMAC key: base64, or its own UTF-8 bytes where it is none (decision 33). */
export function keyBytes(key: string): Buffer {
  return Buffer.from(key, key.length % 4 === 0 && isBase64(key) ? 'base64' : 'utf8');
}
