import type { Database } from './database.ts';
import { makeTimeIndex, type TimeIndex } from './time-index.ts';

/** When each user of a tenant was last changed, as far as is known. */
export interface ChangeTimes extends Pick<TimeIndex, 'find'> {
  /** Learns of everything that was committed before this call. */
  catchUp(): Promise<void>;
}

/** Rows of one query: few enough that other requests do not wait while they are taken in. */
const batchSize = 4096;

/**
 * Keeps the times in memory: no index of a database gives "how many between two times" and "the 1,000th of them in the
 * order of creation" without counting. The first call reads all users; from then on only what `users.changed` says
 * is new, whichever node has written it.
 */
export function openChangeTimes(database: Database, tenantKey: number): ChangeTimes {
  const times = makeTimeIndex();
  let lastChange = 0;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function read(): Promise<void> {
    const sql = `SELECT seq, changed, updated_at FROM users WHERE tenant = ? AND changed > ?
      ORDER BY changed LIMIT ?`;
    for (;;) {
      const rows = await database.query<{ seq: number; changed: number; updated_at: number }>(sql, [
        tenantKey,
        lastChange,
        batchSize,
      ]);
      for (const row of rows) times.set(row.seq, row.updated_at);
      lastChange = rows.at(-1)?.changed ?? lastChange;
      if (rows.length < batchSize) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return {
    catchUp() {
      // What is running may have begun before the caller's own change: the call waits for the one after it.
      next ??= running
        .catch(() => {})
        .then(() => {
          next = undefined;
          running = read();
          return running;
        });
      return next;
    },
    find: times.find,
  };
}
