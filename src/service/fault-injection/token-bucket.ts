/** A rate that holds from a time on. */
export interface Rate {
  /** Milliseconds since the bucket was opened. */
  from: number;
  /** Calls a second; 0 lets none pass. */
  perSecond: number;
}

/** Lets calls pass up to a rate. */
export interface Bucket {
  /** Takes a call at a time in milliseconds since the start: 0 when it passes, else milliseconds until one would. */
  take(elapsed: number): number;
}

/**
 * Opens a full token bucket. `rates` are in order of time; before the first one the first one holds. `burst` is
 * how many calls a rested bucket lets pass at once; default one second of the rate in force, at least 1.
 */
export function openBucket(rates: readonly [Rate, ...Rate[]], burst?: number): Bucket {
  const [first] = rates;
  const size = (rate: Rate) => burst ?? Math.max(1, rate.perSecond);
  let at = 0;
  let current = 0;
  let tokens = size(first);

  /** Fills up to `time`, piece by piece where the rate changes between. */
  function fill(time: number): Rate {
    for (;;) {
      const rate = rates[current] ?? first;
      const next = rates[current + 1];
      const until = next && next.from <= time ? next.from : time;
      tokens = Math.min(size(rate), tokens + (Math.max(0, until - at) * rate.perSecond) / 1000);
      at = Math.max(at, until);
      if (!next || next.from > time) return rate;
      current += 1;
      const { perSecond } = next;
      // What an earlier, faster rate had saved up does not outlive it.
      tokens = perSecond === 0 ? 0 : Math.min(tokens, size(next));
    }
  }

  return {
    take(elapsed) {
      const rate = fill(elapsed);
      if (rate.perSecond > 0 && tokens >= 1) {
        tokens -= 1;
        return 0;
      }
      const next = rates[current + 1];
      const refill = rate.perSecond > 0 ? ((1 - tokens) * 1000) / rate.perSecond : Infinity;
      return Math.min(refill, next ? Math.max(1, next.from - elapsed) : Infinity);
    },
  };
}
