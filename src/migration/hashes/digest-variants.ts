import { createHmac, getHashes } from 'node:crypto';
import type { HashAlgorithm } from '../../contract/attributes.ts';
import {
  acceptedDigests,
  computeDigest,
  type Digest,
  type DigestAlgorithm,
  isBase64,
  readHmacKey,
} from '../../text/hash-forms.ts';
import type { MistakeCode } from './mistakes.ts';
import { combine, expected, mistaken, mistakenBy, simplest, type Variant } from './variants.ts';

/** Computes the digest of a password's bytes; the key, if any, is already given. */
export type PlainDigest = (password: Uint8Array) => Buffer;

const mistakenAlgorithm = {
  md5: 'ALGORITHM_MD5',
  md5_sha256: 'ALGORITHM_MD5_SHA256',
  hmacsha256_base64_key: 'ALGORITHM_HMAC',
} as const satisfies Record<DigestAlgorithm, MistakeCode>;

const hex = (name: string, password: Uint8Array) => computeDigest(name, password).toString('hex');

/** Digests without a key that the API does not have. */
const otherDigests: readonly [MistakeCode, PlainDigest][] = [
  ['NESTED_RAW', (password) => computeDigest('sha256', computeDigest('md5', password))],
  ['NESTED_UPPER', (password) => computeDigest('sha256', hex('md5', password).toUpperCase())],
  ['NESTED_BASE64', (password) => computeDigest('sha256', computeDigest('md5', password).toString('base64'))],
  ['NESTED_ORDER', (password) => computeDigest('md5', hex('sha256', password))],
  ['NESTED_ORDER', (password) => computeDigest('md5', computeDigest('sha256', password))],
  ['MD5_TWICE', (password) => computeDigest('md5', hex('md5', password))],
  ['MD5_TWICE', (password) => computeDigest('md5', hex('md5', password).toUpperCase())],
  ['MD5_TWICE', (password) => computeDigest('md5', computeDigest('md5', password))],
  ['SHA256_TWICE', (password) => computeDigest('sha256', hex('sha256', password))],
  ['SHA256_TWICE', (password) => computeDigest('sha256', computeDigest('sha256', password))],
  ['MD5_HALF', (password) => computeDigest('md5', password).subarray(4, 12)],
  ['PLAIN_SHA1', (password) => computeDigest('sha1', password)],
  ['PLAIN_SHA224', (password) => computeDigest('sha224', password)],
  ['PLAIN_SHA256', (password) => computeDigest('sha256', password)],
  ['PLAIN_SHA384', (password) => computeDigest('sha384', password)],
  ['PLAIN_SHA512', (password) => computeDigest('sha512', password)],
  ['PLAIN_SM3', (password) => computeDigest('sm3', password)],
  ['PASSWORD_ENCODED', (password) => Buffer.from(password)],
];

/** Digests with a key that the API does not have. */
const otherKeyedDigests: readonly [MistakeCode, Digest][] = [
  ['HMAC_SWAPPED', (password, key) => createHmac('sha256', password).update(key).digest()],
  ['HMAC_MD5', (password, key) => createHmac('md5', key).update(password).digest()],
  ['HMAC_SHA1', (password, key) => createHmac('sha1', key).update(password).digest()],
  ['HMAC_SHA512', (password, key) => createHmac('sha512', key).update(password).digest()],
];

/** Returns the ways in which a digest may have been made from a password; only the declared algorithm is without a mistake. */
export function digestVariants(declared: HashAlgorithm, key: string): Variant<PlainDigest>[] {
  const ours = (name: DigestAlgorithm): Variant<Digest> => ({
    value: acceptedDigests[name],
    mistakes: name === declared ? [] : [mistakenAlgorithm[name]],
  });
  const keyed = [ours('hmacsha256_base64_key'), ...asVariants(otherKeyedDigests)];
  const withKey = combine(keyed, keyVariants(key), bindKey);
  const hasKey = key !== '' || declared === 'hmacsha256_base64_key';
  const none = expected(Buffer.alloc(0));
  const withoutKey = combine([ours('md5'), ours('md5_sha256')], [none], bindKey);
  return [...withoutKey, ...asVariants(otherDigests.filter(isAvailable)), ...(hasKey ? withKey : [])];
}

function bindKey(digest: Digest, key: Buffer): PlainDigest {
  return (password) => digest(password, key);
}

function asVariants<Value>(rows: readonly [MistakeCode, Value][]): Variant<Value>[] {
  return rows.flatMap(([code, value]) => mistaken(code, value));
}

/** False for SM3 if this build of OpenSSL leaves it out. */
function isAvailable([code]: readonly [MistakeCode, PlainDigest]): boolean {
  return code !== 'PLAIN_SM3' || getHashes().includes('sm3');
}

/** How the system that made the hash may have read the key. */
const readings: { readonly [Code in MistakeCode]?: (key: string) => Buffer | undefined } = {
  KEY_NOT_DECODED: (key) => Buffer.from(key, 'utf8'),
  KEY_HEX: (key) => (/^(?:[0-9a-f]{2})+$/i.test(key) ? Buffer.from(key, 'hex') : undefined),
  KEY_DECODED_TWICE: (key) => {
    const once = readHmacKey(key).toString('latin1');
    return once !== key && once.length % 4 === 0 && isBase64(once) ? Buffer.from(once, 'base64') : undefined;
  },
  KEY_BASE64URL: (key) => (/^[\w-]+=*$/.test(key) ? Buffer.from(key, 'base64url') : undefined),
  KEY_UNPADDED: (key) => (isBase64(key) ? Buffer.from(key, 'base64') : undefined),
  KEY_BLANKS: (key) => readHmacKey(key.replace(/^[\s'"]+|[\s'"]+$/g, '')),
};

/** Returns the bytes that a key may have stood for, each once. An empty key is a mistake in itself, since the API rejects it. */
function keyVariants(key: string): Variant<Buffer>[] {
  if (key === '') return mistaken('KEY_EMPTY', Buffer.alloc(0));
  const mistakenKeys = mistakenBy(readings, (read) => read(key));
  // Without - and _, only the padding can be missing, so `KEY_UNPADDED` is the simpler explanation.
  const plain = /[-_]/.test(key)
    ? mistakenKeys
    : mistakenKeys.filter(({ mistakes }) => !mistakes.includes('KEY_BASE64URL'));
  return simplest([expected(readHmacKey(key)), ...plain], (bytes) => bytes.toString('hex'));
}
