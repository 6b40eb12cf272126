import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';

/** Runs tasks in the order of their arrival, at most `limit()` of them at a time; the limit may change meanwhile. */
export function createQueue(limit: () => number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;

  function end(): void {
    running -= 1;
    while (waiting.length > 0 && running < limit()) {
      running += 1;
      waiting.shift()?.();
    }
  }

  return async (task) => {
    // A newcomer must not overtake those who wait.
    if (waiting.length === 0 && running < limit()) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      end();
    }
  };
}

/** One of Node's four threads is left for other work, such as resolving names and reading files. */
const mostThreads = 3;
/** Milliseconds over which the load of the event loop is measured: a few hashes long. */
const span = 50;
/** Creates alone keep the event loop busy for a fraction of this. */
const busyFrom = 0.5;

/**
 * Limits the hashes that run at the same time. There is one for each core and one in reserve, so that no core waits for the
 * next one; while the event loop is busy for half of the time or more, one core is left to it, so that look-ups do not wait
 * for a storm of creates. `readLoop` gives the milliseconds for which the event loop was active and idle so far.
 */
export function hashLimit(
  cores = availableParallelism(),
  readLoop: () => { active: number; idle: number } = () => performance.eventLoopUtilization(),
): () => number {
  let before = readLoop();
  let isBusy = false;

  return () => {
    const now = readLoop();
    const active = now.active - before.active;
    const all = active + now.idle - before.idle;
    if (all >= span) {
      isBusy = active >= busyFrom * all;
      before = now;
    }
    return Math.min(mostThreads, isBusy ? Math.max(1, cores - 1) : cores + 1);
  };
}
