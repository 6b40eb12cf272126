import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { HashedPassword } from '../../contract/wire.ts';
import { algorithms, bcryptCost } from './algorithms.ts';
import { createQueue, hashLimit } from './hashing-queue.ts';

/** One queue for the process, since its services share Node's threads. */
const enqueue = createQueue(hashLimit());

/** The service's own scheme: Argon2id (19 MiB, two passes), off the event loop, parameters in the text it returns. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return enqueue(() => hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }));
}

/** The stored form of a legacy hash, which stays until its owner's first login. */
export function storedLegacyHash(password: HashedPassword): string {
  return JSON.stringify(password);
}

/** Does a password match a stored form, the service's own or a legacy one? */
export async function matchesStored(stored: string, password: string): Promise<boolean> {
  return (await compare(stored, password)).matches;
}

/** Outcome of a comparison; `outdated`: the password should be hashed again with the service's own scheme. */
export interface Comparison {
  matches: boolean;
  outdated: boolean;
}

/**
 * Compares a password with the stored form of a user. A mismatch takes the same time for every scheme, and without a stored
 * password, so that the time does not show which users exist (decision 35). For this a missing password and a fast digest
 * also cost a comparison with the service's own scheme, and what was faster than the slowest scheme waits for the rest.
 */
export async function comparePassword(stored: string | null, password: string): Promise<Comparison> {
  // Made before every kind of comparison: if only a mismatch made it, the first one would take longer.
  decoy ??= hashPassword(randomBytes(18).toString('base64'));
  const decoyHash = await decoy;
  const given = stored === null ? undefined : await compare(stored, password);
  if (given?.matches) return { matches: true, outdated: given.scheme !== 'own' };
  const isSlow = given && given.scheme !== 'digest';
  const { took } = isSlow ? given : await compare(decoyHash, password);
  const rest = equaliser.slowest() - took;
  if (rest >= 1) await setTimeout(rest);
  return { matches: false, outdated: false };
}

const equaliser = createTimingEqualiser();

/** Loaded with the first password, as the decoy is made: many processes need neither. */
const argon2 = () => import('@node-rs/argon2');
let decoy: Promise<string> | undefined;

async function compare(
  stored: string,
  password: string,
): Promise<{ matches: boolean; took: number; scheme: string }> {
  const legacy = stored.startsWith('$argon2') ? undefined : (JSON.parse(stored) as HashedPassword);
  const scheme = legacy ? schemeOf(legacy) : 'own';
  const verifyStored = async () =>
    legacy ? algorithms[legacy.algorithm](password, legacy) : (await argon2()).verify(stored, password);
  const { result: matches, took } = await enqueue(() => equaliser.time(scheme, verifyStored));
  return { matches, took, scheme };
}

/** Name of the scheme for the timing: bcrypt takes twice as long with each step of its cost, the other algorithms hardly any time. */
function schemeOf({ algorithm, value }: HashedPassword): string {
  const cost = algorithm === 'bcrypt' ? bcryptCost(value) : undefined;
  return cost === undefined ? 'digest' : `bcrypt ${cost}`;
}

/** Measures how long the latest comparisons of each scheme took, without the time in the queue. */
export interface TimingEqualiser {
  /** Runs a comparison, and measures its time in milliseconds. */
  time<Result>(scheme: string, compare: () => Promise<Result>): Promise<{ result: Result; took: number }>;
  /** Milliseconds of the slowest scheme: the median of its latest comparisons. */
  slowest(): number;
}

/** Comparisons of a scheme that count for its median. */
const latest = 9;

/** Starts without measurements. `now`: milliseconds of a clock that never goes back. */
export function createTimingEqualiser(now: () => number = () => performance.now()): TimingEqualiser {
  const recent = new Map<string, number[]>();
  return {
    async time(scheme, compare) {
      const start = now();
      const result = await compare();
      const took = now() - start;
      recent.set(scheme, [...(recent.get(scheme) ?? []), took].slice(-latest));
      return { result, took };
    },
    slowest: () => Math.max(0, ...[...recent.values()].map(medianOf)),
  };
}

function medianOf(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
