import { NetworkError, type NetworkFault } from './errors.ts';

/** Source of time and timers: that of the system, or of a test. */
export interface Clock {
  /** Monotonic time in milliseconds. */
  now(): number;
  /** Calls `wake` once after `wait` milliseconds. Returns a function that cancels the call. */
  schedule(wait: number, wake: () => void): () => void;
}

/** The clock of this machine. */
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
 * Runs a repeatable call up to four times, passing the number of the attempt, from 1. Retries after a lost connection, a timeout, a
 * 429 or a gateway's error, with growing waits and full jitter, or after the wait that the service asked for, unless that is longer
 * than 20 seconds. Aborting the signal ends the waiting; the call then fails as its last attempt did.
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
      // An earlier retry would only be refused again.
      if ((failure.retryAfter ?? 0) > longestWait) throw failure;
      const backoff = Math.random() * firstWait * 2 ** attempt;
      await waitOrAbort(failure.retryAfter ?? backoff, clock, signal).catch(() => {
        throw failure;
      });
    }
  }
}

/** Waits `wait` milliseconds. Rejects with the signal's reason as soon as the signal is aborted. */
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

/** Faults after which the same call may succeed at once, or after a short wait. */
const transient: ReadonlySet<NetworkFault> = new Set([
  'throttled',
  'busy',
  'unavailable',
  'interrupted',
  'unreachable',
  'timeout',
]);

function isTransient(failure: unknown): failure is NetworkError {
  return failure instanceof NetworkError && transient.has(failure.fault);
}
