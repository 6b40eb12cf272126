import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from '@photostructure/sqlite';
import type { AlgorithmVerification } from '../../canaries/verify-canaries.ts';
import { draftOf, pathIn } from '../../directory/job-files.ts';
import {
  holdLock,
  isBusy,
  orStop,
  type RunningProcess,
  thisProcess,
} from '../../directory/lock-directory.ts';
import { JobDirectoryError } from '../../model/errors.ts';
import type { Job } from '../../model/job.ts';
import type { FinalOutcome } from '../../model/outcome.ts';
import type { Progress } from '../../model/summary.ts';
import { createMeter } from '../../rate-limit/history.ts';
import type { SendingWindow } from '../../rate-limit/sending-window.ts';
import type { JournalDatabase } from './database.ts';

export interface RunState extends Progress {
  results: Readonly<Record<FinalOutcome['result'], number>>;
  canaries: AlgorithmVerification[];
  /** When the window of the run opens, ISO 8601; left out while it is open. */
  opens_at?: string;
  /** Left out if rows may be sent at any time. */
  window?: SendingWindow;
}

/** What a run publishes about itself while it lasts, in `running.json`. */
export interface RunningJob extends RunningProcess {
  /** Left out while the personal data of the job is being deleted. */
  job?: Job | undefined;
  /** Left out until there is any. `at`: when a row last got its outcome. */
  progress?: RunState & { at: string | null; rows_per_second: number };
}

const tellEvery = 1000;

/** What else can be done while a run has the directory, if there is an option to choose another. */
export const otherJob = ', or name another directory with --job';

export type JobLock = ReturnType<typeof lockJob>;

/** Locks the directory of a job for a run, which is published. Throws a `JobDirectoryError` that names the run which has it. */
export function lockJob(
  Database: typeof DatabaseSync,
  directory: string,
  { job, now }: { job?: Job; now: () => number },
) {
  const path = pathIn(directory, 'running.json');
  const hasOption = job !== undefined && job.kind !== 'plan';
  const lock = holdLock(Database, directory, `${orStop}${hasOption ? otherJob : ''}`);
  const run: RunningJob = { ...thisProcess(now), job };
  try {
    writeFileSync(path, `${JSON.stringify(run)}\n`, { mode: 0o600 });
  } catch (failure) {
    lock.release();
    throw failure;
  }
  let rate: ReturnType<typeof createMeter> | undefined;
  let written = Number.NEGATIVE_INFINITY;
  let done: number | undefined;
  let at: string | null = null;
  return {
    release: lock.release,
    /** Publishes the progress of the run, at most once a second unless `isAtOnce` is set. */
    report(read: () => RunState, isAtOnce = false): void {
      const time = now();
      // The clock may be set back.
      if (!isAtOnce && Math.abs(time - written) < tellEvery) return;
      written = time;
      const state = read();
      if (done === undefined ? !isAtOnce : done !== state.done) at = new Date(time).toISOString();
      done = state.done;
      // Rows of earlier runs say nothing about this one.
      rate ??= createMeter(now, state.done);
      const progress = { ...state, at, rows_per_second: rate(state.done) };
      try {
        writeFileSync(draftOf(path), `${JSON.stringify({ ...run, progress })}\n`, { mode: 0o600 });
        renameSync(draftOf(path), path);
      } catch {
        // The progress cannot be read now, but that must not stop the run.
      }
    },
  };
}

/**
 * Locks the journal itself until it is closed, so that no other program changes it. Processes that only check whether a run lasts
 * look at the lock of the directory: checking the journal would lock out a run that is beginning.
 */
export function lockJournal(directory: string, connection: JournalDatabase): void {
  try {
    connection.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL');
    connection.exec('BEGIN IMMEDIATE; COMMIT');
  } catch (failure) {
    if (!isBusy(failure)) throw failure;
    throw new JobDirectoryError(directory, 'another program has its journal open', 'Wait until it ends.');
  }
}

/** Returns what the run that has the lock publishes; `undefined` if there is none, and for a moment after it took the lock. */
export function readRunningJob(directory: string): RunningJob | undefined {
  try {
    return JSON.parse(readFileSync(pathIn(directory, 'running.json'), 'utf8'));
  } catch {
    return undefined;
  }
}
