/** Runs tasks that come in at any rate, at most `atOnce` of them at a time, first come first served. */
export function takeTurns(atOnce: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running < atOnce) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // The turn is handed over, not given back: a newcomer cannot slip in before those who wait.
      if (next) next();
      else running -= 1;
    }
  };
}
