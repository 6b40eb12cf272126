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
