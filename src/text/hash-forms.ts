import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Computes a digest by its name in OpenSSL. */
export function computeDigest(name: string, data: Uint8Array | string): Buffer {
  return createHash(name).update(data).digest();
}

/** Computes the digest of a password, of which a text counts as UTF-8; `key` is empty if the algorithm has none. */
export type Digest = (password: Uint8Array | string, key: Uint8Array) => Buffer;

/** The digests exactly as the API computes them (decisions 31 to 33): of all its algorithms but bcrypt. */
export const acceptedDigests = {
  md5: (password) => computeDigest('md5', password),
  md5_sha256: (password) => computeDigest('sha256', computeDigest('md5', password).toString('hex')),
  hmacsha256_base64_key: (password, key) => createHmac('sha256', key).update(password).digest(),
} as const satisfies Record<string, Digest>;

/** An algorithm of the API that is a plain digest, without a salt of its own: billions of passwords a second can be tried against one. */
export type DigestAlgorithm = keyof typeof acceptedDigests;

/** Lengths of the digests in bytes. */
export const digestBytes = {
  md5: 16,
  md5_sha256: 32,
  hmacsha256_base64_key: 32,
} as const satisfies Record<DigestAlgorithm, number>;

const hexDigest = /^(?:[0-9a-f]{32}){1,2}$/i;

/** True for hex of 16 or 32 bytes, in either case; base64 of so many bytes has other lengths. */
export function isHexDigest(value: string): boolean {
  return hexDigest.test(value);
}

/** True if the text stands for this digest, as hex in either case or as base64 (decisions 31 to 33). Takes constant time. */
export function digestMatches(digest: Buffer, value: string): boolean {
  const given = readDigest(value, digest.length);
  return given !== undefined && timingSafeEqual(given, digest);
}

/** The parts of a bcrypt hash. */
export type BcryptParts = NonNullable<ReturnType<typeof readBcrypt>>;

const bcrypt = /^(?<prefix>(?:\$2[aby]\$)?)(?<cost>\d\d)\$(?<body>[./A-Za-z0-9]{53})$/;

/**
 * Parses a bcrypt hash of any cost (decision 34); returns `undefined` for a text of another form. The last characters of the salt (22
 * characters) and of the digest have bits that stand for nothing, and that encoders leave zero. A hash in which they are not zero is
 * read, but no password matches it: @node-rs/bcrypt and the crypt of libxcrypt compare the text that they would have written.
 * `prefix`: `$2a$`, `$2b$` or `$2y$` as written; empty if the text has none. `body`: salt and digest, 53 characters.
 */
export function readBcrypt(value: string) {
  const parts = bcrypt.exec(value.replace(/^\{bcrypt\}/i, ''))?.groups;
  return parts && { prefix: parts.prefix ?? '', cost: Number(parts.cost), body: parts.body ?? '' };
}

/** Formats a bcrypt hash so that every implementation of bcrypt can read it. */
export function bcryptText({ cost, body }: BcryptParts): string {
  return `$2b$${String(cost).padStart(2, '0')}$${body}`;
}

/** Decodes a digest of `length` bytes: hex in either case, or base64 with or without padding (decisions 31 to 33). */
export function readDigest(value: string, length: number): Buffer | undefined {
  const isHex = value.length === 2 * length && /^[0-9a-f]*$/i.test(value);
  if (!isHex && !isBase64(value)) return undefined;
  const bytes = Buffer.from(value, isHex ? 'hex' : 'base64');
  return bytes.length === length ? bytes : undefined;
}

/** Decodes an HMAC key from base64; if it is not base64, returns its UTF-8 bytes (decision 33). */
export function readHmacKey(key: string): Buffer {
  return Buffer.from(key, key.length % 4 === 0 && isBase64(key) ? 'base64' : 'utf8');
}

/** True for standard base64, with or without padding. */
export function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1;
}
