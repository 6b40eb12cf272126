import type { Clock } from '../../client/retry.ts';
import type { ValidRow } from '../rows/validate-rows.ts';

/** What the waiting for a row needs to know. */
export interface HoldOptions {
  clock: Clock;
  /** Epoch milliseconds. */
  now: () => number;
  /** Milliseconds, the longest wait: a clock may have been set back. */
  longest: number;
  /** Ends the waiting. */
  signal: AbortSignal;
}

/**
 * Waits until the request of an earlier run for the row has arrived or never will: a look-up before that would not find the
 * user that it still creates. `undefined` where there is nothing to wait for. Never rejects.
 */
export function holdRow({ user, arrivesUntil }: ValidRow, options: HoldOptions): Promise<void> | undefined {
  const { clock, now, longest, signal } = options;
  const mayBeFound = user.external_id !== undefined;
  const wait = arrivesUntil === undefined || !mayBeFound ? 0 : Math.min(arrivesUntil - now(), longest);
  if (wait <= 0 || signal.aborted) return undefined;
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.schedule(wait, end);
    signal.addEventListener('abort', end);
  });
}
