/** A request under way that must not take longer than the limit. */
export interface TimedRequest {
  /** Called once, when its time is over. */
  expire(): void;
}

/** Ends requests that take longer than the limit that all have in common. */
export interface TimeoutQueue {
  begin(request: TimedRequest): void;
  /** Does nothing to a request that has not begun, or has ended. */
  end(request: TimedRequest): void;
}

/**
 * Keeps the deadlines of many requests with one timer of Node, exact to some milliseconds; the timers of undici are late by up to
 * a second. A map keeps the order of insertion, and all have the same limit (milliseconds), so the first expires first.
 */
export function createTimeoutQueue(limit: number): TimeoutQueue {
  /** Each with its deadline, in milliseconds of `monotonic()`. */
  const requests = new Map<TimedRequest, number>();
  let timer: NodeJS.Timeout | undefined;

  function wakeIn(wait: number): NodeJS.Timeout {
    // What is under way holds the process by itself; the timer must not.
    return setTimeout(sweep, Math.ceil(wait)).unref();
  }

  function sweep() {
    timer = undefined;
    for (const [request, deadline] of requests) {
      const left = deadline - monotonic();
      if (left > 0) {
        if (!timer) timer = wakeIn(left);
        return;
      }
      requests.delete(request);
      request.expire();
    }
  }

  return {
    begin(request) {
      requests.delete(request);
      requests.set(request, monotonic() + limit);
      if (!timer) timer = wakeIn(limit);
    },
    end: (request) => void requests.delete(request),
  };
}

/** Milliseconds that never go back, as those of `performance`, which takes long to load. */
function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
