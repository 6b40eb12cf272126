import type { Clock } from '../../client/retry.ts';
import type { ValidRow } from '../rows/validate-rows.ts';

/** Options of `holdRow`. */
export interface HoldOptions {
  clock: Clock;
  /** Epoch milliseconds. */
  now: () => number;
  /** The longest wait in milliseconds, in case a clock was set back: the longest request timeout of the job. */
  longest: number;
  /** When aborted, ends the wait. */
  signal: AbortSignal;
}

/**
 * Waits until a request that an earlier run sent for the row can no longer arrive: a look-up before then would not find the user
 * that it still creates. Returns `undefined` if there is nothing to wait for. Never rejects.
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
