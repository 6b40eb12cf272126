import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { HashedPassword } from '../../contract/wire.ts';
import { algorithms, bcryptCost } from './algorithms.ts';
import { createHashingTurns, takeTurns } from './hashing-queue.ts';

const inTurn = takeTurns(createHashingTurns());

/** The service's own scheme: Argon2id (19 MiB, two passes), off the event loop, parameters in the text it returns. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return inTurn(() => hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }));
}

/** How a legacy hash is kept until its owner's first login. */
export function storedLegacyHash(password: HashedPassword): string {
  return JSON.stringify(password);
}

/** Is it the password of a stored form, the service's own or a legacy one? */
export async function matchesStored(stored: string, password: string): Promise<boolean> {
  return (await compare(stored, password)).matches;
}

/** Outcome of a comparison; `outdated` asks for the password to be hashed again by the service's own scheme. */
export interface Comparison {
  matches: boolean;
  outdated: boolean;
}

/**
 * Compares a password with what is stored for a user. A refusal takes the same time whether there is a password,
 * and whatever its scheme, so that the answer's delay does not tell who exists (decision 35): a missing password and
 * a quick digest cost a comparison with the service's own scheme, and whatever was quicker than the slowest scheme
 * waits for the rest.
 */
export async function comparePassword(stored: string | null, password: string): Promise<Comparison> {
  // For every first comparison alike: made for a refusal only, it would tell by its time.
  decoy ??= hashPassword(randomBytes(18).toString('base64'));
  const unknown = await decoy;
  const given = stored === null ? undefined : await compare(stored, password);
  if (given?.matches) return { matches: true, outdated: given.scheme !== 'own' };
  const isSlow = given && given.scheme !== 'digest';
  const { took } = isSlow ? given : await compare(unknown, password);
  const rest = pace.slowest() - took;
  if (rest >= 1) await setTimeout(rest);
  return { matches: false, outdated: false };
}

const pace = createTimingEqualiser();

/** Loaded, as the decoy is made, with the first password: most starts see none. */
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
  const { result: matches, took } = await inTurn(() => pace.time(scheme, verifyStored));
  return { matches, took, scheme };
}

/** The legacy algorithms but bcrypt take no time worth mention; bcrypt takes twice as long with each step of its cost. */
function schemeOf({ algorithm, value }: HashedPassword): string {
  const cost = algorithm === 'bcrypt' ? bcryptCost(value) : undefined;
  return cost === undefined ? 'digest' : `bcrypt ${cost}`;
}

/** How long the comparisons of each scheme took of late, without the time in the queue. */
export interface TimingEqualiser {
  /** Times a comparison. */
  time<Result>(scheme: string, compare: () => Promise<Result>): Promise<{ result: Result; took: number }>;
  /** Milliseconds that the slowest scheme now takes: the median of its last comparisons. */
  slowest(): number;
}

const remembered = 9;

/** Starts without a measurement: the first comparison of a scheme is the first that counts. */
export function createTimingEqualiser(): TimingEqualiser {
  const recent = new Map<string, number[]>();
  return {
    async time(scheme, compare) {
      const start = performance.now();
      const result = await compare();
      const took = performance.now() - start;
      recent.set(scheme, [...(recent.get(scheme) ?? []), took].slice(-remembered));
      return { result, took };
    },
    slowest: () => Math.max(0, ...[...recent.values()].map(medianOf)),
  };
}

function medianOf(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
