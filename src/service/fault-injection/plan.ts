import { secretDigest } from '../storage/access/secrets.ts';
import { expiredToken } from './endings.ts';
import type { Decision } from './fault.ts';
import type { FaultScript } from './read-script.ts';

/** A running fault script. */
export type Faults = ReturnType<typeof planFaults>;

/**
 * Starts a fault script. What happens to the nth call of an operation depends on the script alone, except for rate
 * limits, which depend on the clock; `now` in epoch milliseconds.
 */
export function planFaults({ seed, faults }: FaultScript, now: () => number) {
  const started = now();
  const expired = new Set<string>();
  const counted = faults.map((fault, index) => ({
    ...fault,
    // Two streams, so that the random numbers of an action do not change those of the conditions.
    chance: seededRandom(seed, 2 * index),
    random: seededRandom(seed, 2 * index + 1),
    calls: 0,
    triggered: 0,
  }));

  /** Rejects a token that a fault has expired where the check of the bearer token would: before the handler. */
  function withExpiry(decision: Decision, token: string | undefined): Decision {
    if (token === undefined) return decision;
    const { ending } = decision;
    if (ending === expiredToken) expired.add(secretDigest(token));
    if (expired.size === 0 || (ending && !ending.afterCommit) || !expired.has(secretDigest(token)))
      return decision;
    return { ...decision, ending: expiredToken };
  }

  return {
    /** Counts a call and decides what happens to it; `token` is its bearer token, if the operation requires one. */
    decide(operation: string, token?: string): Decision {
      const decision: Decision = { delayBefore: 0, delayAfter: 0 };
      const at = now();
      for (const fault of counted) {
        if (!fault.appliesTo(operation)) continue;
        fault.calls += 1;
        // All conditions are evaluated, so that each takes one random number per call, whatever the results of the others.
        const results = fault.conditions.map((holds) => holds(fault.calls, fault.chance));
        if (decision.ending || results.includes(false)) continue;
        const change = fault.action({ now: at, elapsed: at - started, token, random: fault.random });
        if (!change) continue;
        fault.triggered += 1;
        decision.delayBefore += change.delayBefore ?? 0;
        decision.delayAfter += change.delayAfter ?? 0;
        if (change.ending) decision.ending = change.ending;
      }
      return withExpiry(decision, token);
    },
    /** How often each fault was triggered, in file order. */
    triggered: (): readonly number[] => counted.map(({ triggered }) => triggered),
  };
}

/** Returns a generator of numbers from 0 up to but not including 1, the same for the same seed and stream (mulberry32). */
function seededRandom(seed: number, stream: number): () => number {
  let state = (seed ^ Math.imul(stream + 1, 0x9e3779b1)) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
