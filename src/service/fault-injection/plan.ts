import { secretDigest } from '../storage/access/secrets.ts';
import type { Decision, FaultScript } from './fault.ts';

/** A fault script under way. */
export interface Faults {
  /** Counts a call and says what is done to it; `token` is its bearer, where the operation asks for one. */
  judge(operation: string, token?: string): Decision;
  /** How many calls each fault struck, in file order. */
  struck(): readonly number[];
}

/**
 * Begins a fault script. What becomes of the nth call of an operation depends on the script alone, except for
 * rate limits, which go by the clock; `now` in epoch milliseconds.
 */
export function planFaults({ seed, faults }: FaultScript, now: () => number): Faults {
  const started = now();
  const expired = new Set<string>();
  const counted = faults.map((fault, index) => ({
    ...fault,
    // Two streams: how often a fault's deed was reached must not move the dice of its conditions.
    dice: seededRandom(seed, 2 * index),
    random: seededRandom(seed, 2 * index + 1),
    calls: 0,
    struck: 0,
  }));

  /** A bearer that was let expire is refused where the bearer check would refuse it: before the handler. */
  function withExpiry(verdict: Decision, token: string | undefined): Decision {
    if (token === undefined) return verdict;
    const { ending } = verdict;
    if (ending?.kind === 'expired') expired.add(secretDigest(token));
    if (expired.size === 0 || (ending && !ending.afterCommit) || !expired.has(secretDigest(token)))
      return verdict;
    return { ...verdict, ending: { kind: 'expired', afterCommit: false } };
  }

  return {
    judge(operation, token) {
      const verdict: Decision = { delayBefore: 0, delayAfter: 0 };
      const at = now();
      for (const fault of counted) {
        if (fault.operations && !fault.operations.has(operation)) continue;
        fault.calls += 1;
        // Every condition is asked, so that the dice are thrown once a call whatever the others say.
        const answers = fault.conditions.map((holds) => holds(fault.calls, fault.dice));
        if (verdict.ending || answers.includes(false)) continue;
        const change = fault.deed({ now: at, elapsed: at - started, token, random: fault.random });
        if (!change) continue;
        fault.struck += 1;
        verdict.delayBefore += change.delayBefore ?? 0;
        verdict.delayAfter += change.delayAfter ?? 0;
        if (change.ending) verdict.ending = change.ending;
      }
      return withExpiry(verdict, token);
    },
    struck: () => counted.map(({ struck }) => struck),
  };
}

/** Random numbers from 0 to 1, 1 excluded, that are the same for the same seed and stream (mulberry32). */
function seededRandom(seed: number, stream: number): () => number {
  let state = (seed ^ Math.imul(stream + 1, 0x9e3779b1)) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
