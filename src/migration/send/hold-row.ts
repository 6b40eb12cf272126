import { type Clock, waitOrAbort } from '../../client/retry.ts';
import type { ValidRow } from '../rows/validate-rows.ts';

/** How long to wait for requests of earlier runs. */
export interface HoldOptions {
  clock: Clock;
  /** Epoch milliseconds. */
  now: () => number;
  /** The longest wait in milliseconds, in case a clock was set back: the longest time that a call of the job may take to arrive. */
  longest: number;
  /** When aborted, ends the wait. */
  signal: AbortSignal;
}

/**
 * Waits until a request that an earlier run sent for the row can no longer arrive: a look-up before then would not find the user
 * that it still creates. Returns `undefined` if there is nothing to wait for. Never rejects.
 */
export function holdRow(
  { arrivesUntil = 0 }: ValidRow,
  { clock, now, longest, signal }: HoldOptions,
): Promise<void> | undefined {
  const wait = Math.min(arrivesUntil - now(), longest);
  return wait <= 0 || signal.aborted ? undefined : waitOrAbort(wait, clock, signal).catch(() => {});
}
