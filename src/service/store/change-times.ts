import type { Database } from './database.ts';

/** Users whose time of change lies between two bounds. */
export interface ChangedUsers {
  /** How many there are. */
  total: number;
  /** `seq` of those on the page that was asked for, ascending. */
  page: number[];
}

/** When each user of a tenant was last changed. */
export interface ChangeTimes {
  /** Learns of everything that was committed before this call. */
  catchUp(): Promise<void>;
  /** Users changed at `from` or later and before `until` (epoch milliseconds), as far as is known. */
  find(from: number, until: number, skip: number, limit: number): ChangedUsers;
}

/** Rows of one query: few enough that other requests do not wait while they are taken in. */
const batchSize = 4096;

/**
 * Keeps the times in memory, 8 bytes a user: no index gives "how many between two times" and "the 1,000th of them in
 * the order of creation" without counting, but a run over an array of a million numbers takes a millisecond. The
 * first call reads all users; from then on only what `users.changed` says is new, whichever node has written it.
 */
export function openChangeTimes(database: Database, tenantKey: number): ChangeTimes {
  let times = new Float64Array(batchSize);
  let users = 0;
  let lastChange = 0;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  function keep(seq: number, time: number): void {
    if (seq > times.length) {
      const larger = new Float64Array(Math.max(seq, times.length * 2));
      larger.set(times);
      times = larger;
    }
    times[seq - 1] = time;
    users = Math.max(users, seq);
  }

  async function read(): Promise<void> {
    const sql = `SELECT seq, changed, updated_at FROM users WHERE tenant = ? AND changed > ?
      ORDER BY changed LIMIT ?`;
    for (;;) {
      const rows = await database.query<{ seq: number; changed: number; updated_at: number }>(sql, [
        tenantKey,
        lastChange,
        batchSize,
      ]);
      for (const row of rows) keep(row.seq, row.updated_at);
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
    find(from, until, skip, limit) {
      let total = 0;
      const page: number[] = [];
      for (let index = 0; index < users; index += 1) {
        const time = times[index] ?? 0;
        if (time < from || time >= until) continue;
        if (total >= skip && page.length < limit) page.push(index + 1);
        total += 1;
      }
      return { total, page };
    },
  };
}
