import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { HashAlgorithm } from '../../contract/attributes.ts';
import type { HashedPassword } from '../../contract/wire.ts';

type Verify = (password: string, hash: HashedPassword) => boolean | Promise<boolean>;

/** How each legacy algorithm is verified (decisions 31 to 35); digests are compared in constant time. */
export const algorithms: Record<HashAlgorithm, Verify> = {
  md5: (password, { value }) => matches(digest('md5', password), value),
  md5_sha256: (password, { value }) => {
    const inner = digest('md5', password).toString('hex');
    return matches(digest('sha256', inner), value);
  },
  hmacsha256_base64_key: (password, { value, key = '' }) =>
    matches(createHmac('sha256', keyBytes(key)).update(password, 'utf8').digest(), value),
  bcrypt: (password, { value }) => verifyBcrypt(password, value),
};

function digest(algorithm: 'md5' | 'sha256', text: string): Buffer {
  return createHash(algorithm).update(text, 'utf8').digest();
}

/** Hex in either case, or base64 with or without its padding. */
function matches(expected: Buffer, value: string): boolean {
  const isHex = value.length === expected.length * 2 && /^[0-9a-f]+$/i.test(value);
  if (!isHex && !isBase64(value)) return false;
  const given = Buffer.from(value, isHex ? 'hex' : 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1;
}

/** A key that is not base64 stands for its own UTF-8 bytes (decision 33). */
function keyBytes(key: string): Buffer {
  return Buffer.from(key, isBase64(key) && key.length % 4 === 0 ? 'base64' : 'utf8');
}

/** A hash of a higher cost would occupy a thread for minutes, so it never matches. */
const highestCost = 16;

const bcryptShape = /^(?:\$2[aby]\$)?(\d\d)\$([./A-Za-z0-9]{53})$/;

/** The cost of a bcrypt hash, however high; `undefined` for a value of another form. */
export function readBcryptCost(value: string): number | undefined {
  const cost = bcryptShape.exec(value.replace(/^\{bcrypt\}/i, ''))?.[1];
  return cost === undefined ? undefined : Number(cost);
}

/** Reads cost and body of a bcrypt hash; `undefined` when it cannot be compared. */
function readBcrypt(value: string): { cost: string; body: string } | undefined {
  const [, cost = '', body = ''] = bcryptShape.exec(value.replace(/^\{bcrypt\}/i, '')) ?? [];
  return body === '' || Number(cost) > highestCost ? undefined : { cost, body };
}

/** Cost of a bcrypt hash, two digits; `undefined` for a value that cannot be compared. */
export function bcryptCost(value: string): string | undefined {
  return readBcrypt(value)?.cost;
}

async function verifyBcrypt(password: string, value: string): Promise<boolean> {
  const hash = readBcrypt(value);
  if (!hash) return false;
  const { verify } = await import('@node-rs/bcrypt');
  return verify(password, `$2b$${hash.cost}$${hash.body}`);
}
