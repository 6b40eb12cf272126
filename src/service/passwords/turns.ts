/** Runs the tasks of one key one after the other, and those of different keys side by side. */
export type Turns = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>;

/** Opens turns that remember a key only while one of its tasks waits or runs. */
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
