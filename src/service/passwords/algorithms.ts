import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { bcryptCosts, type HashAlgorithm } from '../../contract/attributes.ts';
import type { HashedPassword } from '../../contract/wire.ts';
import { type BcryptParts, bcryptText, readBcrypt, readDigest, readHmacKey } from '../../text/hash-forms.ts';

/** Algorithms whose hash is a digest without a salt of its own: billions of passwords per second can be tried against one. */
export type FastAlgorithm = Exclude<HashAlgorithm, 'bcrypt'>;

/** Digest function of each algorithm (decisions 31 to 33), and its length in bytes. */
const digests: Record<FastAlgorithm, { bytes: number; of(password: string, key: string): Buffer }> = {
  md5: { bytes: 16, of: (password) => digest('md5', password) },
  md5_sha256: { bytes: 32, of: (password) => digest('sha256', digest('md5', password).toString('hex')) },
  hmacsha256_base64_key: {
    bytes: 32,
    of: (password, key) => createHmac('sha256', readHmacKey(key)).update(password, 'utf8').digest(),
  },
};

/** True if a password matches a legacy hash. Digests are compared in constant time (decision 35). */
export async function verifyLegacy(password: string, hash: HashedPassword): Promise<boolean> {
  const { algorithm, value, key } = hash;
  if (algorithm === 'bcrypt') return verifyBcrypt(password, value);
  const given = readDigest(value, digests[algorithm].bytes);
  return given !== undefined && timingSafeEqual(given, digests[algorithm].of(password, key ?? ''));
}

/** Returns the digest of a password as hex. */
export function digestOf(algorithm: FastAlgorithm, password: string, key = ''): string {
  return digests[algorithm].of(password, key).toString('hex');
}

/** Returns a stored digest in the form of `digestOf`; a value that is no digest, and so matches nothing, is left unchanged. */
export function canonicalDigest(algorithm: FastAlgorithm, value: string): string {
  return readDigest(value, digests[algorithm].bytes)?.toString('hex') ?? value;
}

function digest(algorithm: 'md5' | 'sha256', text: string): Buffer {
  return createHash(algorithm).update(text, 'utf8').digest();
}

/** Returns a bcrypt hash that can be compared; `undefined` if that takes too long, and for a value of another form. */
export function comparableBcrypt(value: string): BcryptParts | undefined {
  const hash = readBcrypt(value);
  return hash && hash.cost <= bcryptCosts.compared ? hash : undefined;
}

async function verifyBcrypt(password: string, value: string): Promise<boolean> {
  const hash = comparableBcrypt(value);
  if (!hash) return false;
  const { verify } = await import('@node-rs/bcrypt');
  return verify(password, bcryptText(hash));
}
