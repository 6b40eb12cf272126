/** Runs tasks with the same key one after another, and tasks with different keys concurrently. */
export type Turns = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>;

/** Creates turns that remember a key only while one of its tasks waits or runs. */
export function openTurns(): Turns {
  const latest = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const before = latest.get(key) ?? Promise.resolve();
    const result = before.then(task);
    const ended = result.catch(() => undefined);
    latest.set(key, ended);
    try {
      return await result;
    } finally {
      if (latest.get(key) === ended) latest.delete(key);
    }
  };
}
