import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createQueue, type HashingRequest, hashPace } from './hashing-queue.ts';
import {
  findDigest,
  findScheme,
  hashPassword,
  isOutdated,
  ownCost,
  verifyStored,
} from './stored-password.ts';

/** Outcome of a comparison; `outdated`: the password should be hashed again with the service's own scheme. */
export interface Comparison {
  matches: boolean;
  outdated: boolean;
}

/** Hashes passwords, and compares them with stored forms. */
export interface Passwords {
  /** The stored form of a new password. */
  hash(password: string, request?: HashingRequest): Promise<string>;
  /** Does a password match a stored form? */
  matches(stored: string, password: string, request?: HashingRequest): Promise<boolean>;
  /**
   * Compares a password with the stored form of a user. A mismatch takes the same time for every scheme, and without a
   * stored password, so that the time does not show which users exist (decision 35). For this a missing password and a fast
   * digest also cost a comparison with the service's own scheme, and what was faster than the slowest scheme waits for the
   * rest. Each mismatch waits in the queue once: a digest is compared without it.
   */
  compare(stored: string | null, password: string, request?: HashingRequest): Promise<Comparison>;
  /** The stored form with its digest wrapped, where it is a fast one (decision 35); any other as it is. */
  wrap(stored: string, request?: HashingRequest): Promise<string>;
  /** Waits as long as a mismatch takes, for a rejection that compares nothing. */
  wait(): Promise<void>;
}

/** What passwords are opened with; each has its default. */
export interface PasswordOptions {
  cost?: typeof ownCost;
  hash?: typeof hashPassword;
  verify?: typeof verifyStored;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
  sleep?: (milliseconds: number) => Promise<unknown>;
}

/** Opens passwords with a queue of their own, and without measurements. */
export function openPasswords({
  cost = ownCost,
  hash = hashPassword,
  verify = verifyStored,
  now = () => performance.now(),
  sleep = setTimeout,
}: PasswordOptions = {}): Passwords {
  const enqueue = createQueue(hashPace());
  const equaliser = createTimingEqualiser(now);
  let decoy: Promise<string> | undefined;

  const compareStored = async (stored: string, password: string, request?: HashingRequest) => {
    const scheme = findScheme(stored);
    const compare = () => equaliser.time(scheme, () => verify(stored, password));
    const { result, took } = await (scheme === 'digest' ? compare() : enqueue(compare, request));
    return { matches: result, took, scheme };
  };
  const waitFor = async (rest: number) => {
    if (rest >= 1) await sleep(rest);
  };

  return {
    hash: (password, request) => enqueue(() => hash(password, cost), request),
    matches: async (stored, password, request) => (await compareStored(stored, password, request)).matches,
    async wrap(stored, request) {
      const found = findDigest(stored);
      return found ? found.wrappedAs(await enqueue(() => hash(found.digest, cost), request)) : stored;
    },
    wait: () => waitFor(equaliser.slowest()),
    async compare(stored, password, request) {
      // Made before every kind of comparison: if only a mismatch made it, the first one would take longer.
      decoy ??= hash(randomBytes(18).toString('base64'), cost);
      const decoyHash = await decoy;
      const given = stored === null ? undefined : await compareStored(stored, password, request);
      if (given?.matches) return { matches: true, outdated: isOutdated(stored ?? '', cost) };
      const isSlow = given && given.scheme !== 'digest';
      const { took } = isSlow ? given : await compareStored(decoyHash, password, request);
      await waitFor(equaliser.slowest() - took);
      return { matches: false, outdated: false };
    },
  };
}

/** The passwords of this process: its services share Node's threads, and so one queue. */
export const processPasswords: Passwords = openPasswords();

/** Measures how long the latest comparisons of each scheme took, without the time in the queue. */
export interface TimingEqualiser {
  /** Runs a comparison, and measures its time in milliseconds. */
  time<Result>(scheme: string, compare: () => Promise<Result>): Promise<{ result: Result; took: number }>;
  /** Milliseconds of the slowest scheme: the median of its latest comparisons. */
  slowest(): number;
}

/** Comparisons of a scheme that count for its median. */
const latest = 9;
/** Milliseconds after which a scheme that nobody uses any more is forgotten: one slow hash must not slow down a process for good. */
const remembered = 60 * 60 * 1000;

/** Starts without measurements. `now`: milliseconds of a clock that never goes back. */
export function createTimingEqualiser(now: () => number): TimingEqualiser {
  const recent = new Map<string, { times: number[]; until: number }>();
  return {
    async time(scheme, compare) {
      const start = now();
      const result = await compare();
      const end = now();
      const took = end - start;
      const times = [...(recent.get(scheme)?.times ?? []), took].slice(-latest);
      recent.set(scheme, { times, until: end + remembered });
      return { result, took };
    },
    slowest() {
      for (const [scheme, { until }] of recent) if (until < now()) recent.delete(scheme);
      return Math.max(0, ...[...recent.values()].map(({ times }) => median(times)));
    },
  };
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
