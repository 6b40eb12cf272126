import { setTimeout as sleep } from 'node:timers/promises';
import { NetworkError } from './errors.ts';

const attempts = 4;
const firstWait = 200;
const longestWait = 20_000;

/**
 * Runs a call whose repeat is harmless, up to four times, and tells it which time it is, from 1: again after a lost connection, a time-out, 429 or a
 * gateway's error, with growing waits and full jitter, or after the wait the
 * service asked for, unless that is longer than 20 seconds. An aborted signal ends the waiting.
 */
export async function withRetries<T>(call: (attempt: number) => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call(attempt);
    } catch (failure) {
      if (attempt === attempts || !isPassing(failure) || signal.aborted) throw failure;
      // Coming back before the time that was asked for would only be refused again.
      if ((failure.retryAfter ?? 0) > longestWait) throw failure;
      const backoff = Math.random() * firstWait * 2 ** attempt;
      await sleep(failure.retryAfter ?? backoff, undefined, { signal });
    }
  }
}

const passing = new Set([429, 502, 503, 504]);

function isPassing(failure: unknown): failure is NetworkError {
  if (!(failure instanceof NetworkError)) return false;
  if (failure.status !== undefined) return passing.has(failure.status);
  return failure.fault === 'interrupted' || failure.fault === 'unreachable' || failure.fault === 'timeout';
}
