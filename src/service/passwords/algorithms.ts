import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { bcryptCosts, type HashAlgorithm } from '../../contract/attributes.ts';
import type { HashedPassword } from '../../contract/wire.ts';

/** The algorithms whose hash is a digest without a salt of its own: billions of passwords a second can be tried against one. */
export type FastAlgorithm = Exclude<HashAlgorithm, 'bcrypt'>;

/** How each makes a digest of a password (decisions 31 to 33), and its length in bytes. */
const digests: Record<FastAlgorithm, { bytes: number; of(password: string, key: string): Buffer }> = {
  md5: { bytes: 16, of: (password) => digest('md5', password) },
  md5_sha256: { bytes: 32, of: (password) => digest('sha256', digest('md5', password).toString('hex')) },
  hmacsha256_base64_key: {
    bytes: 32,
    of: (password, key) => createHmac('sha256', keyBytes(key)).update(password, 'utf8').digest(),
  },
};

/** Does a password match a legacy hash? Digests are compared in constant time (decision 35). */
export async function verifyLegacy(password: string, hash: HashedPassword): Promise<boolean> {
  const { algorithm, value, key } = hash;
  if (algorithm === 'bcrypt') return verifyBcrypt(password, value);
  const given = readDigest(algorithm, value);
  return given !== undefined && timingSafeEqual(given, digests[algorithm].of(password, key ?? ''));
}

/** The digest of a password as hex. */
export function digestOf(algorithm: FastAlgorithm, password: string, key = ''): string {
  return digests[algorithm].of(password, key).toString('hex');
}

/** The digest of a stored value as `digestOf` writes it; a value that is none, and so matches nothing, as it is. */
export function canonicalDigest(algorithm: FastAlgorithm, value: string): string {
  return readDigest(algorithm, value)?.toString('hex') ?? value;
}

function digest(algorithm: 'md5' | 'sha256', text: string): Buffer {
  return createHash(algorithm).update(text, 'utf8').digest();
}

/** Hex in either case, or base64 with or without its padding. */
function readDigest(algorithm: FastAlgorithm, value: string): Buffer | undefined {
  const { bytes } = digests[algorithm];
  const isHex = value.length === bytes * 2 && /^[0-9a-f]+$/i.test(value);
  if (!isHex && !isBase64(value)) return undefined;
  const given = Buffer.from(value, isHex ? 'hex' : 'base64');
  return given.length === bytes ? given : undefined;
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1;
}

/** A key that is not base64 stands for its own UTF-8 bytes (decision 33). */
function keyBytes(key: string): Buffer {
  return Buffer.from(key, isBase64(key) && key.length % 4 === 0 ? 'base64' : 'utf8');
}

const bcryptShape = /^(?:\$2[aby]\$)?(\d\d)\$([./A-Za-z0-9]{53})$/;

/** The cost of a bcrypt hash, however high; `undefined` for a value of another form. */
export function readBcryptCost(value: string): number | undefined {
  const cost = bcryptShape.exec(value.replace(/^\{bcrypt\}/i, ''))?.[1];
  return cost === undefined ? undefined : Number(cost);
}

/** Reads cost and body of a bcrypt hash; `undefined` when it cannot be compared. */
function readBcrypt(value: string): { cost: string; body: string } | undefined {
  const [, cost = '', body = ''] = bcryptShape.exec(value.replace(/^\{bcrypt\}/i, '')) ?? [];
  return body === '' || Number(cost) > bcryptCosts.compared ? undefined : { cost, body };
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
