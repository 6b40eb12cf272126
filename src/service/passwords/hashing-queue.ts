import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';

/** How many tasks may run at the same time, and what is between two of them. */
export interface Turns {
  /** At least 1; may change meanwhile. */
  atOnce(): number;
  /** Milliseconds for which a place stays empty after a task that took so many. */
  restAfter(took: number): number;
}

/** Runs tasks that come in at any rate, at most `atOnce()` of them at a time, first come first served. */
export function takeTurns({
  atOnce,
  restAfter,
}: Turns): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;

  function end(): void {
    running -= 1;
    while (waiting.length > 0 && running < atOnce()) {
      running += 1;
      waiting.shift()?.();
    }
  }

  return async (task) => {
    // A newcomer does not slip in before those who wait.
    if (waiting.length === 0 && running < atOnce()) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    const began = performance.now();
    try {
      return await task();
    } finally {
      const rest = restAfter(performance.now() - began);
      if (rest > 0) setTimeout(end, rest);
      else end();
    }
  };
}

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
