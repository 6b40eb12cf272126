import type { HashedPassword } from '../../contract/wire.ts';
import { algorithms, bcryptCost } from './algorithms.ts';

/** Loaded with the first password: many processes need none. */
const argon2 = () => import('@node-rs/argon2');

/** Hashes with the service's own scheme: Argon2id (19 MiB, two passes), off the event loop, parameters in the result. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}

/** The stored form of a legacy hash, which stays until its owner's first login. */
export function storedLegacyHash(password: HashedPassword): string {
  return JSON.stringify(password);
}

/** Does a password match a stored form, the service's own or a legacy one? */
export async function verifyStored(stored: string, password: string): Promise<boolean> {
  const legacy = readLegacy(stored);
  if (legacy) return algorithms[legacy.algorithm](password, legacy);
  return (await argon2()).verify(stored, password);
}

/**
 * Name of a stored form's scheme, `own` or a legacy one, by the time that a comparison takes: bcrypt takes twice as long with
 * each step of its cost, the other legacy algorithms, `digest`, hardly any time.
 */
export function findScheme(stored: string): string {
  const legacy = readLegacy(stored);
  if (!legacy) return 'own';
  const cost = legacy.algorithm === 'bcrypt' ? bcryptCost(legacy.value) : undefined;
  return cost === undefined ? 'digest' : `bcrypt ${cost}`;
}

function readLegacy(stored: string): HashedPassword | undefined {
  return stored.startsWith('$argon2') ? undefined : (JSON.parse(stored) as HashedPassword);
}
