import { bcryptCosts } from '../../contract/attributes.ts';
import type { HashedPassword } from '../../contract/wire.ts';
import {
  acceptedDigests,
  type BcryptParts,
  bcryptText,
  type DigestAlgorithm,
  digestBytes,
  digestMatches,
  readBcrypt,
  readDigest,
  readHmacKey,
} from '../../text/hash-forms.ts';

/** True if a password matches a legacy hash. Digests are compared in constant time (decision 35). */
export async function verifyLegacy(password: string, hash: HashedPassword): Promise<boolean> {
  const { algorithm, value, key } = hash;
  if (algorithm === 'bcrypt') return verifyBcrypt(password, value);
  return digestMatches(digest(algorithm, password, key), value);
}

/** Returns the digest of a password as hex. */
export function digestOf(algorithm: DigestAlgorithm, password: string, key?: string): string {
  return digest(algorithm, password, key).toString('hex');
}

function digest(algorithm: DigestAlgorithm, password: string, key = ''): Buffer {
  return acceptedDigests[algorithm](password, readHmacKey(key));
}

/** Returns a stored digest in the form of `digestOf`; a value that is no digest, and so matches nothing, is left unchanged. */
export function canonicalDigest(algorithm: DigestAlgorithm, value: string): string {
  return readDigest(value, digestBytes[algorithm])?.toString('hex') ?? value;
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
