import { bcryptCosts } from '../../contract/attributes.ts';
import type { HashedPassword } from '../../contract/wire.ts';
import {
  acceptedDigests,
  bcryptText,
  type DigestAlgorithm,
  digestBytes,
  digestMatches,
  readBcrypt,
  readDigest,
  readHmacKey,
} from '../../text/hash-forms.ts';

/** Loaded with the first password, because many processes need none. */
const argon2 = () => import('@node-rs/argon2');

/** Cost of the service's own scheme, Argon2id: memory in KiB, passes and lanes. */
export const ownCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes with the service's own scheme, Argon2id, off the event loop; the result contains the parameters. */
export async function hashPassword(password: string, cost = ownCost): Promise<string> {
  const { hash } = await argon2();
  return hash(password, cost);
}

/** A fast digest hashed with the service's own scheme: whoever reads it must try each password with Argon2id. */
interface WrappedDigest {
  algorithm: DigestAlgorithm;
  wrapped: string;
  key?: string;
}

/** Returns the stored form of a legacy hash, which is kept until the user's first login, or until it is wrapped. */
export function storedLegacyHash(password: HashedPassword): string {
  return JSON.stringify(password);
}

/** SQL condition for the stored forms of digests that are not wrapped; it may match a few other forms. */
export const unwrapped = `password LIKE '{"algorithm":"%","value":%' AND password NOT LIKE '{"algorithm":"bcrypt"%'`;

/** Returns the digest to wrap in a stored form, and a function for the new stored form; `undefined` for all other forms. */
export function findDigest(stored: string) {
  const legacy = readLegacy(stored);
  if (!legacy || 'wrapped' in legacy || legacy.algorithm === 'bcrypt') return undefined;
  const { algorithm, value, key } = legacy;
  return {
    // A value that is no digest, and so matches nothing, is left unchanged.
    digest: readDigest(value, digestBytes[algorithm])?.toString('hex') ?? value,
    wrappedAs: (wrapped: string) =>
      JSON.stringify({ algorithm, wrapped, ...(key === undefined ? {} : { key }) } satisfies WrappedDigest),
  };
}

/** True if a password matches a stored form, of the service's own scheme or a legacy one. Digests take constant time (decision 35). */
export async function verifyStored(stored: string, password: string): Promise<boolean> {
  const legacy = readLegacy(stored);
  if (!legacy) return (await argon2()).verify(stored, password);
  if ('wrapped' in legacy) {
    const digest = digestOf(legacy.algorithm, password, legacy.key).toString('hex');
    return (await argon2()).verify(legacy.wrapped, digest);
  }
  const { algorithm, value, key } = legacy;
  if (algorithm !== 'bcrypt') return digestMatches(digestOf(algorithm, password, key), value);
  const hash = comparableBcrypt(value);
  if (!hash) return false;
  const { verify } = await import('@node-rs/bcrypt');
  return verify(password, bcryptText(hash));
}

function digestOf(algorithm: DigestAlgorithm, password: string, key = ''): Buffer {
  return acceptedDigests[algorithm](password, readHmacKey(key));
}

/** Returns a bcrypt hash that can be compared; `undefined` if that takes too long, and for a value of another form. */
function comparableBcrypt(value: string) {
  const hash = readBcrypt(value);
  return hash && hash.cost <= bcryptCosts.compared ? hash : undefined;
}

/**
 * Returns the name of a stored form's scheme, by the time of a comparison: `own` is one Argon2id, also for a wrapped digest; bcrypt
 * takes twice as long with each step of its cost; the other legacy algorithms, `digest`, take hardly any time.
 */
export function findScheme(stored: string): string {
  const legacy = readLegacy(stored);
  if (!legacy || 'wrapped' in legacy) return 'own';
  const cost = legacy.algorithm === 'bcrypt' ? comparableBcrypt(legacy.value)?.cost : undefined;
  return cost === undefined ? 'digest' : `bcrypt ${cost}`;
}

/** True if a matching password should be hashed again: for a legacy form, and for parameters other than the present ones. */
export function isOutdated(stored: string, { memoryCost, timeCost, parallelism }: typeof ownCost): boolean {
  return !stored.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}

function readLegacy(stored: string): HashedPassword | WrappedDigest | undefined {
  return stored.startsWith('$argon2') ? undefined : (JSON.parse(stored) as HashedPassword | WrappedDigest);
}
