import { NetworkError } from './errors.ts';

/** Time that passes, and what waits for it: the system's, or that of a test. */
export interface Clock {
  /** Milliseconds that never go back. */
  now(): number;
  /** Calls back once after so many milliseconds, unless it is cancelled. */
  schedule(wait: number, wake: () => void): () => void;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  schedule(wait, wake) {
    const timer = setTimeout(wake, Math.ceil(wait));
    return () => clearTimeout(timer);
  },
};

const attempts = 4;
const firstWait = 200;
const longestWait = 20_000;

/**
 * Runs a call that can be repeated without harm, up to four times, each with its number from 1: again after a lost connection, a time-out, 429 or a
 * gateway's error, with growing waits and full jitter, or after the wait the
 * service asked for, unless that is longer than 20 seconds. An aborted signal ends the waiting.
 */
export async function withRetries<T>(
  call: (attempt: number) => Promise<T>,
  clock: Clock,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call(attempt);
    } catch (failure) {
      if (attempt === attempts || !isTransient(failure) || signal.aborted) throw failure;
      // A retry before that time would only be refused again.
      if ((failure.retryAfter ?? 0) > longestWait) throw failure;
      const backoff = Math.random() * firstWait * 2 ** attempt;
      await waitOrAbort(failure.retryAfter ?? backoff, clock, signal);
    }
  }
}

/** Ends early, with the signal's reason, when that is aborted. */
export function waitOrAbort(wait: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.schedule(wait, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

const transient = new Set([429, 502, 503, 504]);

function isTransient(failure: unknown): failure is NetworkError {
  if (!(failure instanceof NetworkError)) return false;
  if (failure.status !== undefined) return transient.has(failure.status);
  return failure.fault === 'interrupted' || failure.fault === 'unreachable' || failure.fault === 'timeout';
}
