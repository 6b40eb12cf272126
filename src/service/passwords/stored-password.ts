import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { HashedPassword } from '../../contract/wire.ts';
import { algorithms } from './algorithms.ts';

/** The service's own scheme: Argon2id (19 MiB, two passes), off the event loop, parameters in the text it returns. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}

/** How a legacy hash is kept until its owner's first login. */
export function storedLegacyHash(password: HashedPassword): string {
  return JSON.stringify(password);
}

/** Outcome of a comparison; `outdated` asks for the password to be hashed again by the service's own scheme. */
export interface Comparison {
  matches: boolean;
  outdated: boolean;
}

/**
 * Compares a password with what is stored for a user. A missing password and a wrong legacy one take the time
 * of a wrong own one, so that the answer's delay does not tell who exists (decision 35).
 */
export async function comparePassword(stored: string | null, password: string): Promise<Comparison> {
  if (stored?.startsWith('$argon2')) return { matches: await verify(stored, password), outdated: false };
  if (stored) {
    const legacy = JSON.parse(stored) as HashedPassword;
    if (await algorithms[legacy.algorithm](password, legacy)) return { matches: true, outdated: true };
  }
  await verify(await decoy, password);
  return { matches: false, outdated: false };
}

const decoy = hashPassword(randomBytes(18).toString('base64'));
