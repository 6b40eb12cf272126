import { createHash, createHmac } from 'node:crypto';
import { hashSync } from '@node-rs/bcrypt';
import type { HashAlgorithm } from '../../../src/contract/attributes.ts';

/** A digest as hex. */
export function hex(name: string, data: Uint8Array | string): string {
  return createHash(name).update(data).digest('hex');
}

/** A digest as bytes. */
export function raw(name: string, data: Uint8Array | string): Buffer {
  return createHash(name).update(data).digest();
}

/** HMAC-SHA256 as base64. */
export function hmac(key: Uint8Array | string, data: Uint8Array | string): string {
  return createHmac('sha256', key).update(data).digest('base64');
}

/** An HMAC key for tests: 24 bytes, and their base64. */
export const keyBytes = Buffer.from('\x00legacy key, 24 bytes\xff\xfe', 'latin1');
export const key = keyBytes.toString('base64');

/** bcrypt of a low cost, with the prefix `$2b$`. */
export function bcrypt(data: Uint8Array | string, cost = 4): string {
  return hashSync(data, cost).replace('$2y$', '$2b$');
}

/** How an old system computes a hash of each algorithm correctly. */
export const makeHash = {
  md5: (password) => hex('md5', password),
  md5_sha256: (password) => hex('sha256', hex('md5', password)),
  hmacsha256_base64_key: (password) => hmac(keyBytes, password),
  bcrypt: (password) => bcrypt(password),
} as const satisfies Record<HashAlgorithm, (password: Uint8Array | string) => string>;
