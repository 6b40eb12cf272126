import {
  createRateLimiter,
  type PermitOutcome,
  type RateLimiterOptions,
} from '../../../src/migration/rate-limit/limiter.ts';

/**
 * Waits until everything that depends on promises alone has happened. A turn of the event loop would take many times as
 * long.
 */
const promisesSettled = () => new Promise<void>((resolve) => process.nextTick(resolve));

/**
 * A clock that jumps from one scheduled action to the next. `late` says when an action happens on a busy machine. The
 * clock waits for `settled` before each jump; use `setImmediate` if files are read and written meanwhile.
 */
export function createClock(late = (due: number) => due, settled: () => Promise<unknown> = promisesSettled) {
  let time = 0;
  /** Sorted by time; actions of the same time in the order in which they were scheduled. */
  const due: { at: number; act: () => void }[] = [];

  function schedule(wait: number, act: () => void): () => void {
    const entry = { at: late(time + Math.max(wait, 0)), act };
    due.splice(due.findLastIndex(({ at }) => at <= entry.at) + 1, 0, entry);
    return () => {
      const index = due.indexOf(entry);
      if (index >= 0) due.splice(index, 1);
    };
  }

  return {
    now: () => time,
    schedule,
    /** Runs until no action is left, or until this time. */
    async run(until = Infinity): Promise<void> {
      for (;;) {
        await settled();
        const [next] = due;
        if (!next || next.at > until) break;
        due.shift();
        time = Math.max(time, next.at);
        next.act();
      }
      if (Number.isFinite(until)) time = until;
    },
  };
}

/** How a service answers a call that reaches it at this time. */
export type Service = (
  time: number,
  inFlight: number,
) => { outcome: PermitOutcome; latency: number; retryAfter?: number };

/** One call of a simulated run. */
export interface Call {
  sent: number;
  outcome: PermitOutcome;
}

/**
 * Runs against a service for some time, with more rows than it can handle, and as many rows waiting as the limiter
 * allows.
 */
export async function simulate(
  service: Service,
  seconds: number,
  options: Partial<RateLimiterOptions> = {},
  clock = createClock(),
) {
  const stop = new AbortController();
  const limiter = createRateLimiter({ concurrency: 'auto', ...clock, signal: stop.signal, ...options });
  const calls: Call[] = [];
  let taken = 0;
  let inFlight = 0;
  let most = 0;

  async function settle(): Promise<void> {
    for (;;) {
      const permit = await limiter.acquire();
      if (!permit) return;
      inFlight += 1;
      most = Math.max(most, inFlight);
      const answer = service(clock.now(), inFlight);
      calls.push({ sent: clock.now(), outcome: answer.outcome });
      await new Promise<void>((resolve) => void clock.schedule(answer.latency, resolve));
      inFlight -= 1;
      permit.end(answer.outcome, answer.retryAfter);
      if (answer.outcome === 'answered') return;
    }
  }

  function fill(): void {
    while (taken < limiter.limits().concurrency && !stop.signal.aborted) {
      taken += 1;
      void settle().finally(() => {
        taken -= 1;
        fill();
      });
    }
  }

  fill();
  await clock.run(seconds * 1000);
  stop.abort();
  return { calls, limiter, most, clock };
}

/** Answers a second, and the share of calls that were throttled, between two times in seconds. */
export function figures(calls: readonly Call[], from: number, to: number) {
  const part = calls.filter(({ sent }) => sent >= from * 1000 && sent < to * 1000);
  const throttled = part.filter(({ outcome }) => outcome !== 'answered').length;
  return { speed: (part.length - throttled) / (to - from), throttled: throttled / part.length };
}
