/** Something under way that must not take longer than the limit; a link of a list, so that keeping it costs next to nothing. */
export interface TimedRequest {
  /** Milliseconds of `performance.now()`. */
  deadline: number;
  earlier: TimedRequest | undefined;
  later: TimedRequest | undefined;
  /** Called once, when its time is over. */
  expire(): void;
}

/** Ends what takes longer than the limit that all have in common. */
export interface TimeoutQueue {
  begin(one: TimedRequest): void;
  /** Does nothing to what has not begun, or has ended. */
  end(one: TimedRequest): void;
}

/**
 * Keeps the deadlines of many short affairs with one timer of Node, exact to some milliseconds. The timers of undici
 * are cheap as well, but late by up to a second. All have the same limit (milliseconds), so the oldest ends first.
 */
export function createTimeoutQueue(limit: number): TimeoutQueue {
  let oldest: TimedRequest | undefined;
  let newest: TimedRequest | undefined;
  let timer: NodeJS.Timeout | undefined;

  function wakeIn(wait: number) {
    // What is under way holds the process by itself; the timer must not.
    timer = setTimeout(sweep, Math.ceil(wait)).unref();
  }

  function sweep() {
    timer = undefined;
    while (oldest) {
      const left = oldest.deadline - performance.now();
      if (left > 0) return wakeIn(left);
      const late = oldest;
      end(late);
      late.expire();
    }
  }

  function end(one: TimedRequest) {
    const { earlier, later } = one;
    if (earlier) earlier.later = later;
    else if (oldest === one) oldest = later;
    if (later) later.earlier = earlier;
    else if (newest === one) newest = earlier;
    one.earlier = undefined;
    one.later = undefined;
  }

  return {
    begin(one) {
      one.deadline = performance.now() + limit;
      one.earlier = newest;
      if (newest) newest.later = one;
      else oldest = one;
      newest = one;
      if (!timer) wakeIn(limit);
    },
    end,
  };
}
