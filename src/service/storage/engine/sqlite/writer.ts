import { cpus } from 'node:os';
import { batchTransactions } from '../batching.ts';
import type { Database } from '../database.ts';
import { runBatch } from './batch.ts';
import type { SqliteConnection } from './connection.ts';
import { type CommitThread, startCommitThread, threadFile } from './start-worker.ts';

/** Units in one group that show that there is much to do. */
const busyFrom = 4;

/**
 * Commits units in groups. While there is little to do the caller's thread commits; from the time on at which there is much and
 * a core is idle, a thread of its own does, and requests are read and answered while SQLite works and waits for the disk. Where
 * an importer and the service share two cores, a third thread costs a fifth more (measured with 32 to 128 rows on the wire).
 * A database in memory belongs to the caller's thread.
 */
export function openSqliteWriter(
  path: string,
  connection: SqliteConnection,
  isCoreIdle = watchIdleCore(),
): Pick<Database, 'commit' | 'close'> {
  const file = path === ':memory:' ? undefined : threadFile('commit');
  let thread: CommitThread | undefined;

  const { commit, idle } = batchTransactions(async (units) => {
    const isBusy = file && units.length >= busyFrom && !thread?.isAlive();
    if (isBusy && isCoreIdle()) thread = startCommitThread(file, path);
    return thread?.isAlive() ? thread.commit(units) : runBatch(connection, units);
  });

  return {
    commit,
    async close() {
      await idle();
      await thread?.close();
    },
  };
}

/** What the cores of a machine did since it started, in milliseconds. */
export interface CoreTimes {
  cores: number;
  idle: number;
  /** Of all cores together, idle or not. */
  all: number;
}

/** Milliseconds over which the cores are watched; an answer that was asked for later is about another time. */
const window = 500;

/**
 * Tells whether a core of this machine, or nearly one, has had nothing to do for half a second. To be asked again and again
 * while there is much to do; the first answers are no.
 */
export function watchIdleCore(read: () => CoreTimes = readCores, now = () => performance.now()) {
  let began = -Infinity;
  let before: CoreTimes = { cores: 0, idle: 0, all: 0 };

  function begin(time: number): void {
    began = time;
    before = read();
  }

  return (): boolean => {
    const time = now();
    const watched = time - began;
    if (watched < window) return false;
    const { idle, all } = before;
    begin(time);
    if (watched > 2 * window) return false;
    const passed = before.all - all;
    return passed > 0 && before.cores * (before.idle - idle) >= 0.75 * passed;
  };
}

/** The times of this machine. */
export function readCores(): CoreTimes {
  const cores = cpus();
  const sum = (times: number[]) => times.reduce((total, one) => total + one, 0);
  return {
    cores: cores.length,
    idle: sum(cores.map(({ times }) => times.idle)),
    all: sum(cores.flatMap(({ times }) => Object.values(times))),
  };
}
