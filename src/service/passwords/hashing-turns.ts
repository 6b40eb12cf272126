import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { Turns } from './take-turns.ts';

/** One of the four threads on which Node resolves names and reads files is left to that. */
const mostThreads = 3;
/** Milliseconds over which it is seen what else there is to do: a few hashes long. */
const span = 50;
/** Events of the event loop for each hash: a create has about five, so that with more there is something else to do. */
const busyFrom = 20;

/**
 * Shares the cores between hashing and everything else, so that look-ups keep half of their pace beside a storm of creates.
 * While there is nothing else to do, there are hashes for all cores and one in reserve, so that no core waits for the
 * next. Otherwise a core is left to the event loop, and on two cores, of which its caller may need one too, hashing also
 * rests for half of the time. `events`: how many the event loop has handled so far.
 */
export function createHashingTurns(
  cores = availableParallelism(),
  now: () => number = () => performance.now(),
  events: () => number = eventsHandled,
): Turns {
  let since = now();
  let before = events();
  let hashes = 0;
  let wasBusy = false;

  function isBusy(): boolean {
    if (now() - since >= span) {
      const total = events();
      wasBusy = total - before >= busyFrom * Math.max(1, hashes);
      since = now();
      before = total;
      hashes = 0;
    }
    return wasBusy;
  }

  return {
    atOnce: () => Math.min(mostThreads, isBusy() ? Math.max(1, cores - 1) : cores + 1),
    restAfter(took) {
      hashes += 1;
      return isBusy() && cores <= 2 ? took : 0;
    },
  };
}

/** Node 22 counts them from 22.8 on; without a count nothing else seems to be done. */
function eventsHandled(): number {
  const { uvMetricsInfo } = performance.nodeTiming as Partial<typeof performance.nodeTiming>;
  return uvMetricsInfo?.events ?? 0;
}
