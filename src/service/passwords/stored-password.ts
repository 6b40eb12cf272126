import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import type { HashedPassword } from '../../contract/wire.ts';
import { algorithms } from './algorithms.ts';
import { takeTurns } from './take-turns.ts';

/** A core is left to the requests that hash nothing: look-ups keep their pace beside a storm of creates. */
const inTurn = takeTurns(Math.max(1, availableParallelism() - 1));

/** The service's own scheme: Argon2id (19 MiB, two passes), off the event loop, parameters in the text it returns. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }));
}

/** How a legacy hash is kept until its owner's first login. */
export function storedLegacyHash(password: HashedPassword): string {
  return JSON.stringify(password);
}

/** Is it the password of a stored form, the service's own or a legacy one? */
export function matchesStored(stored: string, password: string): Promise<boolean> {
  if (isOwn(stored)) return inTurn(() => verify(stored, password));
  const legacy = JSON.parse(stored) as HashedPassword;
  return inTurn(async () => algorithms[legacy.algorithm](password, legacy));
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
  if (stored && (await matchesStored(stored, password))) return { matches: true, outdated: !isOwn(stored) };
  if (!stored || !isOwn(stored)) await matchesStored(await decoy, password);
  return { matches: false, outdated: false };
}

function isOwn(stored: string): boolean {
  return stored.startsWith('$argon2');
}

const decoy = hashPassword(randomBytes(18).toString('base64'));
