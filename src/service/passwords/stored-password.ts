import type { HashedPassword } from '../../contract/wire.ts';
import { bcryptCost, canonicalDigest, digestOf, type FastAlgorithm, verifyLegacy } from './algorithms.ts';

/** Loaded with the first password: many processes need none. */
const argon2 = () => import('@node-rs/argon2');

const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Every form that was made with these parameters begins so. */
const ownForm = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Hashes with the service's own scheme: Argon2id (19 MiB, two passes), off the event loop, parameters in the result. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return hash(password, parameters);
}

/** A digest in the service's own scheme: whoever reads it must try each password with Argon2id. */
interface WrappedDigest {
  algorithm: FastAlgorithm;
  wrapped: string;
  key?: string;
}

/** The stored form of a legacy hash, which stays until its owner's first login, or until it is wrapped. */
export function storedLegacyHash(password: HashedPassword): string {
  return JSON.stringify(password);
}

/** A condition of SQL for the stored forms of digests that are not wrapped, and perhaps a few others. */
export const unwrapped = `password LIKE '{"algorithm":"%","value":%' AND password NOT LIKE '{"algorithm":"bcrypt"%'`;

/** The digest that is to be wrapped for a stored form, and how it is stored then; `undefined` for every other form. */
export function findDigest(
  stored: string,
): { digest: string; wrappedAs(wrapped: string): string } | undefined {
  const legacy = readLegacy(stored);
  if (!legacy || 'wrapped' in legacy || legacy.algorithm === 'bcrypt') return undefined;
  const { algorithm, value, key } = legacy;
  return {
    digest: canonicalDigest(algorithm, value),
    wrappedAs: (wrapped) =>
      JSON.stringify({ algorithm, wrapped, ...(key === undefined ? {} : { key }) } satisfies WrappedDigest),
  };
}

/** Does a password match a stored form, the service's own or a legacy one? */
export async function verifyStored(stored: string, password: string): Promise<boolean> {
  const legacy = readLegacy(stored);
  if (!legacy) return (await argon2()).verify(stored, password);
  if (!('wrapped' in legacy)) return verifyLegacy(password, legacy);
  return (await argon2()).verify(legacy.wrapped, digestOf(legacy.algorithm, password, legacy.key));
}

/**
 * Name of a stored form's scheme by the time that a comparison takes: `own` is one Argon2id, of a wrapped digest too;
 * bcrypt takes twice as long with each step of its cost, the other legacy algorithms, `digest`, hardly any time.
 */
export function findScheme(stored: string): string {
  const legacy = readLegacy(stored);
  if (!legacy || 'wrapped' in legacy) return 'own';
  const cost = legacy.algorithm === 'bcrypt' ? bcryptCost(legacy.value) : undefined;
  return cost === undefined ? 'digest' : `bcrypt ${cost}`;
}

/** Should a password that matched be hashed again? True for a legacy form, and for earlier parameters. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(ownForm);
}

function readLegacy(stored: string): HashedPassword | WrappedDigest | undefined {
  return stored.startsWith('$argon2') ? undefined : (JSON.parse(stored) as HashedPassword | WrappedDigest);
}
