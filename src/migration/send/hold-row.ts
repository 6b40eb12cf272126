import { type Clock, waitOrAbort } from '../../client/retry.ts';
import type { Journal } from '../journal/journal.ts';
import { endOfRun } from '../journal/read-journal.ts';
import type { ValidatedRow, ValidRow } from '../rows/validate-rows.ts';

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
export function holdRow({ user, arrivesUntil }: ValidRow, options: HoldOptions): Promise<void> | undefined {
  const mayBeFound = user.external_id !== undefined;
  return arrivesUntil === undefined || !mayBeFound ? undefined : waitUntil(arrivesUntil, options);
}

/**
 * Passes rows through once no request of an earlier run can arrive any more. For a run that sends nothing: if it looked a row up
 * before, it would count the row as not sent, and no later step would find the user.
 */
export async function* afterRequests(
  lists: AsyncGenerator<readonly ValidatedRow[], void>,
  journal: Journal,
  options: HoldOptions,
): AsyncGenerator<readonly ValidatedRow[], void> {
  const [before, current] = journal.runs().slice(-2);
  const ended = endOfRun(before, current?.started_at ?? options.now());
  try {
    await waitUntil(ended + options.longest, options);
    yield* lists;
  } finally {
    await lists.return();
  }
}

function waitUntil(time: number, { clock, now, longest, signal }: HoldOptions): Promise<void> | undefined {
  const wait = Math.min(time - now(), longest);
  return wait <= 0 || signal.aborted ? undefined : waitOrAbort(wait, clock, signal).catch(() => {});
}
