/** A rate, and the time from which it applies. */
export interface Rate {
  /** Milliseconds since the bucket was created. */
  from: number;
  /** Calls per second; 0 lets none pass. */
  perSecond: number;
}

/** A token bucket: limits the rate of calls, and allows a burst after a pause. */
export type TokenBucket = ReturnType<typeof createTokenBucket>;

/**
 * Creates a full bucket. `rates` are ordered by time; the first one also applies before its time. `burst` is the size of the
 * bucket, by default one second of the current rate, at least 1.
 */
export function createTokenBucket(rates: readonly [Rate, ...Rate[]], burst?: number) {
  const [first] = rates;
  const size = (rate: Rate) => burst ?? Math.max(1, rate.perSecond);
  let at = 0;
  let current = 0;
  let tokens = size(first);

  /** Fills the bucket up to `time`, step by step where the rate changes. A clock that goes back adds nothing. */
  function fill(time: number): Rate {
    for (;;) {
      const rate = rates[current] ?? first;
      const next = rates[current + 1];
      const until = next && next.from <= time ? next.from : time;
      tokens = Math.min(size(rate), tokens + (Math.max(0, until - at) * rate.perSecond) / 1000);
      at = until;
      if (!next || next.from > time) return rate;
      current += 1;
      const { perSecond } = next;
      // Tokens of an earlier, faster rate are not kept.
      tokens = perSecond === 0 ? 0 : Math.min(tokens, size(next));
    }
  }

  return {
    /** Takes a token at `elapsed` milliseconds since the start. Returns 0 if there was one, otherwise the milliseconds to wait. */
    acquire(elapsed: number): number {
      const rate = fill(elapsed);
      if (rate.perSecond > 0 && tokens >= 1) {
        tokens -= 1;
        return 0;
      }
      const next = rates[current + 1];
      const refill = rate.perSecond > 0 ? ((1 - tokens) * 1000) / rate.perSecond : Infinity;
      return Math.min(refill, next ? Math.max(1, next.from - elapsed) : Infinity);
    },
    /** True if the bucket is full at this time, as if it had never been used. */
    isFull: (elapsed: number) => {
      const rate = fill(elapsed);
      return tokens >= size(rate);
    },
  };
}
