import type { HashedPassword } from '../../contract/wire.ts';
import {
  canonicalDigest,
  comparableBcrypt,
  digestOf,
  type FastAlgorithm,
  verifyLegacy,
} from './algorithms.ts';

/** Loaded with the first password: many processes need none. */
const argon2 = () => import('@node-rs/argon2');

/** Parameters of Argon2id: KiB, passes and lanes. */
export interface HashCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** What the service's own scheme costs: 19 MiB and two passes. */
export const ownCost: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes with the service's own scheme, Argon2id, off the event loop; the parameters are in the result. */
export async function hashPassword(password: string, cost = ownCost): Promise<string> {
  const { hash } = await argon2();
  return hash(password, cost);
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
  const cost = legacy.algorithm === 'bcrypt' ? comparableBcrypt(legacy.value)?.cost : undefined;
  return cost === undefined ? 'digest' : `bcrypt ${cost}`;
}

/** Should a password that matched be hashed again? True for a legacy form, and for other parameters than those of now. */
export function isOutdated(stored: string, { memoryCost, timeCost, parallelism }: HashCost): boolean {
  return !stored.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}

function readLegacy(stored: string): HashedPassword | WrappedDigest | undefined {
  return stored.startsWith('$argon2') ? undefined : (JSON.parse(stored) as HashedPassword | WrappedDigest);
}
