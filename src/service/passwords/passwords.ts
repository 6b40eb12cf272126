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

/** Hashes passwords, and compares them with stored forms. */
export type Passwords = ReturnType<typeof openPasswords>;

/** Opens passwords with their own queue, and without measurements. `now`: monotonic clock in milliseconds. */
export function openPasswords({
  cost = ownCost,
  hash = hashPassword,
  verify = verifyStored,
  now = () => performance.now(),
  sleep = (milliseconds: number): Promise<unknown> => setTimeout(milliseconds),
} = {}) {
  const { enqueue, isFull } = createQueue(hashPace());
  const equaliser = createTimingEqualiser(now);
  let decoy: Promise<string> | undefined;

  const compareStored = async (stored: string, password: string, request: HashingRequest) => {
    const scheme = findScheme(stored);
    const compare = () => equaliser.time(scheme, () => verify(stored, password));
    const { result, took } = await (scheme === 'digest' ? compare() : enqueue(compare, request));
    return { matches: result, took, scheme };
  };
  const waitFor = async (rest: number) => {
    if (rest >= 1) await sleep(rest);
  };

  return {
    isFull,
    /** Returns the stored form of a new password. */
    hash: (password: string, request: HashingRequest) => enqueue(() => hash(password, cost), request),
    /** True if a password matches a stored form. */
    matches: async (stored: string, password: string, request: HashingRequest) =>
      (await compareStored(stored, password, request)).matches,
    /** Returns a stored form with its digest wrapped, if it is a fast one (decision 35); returns any other form unchanged. */
    async wrap(stored: string, request: HashingRequest): Promise<string> {
      const found = findDigest(stored);
      return found ? found.wrappedAs(await enqueue(() => hash(found.digest, cost), request)) : stored;
    },
    /** Waits as long as a mismatch takes; for rejections that compare nothing. */
    wait: () => waitFor(equaliser.slowest()),
    /**
     * Compares a password with a user's stored form. A mismatch takes the same time for every scheme, and without a stored password,
     * so that the time does not reveal which users exist (decision 35). Therefore a missing password or a fast digest also costs a
     * comparison with the service's own scheme, and a mismatch faster than the slowest scheme waits for the rest of its time. Each
     * mismatch waits in the queue once, because digests are compared outside of it. An empty password matches nothing, not even the
     * hash of the empty text. `outdated`: the password should be hashed again with the service's own scheme.
     */
    async compare(stored: string | null, password: string, request: HashingRequest) {
      // Made before every comparison: if only mismatches made it, the first mismatch would take longer.
      decoy ??= hash(randomBytes(18).toString('base64'), cost).catch((error) => {
        decoy = undefined;
        throw error;
      });
      const decoyHash = await decoy;
      const isComparable = stored !== null && password !== '';
      const given = isComparable ? await compareStored(stored, password, request) : undefined;
      if (given?.matches) return { matches: true, outdated: isOutdated(stored ?? '', cost) };
      const isSlow = given && given.scheme !== 'digest';
      const { took } = isSlow ? given : await compareStored(decoyHash, password, request);
      await waitFor(equaliser.slowest() - took);
      return { matches: false, outdated: false };
    },
  };
}

/** The passwords of this process: its services share Node's threads, and therefore one queue. */
export const processPasswords: Passwords = openPasswords();

/** Number of comparisons of a scheme from which its median is taken. */
const latest = 9;
/** Milliseconds after which an unused scheme is forgotten: one slow hash must not slow a process down for good. */
const remembered = 60 * 60 * 1000;

/**
 * Creates an equaliser without measurements: it measures how long the latest comparisons of each scheme took, excluding the time in
 * the queue. `now`: monotonic clock in milliseconds.
 */
export function createTimingEqualiser(now: () => number) {
  const recent = new Map<string, { times: number[]; until: number }>();
  return {
    /** Runs a comparison; `took` is its time in milliseconds. */
    async time<Result>(scheme: string, compare: () => Promise<Result>) {
      const start = now();
      const result = await compare();
      const end = now();
      const took = end - start;
      const times = [...(recent.get(scheme)?.times ?? []), took].slice(-latest);
      recent.set(scheme, { times, until: end + remembered });
      return { result, took };
    },
    /** Returns the median of the slowest scheme's latest comparisons, in milliseconds. */
    slowest(): number {
      for (const [scheme, { until }] of recent) if (until < now()) recent.delete(scheme);
      return Math.max(0, ...[...recent.values()].map(({ times }) => median(times)));
    },
  };
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
