import { type Clock, systemClock } from '../../client/retry.ts';
import { createConcurrencyFinder } from './find-concurrency.ts';
import { type RateSample, recordHistory } from './history.ts';
import { createRateLearner } from './learn-rate.ts';
import type { StartingPace } from './measure-pace.ts';
import type { WindowGate } from './sending-window.ts';

/**
 * How a call ended: `answered`, even with an API error; `notTheApi`: something else answered; `throttled` (429); `busy` (503);
 * `failing` (another 5xx); `lost` on the way, with unknown effect; `unreachable`.
 */
export type PermitOutcome =
  | 'answered'
  | 'notTheApi'
  | 'throttled'
  | 'busy'
  | 'failing'
  | 'lost'
  | 'unreachable';

/** Permission to make one call now. */
export interface Permit {
  /** Ends the call; must be called once. `retryAfter`: milliseconds that the service asked to wait. */
  end(outcome: PermitOutcome, retryAfter?: number): void;
}

export interface RateLimiterOptions extends Partial<Clock> {
  /** Maximum calls in flight; `auto` finds out how many work best. */
  concurrency: number | 'auto';
  /** Maximum calls per second; without it, the limit of the service is found by trial. */
  rate?: number | undefined;
  /** Pace that the service sustained earlier, from which the search starts. */
  start?: StartingPace | undefined;
  /** Holds rows back while the window is closed; left out if rows may be sent at any time. */
  gate?: WindowGate | undefined;
  /** When aborted, no more permits are given. */
  signal?: AbortSignal | undefined;
}

/** Milliseconds after which the wall clock is read again, because the machine may have slept and timers have a maximum length. */
const longestTimer = 30_000;

/** Returns how many calls may be made at once after a rest, which makes up for late timers. */
export function burstOf(rate: number): number {
  return Math.max(2, Math.floor(rate / 40));
}

/** Fraction of the rate with which a run continues when its window opens again. */
const afterRest = 0.95;

/** From this many consecutive failures on, calls are made one at a time until one is answered. */
const downFrom = 2;
const longestBackoff = 2000;
const longestThrottle = 5000;

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Creates the limiter of the rate and the concurrency of all calls of a run. Callers are served in order, and neither is ever
 * exceeded, however many wait.
 */
export function createRateLimiter(options: RateLimiterOptions) {
  const { concurrency, rate: cap = Infinity, start, gate, signal } = options;
  const { now, schedule } = { ...systemClock, ...options };
  const finder = concurrency === 'auto' ? createConcurrencyFinder(start?.concurrency) : undefined;
  let learner = createRateLearner(start?.rate);
  const history = recordHistory(now());
  const waiting: ((permit: Permit | undefined) => void)[] = [];
  const begun: typeof waiting = [];
  let inFlight = 0;
  /** When as many calls were last in flight as are allowed. */
  let fullAt = -Infinity;
  let cancelTimer: (() => void) | undefined;
  /** When the next call is due if calls are evenly spaced at the current rate. */
  let due = now();
  let interval = 1000 / Math.min(cap, learner.rate());
  /** Calls that may be made at once. */
  let burst = Infinity;
  let pausedUntil = 0;
  /** When the last throttled answer or failure came. Calls sent before belong to the same event. */
  let event = -Infinity;
  let failures = 0;
  let throttles = 0;
  let scarcity = 0;
  /** When the window has closed; a call that ends afterwards counts as one of that moment. */
  let closedAt = Infinity;

  const isResting = () => inFlight + begun.length + waiting.length === 0;
  const limit = () => (typeof concurrency === 'number' ? concurrency : (finder?.limit() ?? 1));

  /** Milliseconds until a permit may be given; `Infinity`: not before a call ends. */
  function delay(time: number): number {
    if (inFlight >= (failures >= downFrom ? 1 : limit())) return Infinity;
    const tolerance = interval === 0 ? 0 : (Math.min(burstOf(1000 / interval), burst) - 1) * interval;
    const wait = Math.max(pausedUntil - time, due - tolerance - time);
    // Smaller values are rounding errors, for which a timer would not advance the clock.
    return wait < 1e-6 ? 0 : wait;
  }

  function grant(time: number): Permit {
    inFlight += 1;
    due = Math.max(due, time) + interval;
    if (inFlight >= limit()) fullAt = time;
    return {
      end(outcome, retryAfter) {
        inFlight -= 1;
        learn(outcome, time, now(), retryAfter);
        pump();
        if (isResting()) history.rest(now());
      },
    };
  }

  function pump(): void {
    while (begun.length + waiting.length > 0 && !signal?.aborted) {
      const closed = begun.length > 0 ? 0 : (gate?.wait() ?? 0);
      const time = now();
      const wait = Math.max(delay(time), Math.min(closed, longestTimer));
      if (wait > 0) {
        cancelTimer?.();
        cancelTimer = Number.isFinite(wait) ? schedule(wait, onTimer) : undefined;
        return;
      }
      (begun.shift() ?? waiting.shift())?.(grant(time));
    }
  }

  function onTimer(): void {
    cancelTimer = undefined;
    pump();
  }

  function learn(outcome: PermitOutcome, sent: number, time: number, retryAfter?: number): void {
    const isNew = sent > event;
    scarcity *= 0.98;
    if (retryAfter !== undefined) pausedUntil = Math.max(pausedUntil, time + retryAfter);
    const isAnswered = outcome === 'answered' || outcome === 'notTheApi';
    if (isAnswered) {
      failures = 0;
      throttles = 0;
      learner.answered(time, sent);
      // In a batch of calls only the last one reaches the limit, so the calls before it count as full, too.
      finder?.answered(time, time - sent, fullAt >= sent);
      setRate(time);
    } else if (outcome === 'throttled' || outcome === 'busy') {
      scarcity += 0.02;
      // An occasional busy answer is no sign of a rate limit; frequent ones may be.
      const isLimit = outcome === 'throttled' || scarcity > 0.05;
      if (isNew && isLimit) throttle(time, sent, retryAfter);
      else if (isLimit) learner.throttledToo();
      if (!isLimit) finder?.troubled(time);
    } else fail(time, isNew);
    const what = isAnswered ? 'answered' : outcome === 'throttled' ? outcome : 'failed';
    history.note(Math.min(time, closedAt), what, limit(), 1000 / interval);
  }

  function throttle(time: number, sent: number, retryAfter: number | undefined): void {
    event = time;
    const backoff = Math.min(100 * 2 ** throttles, longestThrottle);
    throttles += 1;
    pausedUntil = Math.max(pausedUntil, time + Math.max(retryAfter ?? 0, backoff));
    learner.throttled(time, sent, pausedUntil);
    setRate(time);
  }

  function fail(time: number, isNew: boolean): void {
    finder?.troubled(time);
    if (!isNew && failures > 0) return;
    failures += 1;
    event = time;
    if (failures < downFrom) return;
    const backoff = Math.min(100 * 2 ** (failures - downFrom), longestBackoff);
    pausedUntil = Math.max(pausedUntil, time + backoff * (0.75 + Math.random() / 4));
  }

  /** Applies the learned rate. The number of permits until the next call is due stays the same. */
  function setRate(time: number): void {
    const next = 1000 / Math.min(cap, learner.rate());
    if (next === interval) return;
    due = interval === 0 ? time : time + ((due - time) * next) / interval;
    interval = next;
    burst = learner.burst();
  }

  /** After a closed window, learning starts again just below the last rate: time without calls would distort what was learned. */
  gate?.onChange((opensAt) => {
    const time = now();
    if (opensAt === undefined) history.leaveOut(closedAt, time);
    closedAt = opensAt === undefined ? Infinity : time;
    if (opensAt !== undefined) return;
    learner = createRateLearner(learner.rate() * afterRest);
    setRate(time);
  });

  signal?.addEventListener('abort', () => {
    cancelTimer?.();
    for (const resolve of [...begun.splice(0), ...waiting.splice(0)]) resolve(undefined);
  });

  /** Returns a permit if one is available without waiting; otherwise `undefined`. */
  function tryAcquire(isBegun = false): Permit | undefined {
    const time = now();
    history.wake(Math.min(time, closedAt));
    const isOpen = isBegun || !gate || gate.wait() === 0;
    // A listener that was called because the window has closed may have stopped the run.
    if (!isOpen || signal?.aborted || begun.length + waiting.length > 0) return undefined;
    return delay(time) > 0 ? undefined : grant(time);
  }

  return {
    tryAcquire,
    /**
     * Waits for a permit, in the order of the calls; `undefined` if the run is stopped first. `isBegun`: the call completes a row
     * that was sent, so it takes precedence over all others and is not held back by a closed window.
     */
    acquire(isBegun = false): Promise<Permit | undefined> {
      const free = tryAcquire(isBegun);
      if (free || signal?.aborted) return Promise.resolve(free);
      const queue = isBegun ? begun : waiting;
      return new Promise((resolve) => {
        if (queue.push(resolve) === 1) pump();
      });
    },
    /** Maximum calls in flight at the moment. */
    concurrency: limit,
    limits: () => ({
      /** Calls in flight. */
      inFlight,
      /** Maximum calls in flight. */
      concurrency: limit(),
      /** Maximum calls per second; `Infinity` if there is no limit. */
      rate: 1000 / interval,
      /** Milliseconds until the next call may be made, if the whole run is paused. */
      pause: Math.max(pausedUntil - now(), 0),
    }),
    /** History of the run, in at most 300 samples. */
    history: (): readonly RateSample[] => history.samples(),
  };
}
