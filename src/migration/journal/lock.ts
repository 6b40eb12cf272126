import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { DatabaseSync, DatabaseSyncInstance } from '@photostructure/sqlite';
import type { AlgorithmVerification } from '../canaries/verify-canaries.ts';
import { draftOf, pathIn } from '../directory/job-files.ts';
import { JobDirectoryError } from '../model/errors.ts';
import type { Job } from '../model/job.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import type { Progress } from '../model/summary.ts';
import { createMeter } from '../rate-limit/history.ts';
import type { JournalDatabase } from './database.ts';

/** The progress of a run. */
export interface RunState extends Progress {
  results: Readonly<Record<FinalOutcome['result'], number>>;
  canaries: AlgorithmVerification[];
  /** When the window of the run opens, ISO 8601; left out while it is open. */
  opens_at?: string;
}

/** What a run publishes about itself while it lasts, in `running.json`. */
export interface RunningJob {
  pid: number;
  host: string;
  started_at: string;
  /** Left out while the personal data of the job is being deleted. */
  job?: Job | undefined;
  /** Left out until there is any. `at`: when a row last got its outcome. */
  progress?: RunState & { at: string | null; rows_per_second: number };
}

/** The lock of a run. */
export interface JobLock {
  /** Publishes the progress of the run, at most once a second unless `isAtOnce` is set. */
  report(read: () => RunState, isAtOnce?: boolean): void;
  release(): void;
}

const tellEvery = 1000;

/**
 * Locks all other processes out of the journal until this one ends, however it ends: the operating system holds the lock. Throws a
 * `JobDirectoryError` that names the run which has it. A second file is locked for processes that only check whether a run lasts:
 * checking the journal would lock out a run that is beginning.
 */
export function lockJournal(
  Database: typeof DatabaseSync,
  directory: string,
  connection: JournalDatabase,
  { job, now }: { job?: Job; now: () => number },
): JobLock {
  const path = pathIn(directory, 'running.json');
  try {
    connection.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL');
    connection.exec('BEGIN IMMEDIATE; COMMIT');
  } catch (failure) {
    if (!isBusy(failure)) throw failure;
    throw new JobDirectoryError(
      directory,
      `in use by another import${shownRun(directory)}`,
      'Wait until it ends, or name another directory with --job.',
    );
  }
  const run = { pid: process.pid, host: hostname(), started_at: new Date(now()).toISOString(), job };
  writeFileSync(path, `${JSON.stringify(run)}\n`, { mode: 0o600 });
  const lock = pathIn(directory, 'running.lock');
  closeSync(openSync(lock, 'a', 0o600));
  const held = new Database(lock);
  held.exec('PRAGMA busy_timeout = 1000; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  const rate = createMeter(now);
  let written = Number.NEGATIVE_INFINITY;
  let done: number | undefined;
  let at: string | null = null;
  return {
    report(read, isAtOnce = false) {
      const time = now();
      // The clock may be set back.
      if (!isAtOnce && Math.abs(time - written) < tellEvery) return;
      written = time;
      const state = read();
      if (done === undefined ? !isAtOnce : done !== state.done) at = new Date(time).toISOString();
      done = state.done;
      const progress = { ...state, at, rows_per_second: rate(state.done) };
      try {
        writeFileSync(draftOf(path), `${JSON.stringify({ ...run, progress })}\n`, { mode: 0o600 });
        renameSync(draftOf(path), path);
      } catch {
        // The progress cannot be read now, but that must not stop the run.
      }
    },
    release() {
      if (held.isOpen) held.close();
      for (const file of [path, draftOf(path), lock]) rmSync(file, { force: true });
    },
  };
}

/** True while a run lasts. The check neither changes nor locks anything that a run needs. */
export function isRunning(Database: typeof DatabaseSync, directory: string): boolean {
  const path = pathIn(directory, 'running.lock');
  if (!existsSync(path)) return false;
  let connection: DatabaseSyncInstance;
  try {
    connection = new Database(path, { readOnly: true });
  } catch (failure) {
    // The run may have ended meanwhile.
    if (!existsSync(path)) return false;
    throw failure;
  }
  try {
    connection.exec('PRAGMA busy_timeout = 0; SELECT 1 FROM sqlite_master');
    return false;
  } catch (failure) {
    if (isBusy(failure)) return true;
    throw failure;
  } finally {
    connection.close();
  }
}

function isBusy(failure: unknown): boolean {
  return failure instanceof Error && /locked|busy/.test(failure.message);
}

/** Returns what the run that has the lock publishes; `undefined` if there is none, and for a moment after it took the lock. */
export function readRunningJob(directory: string): RunningJob | undefined {
  try {
    return JSON.parse(readFileSync(pathIn(directory, 'running.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

function shownRun(directory: string): string {
  const run = readRunningJob(directory);
  return run ? `: process ${Number(run.pid)} on ${String(run.host)}, since ${String(run.started_at)}` : '';
}
