import { setImmediate as nextTick } from 'node:timers/promises';
import type { Database } from '../engine/database.ts';

const blockSize = 1024;
const lastSecond = 2 ** 32 - 1;

/**
 * Creates an empty index of 4 bytes per user. It counts and skips by scanning all users, block by block, unless the earliest and
 * the latest time of a block show that all or none of them lie between the bounds.
 */
export function makeTimeIndex() {
  let times = new Uint32Array(blockSize);
  let earliest = new Uint32Array(1).fill(lastSecond);
  let latest = new Uint32Array(1);
  let users = 0;

  function grow(atLeast: number): void {
    const blocks = Math.max(Math.ceil(atLeast / blockSize), earliest.length * 2);
    times = enlarged(times, blocks * blockSize, 0);
    earliest = enlarged(earliest, blocks, lastSecond);
    latest = enlarged(latest, blocks, 0);
  }

  function countInBlock(block: number, from: number, span: number): number {
    const size = Math.min(users - block * blockSize, blockSize);
    const first = (earliest[block] ?? 0) - from;
    const last = (latest[block] ?? 0) - from;
    if (last < 0 || first >= span) return 0;
    return first >= 0 && last < span ? size : countBetween(times, block * blockSize, size, from, span);
  }

  return {
    /** Sets the time of a user in epoch milliseconds; it is stored in seconds, from 1970 to 2106. */
    set(seq: number, time: number): void {
      if (seq > times.length) grow(seq);
      const block = Math.floor((seq - 1) / blockSize);
      const second = secondOf(time);
      times[seq - 1] = second;
      earliest[block] = Math.min(earliest[block] ?? lastSecond, second);
      latest[block] = Math.max(latest[block] ?? 0, second);
      users = Math.max(users, seq);
    },
    /**
     * Finds users whose time is at or after `from` and before `until`, in epoch milliseconds at whole seconds, or infinite. Returns
     * their number, and `seq` of those on the requested page, ascending.
     */
    find(from: number, until: number, skip: number, limit: number) {
      const first = secondOf(from);
      const span = Math.max(
        0,
        (until === Number.POSITIVE_INFINITY ? lastSecond + 1 : secondOf(until)) - first,
      );
      let total = 0;
      const page: number[] = [];
      for (let block = 0; block * blockSize < users; block += 1) {
        const before = total;
        total += countInBlock(block, first, span);
        if (total <= skip || page.length === limit) continue;
        const end = Math.min(users, (block + 1) * blockSize);
        let passed = before;
        for (let index = block * blockSize; index < end && page.length < limit; index += 1) {
          if (((times[index] ?? 0) - first) >>> 0 >= span) continue;
          if (passed >= skip) page.push(index + 1);
          passed += 1;
        }
      }
      return { total, page };
    },
  };
}

/** The innermost loop: one subtraction that wraps around compares with both bounds at once. */
function countBetween(times: Uint32Array, start: number, size: number, from: number, span: number): number {
  let count = 0;
  for (let index = start; index < start + size; index += 1) {
    if (((times[index] ?? 0) - from) >>> 0 < span) count += 1;
  }
  return count;
}

function secondOf(time: number): number {
  return Math.min(Math.max(Math.floor(time / 1000), 0), lastSecond);
}

function enlarged(array: Uint32Array, length: number, rest: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length).fill(rest, array.length);
  larger.set(array);
  return larger;
}

/** When each user of a tenant was last changed, as of the last catch-up. */
export type ChangeTimes = ReturnType<typeof openChangeTimes>;

/** Users per query: few enough that other requests do not wait for them. */
const partSize = 4096;

/**
 * Query for the next users by one of their numbers: how many, the last number, and `seq` and time of all of them in one text,
 * because fetching a row takes longer than reading it.
 */
const partBy = (number: 'seq' | 'changed') =>
  `SELECT count(*) AS users, max(number) AS last, string_agg(seq || ',' || updated_at, ',') AS times
  FROM (SELECT seq, updated_at, ${number} AS number FROM users WHERE tenant = ? AND ${number} > ?
    ORDER BY ${number} LIMIT ${partSize}) AS part`;
const parts = { seq: partBy('seq'), changed: partBy('changed') };

/**
 * Keeps the times in memory, because no database index finds the number of users between two times, or the 1,000th of them in the
 * order of creation, without counting. The first catch-up reads all users in the order of the table, and again those changed
 * meanwhile; later ones read what is new according to `users.changed`, whichever node wrote it. If the database has gone back, for
 * example to a backup, all users are read again.
 */
export function openChangeTimes(database: Database, tenantKey: number) {
  let times = makeTimeIndex();
  let lastChange: number | undefined;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  /** Reads all users with a greater number; resolves to the last number. */
  async function readAfter(number: keyof typeof parts, greatest: number): Promise<number> {
    let last = greatest;
    for (;;) {
      const [part] = await database.query<{ users: number; last: number | null; times: string | null }>(
        parts[number],
        [tenantKey, last],
      );
      const read = JSON.parse(`[${part?.times ?? ''}]`) as number[];
      for (let at = 0; at < read.length; at += 2) times.set(read[at] ?? 0, read[at + 1] ?? 0);
      last = part?.last ?? last;
      if ((part?.users ?? 0) < partSize) return last;
      await nextTick();
    }
  }

  async function read(): Promise<void> {
    const sql = 'SELECT changed FROM numbers WHERE tenant = ?';
    const [numbers] = await database.query<{ changed: number }>(sql, [tenantKey]);
    const newest = numbers?.changed ?? 0;
    if (lastChange === undefined || newest < lastChange) {
      times = makeTimeIndex();
      lastChange = undefined;
      await readAfter('seq', 0);
      lastChange = newest;
    }
    lastChange = await readAfter('changed', lastChange);
  }

  return {
    /** Reads all changes that were committed before this call. */
    catchUp(): Promise<void> {
      // A running catch-up may have begun before the caller's own change, so the call waits for the next one.
      next ??= running
        .catch(() => {})
        .then(() => {
          next = undefined;
          running = read();
          return running;
        });
      return next;
    },
    find: (...between: Parameters<typeof times.find>) => times.find(...between),
  };
}
