import { closeSync, existsSync, openSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseSync, DatabaseSyncInstance } from '@photostructure/sqlite';
import { errorCode } from '../../text/error-code.ts';
import { JobDirectoryError } from '../model/errors.ts';
import { draftOf, pathIn } from './job-files.ts';
import { makeDirectory } from './make-directory.ts';
import { requireOwnDirectory } from './own-directory.ts';
import { replaceFile } from './replace-file.ts';

/** What a process publishes about itself in `running.json` while it has the directory. */
export type RunningProcess = ReturnType<typeof thisProcess>;

/** Describes this process. `now`: epoch milliseconds. */
export function thisProcess(now: () => number) {
  return { pid: process.pid, host: hostname(), started_at: new Date(now()).toISOString() };
}

export type DirectoryLock = ReturnType<typeof holdLock>;

/**
 * Locks all other processes out of a directory until this one ends, however it ends: the operating system holds the lock. Throws a
 * `JobDirectoryError` that names the process which has it. `otherwise`: what else can be done, as the end of a sentence.
 */
export function holdLock(Database: typeof DatabaseSync, directory: string, otherwise: string) {
  const path = pathIn(directory, 'running.lock');
  const published = pathIn(directory, 'running.json');
  const held = takeLock(Database, path);
  if (!held) throw inUse(directory, otherwise);
  return {
    /** Deletes `running.json` and releases the lock. Further calls do nothing. */
    release(): void {
      if (!held.isOpen) return;
      for (const file of [published, draftOf(published)]) rmSync(file, { force: true });
      releaseLock(held, path);
    },
  };
}

/** For the directory of a job: what can be done besides waiting. A run may wait for weeks of nights for its window. */
export const orStop = ', or stop it with Ctrl-C (its own command resumes it)';

/** The error for a directory that another process has, which it names. */
export function inUse(directory: string, otherwise = orStop): JobDirectoryError {
  const fault = `in use by another run${shownRun(directory)}`;
  return new JobDirectoryError(directory, fault, `Wait until it ends${otherwise}.`, true);
}

/** Throws the error of `holdLock` if another process has the directory now. Does nothing if that cannot be found out. */
export async function refuseRunning(directory: string, otherwise?: string): Promise<void> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  let isInUse = false;
  try {
    isInUse = isRunning(DatabaseSync, directory);
  } catch {
    // Taking the lock fails for the same reason, which is reported then.
  }
  if (isInUse) throw inUse(directory, otherwise);
}

function releaseLock(held: DatabaseSyncInstance, path: string): void {
  // While it is locked: afterwards it may be the file of the next process.
  const isDeleted = isRemoved(path);
  held.close();
  // Windows deletes no open file, not even that of the next process.
  if (!isDeleted) isRemoved(path);
}

function isRemoved(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** Takes the lock; `undefined` if another process has it. */
function takeLock(Database: typeof DatabaseSync, path: string): DatabaseSyncInstance | undefined {
  for (;;) {
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    const before = fileAt(path);
    const held = new Database(path);
    try {
      // Others check for a moment whether a run lasts.
      held.exec('PRAGMA busy_timeout = 300; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    } catch (failure) {
      held.close();
      if (isBusy(failure)) return undefined;
      throw failure;
    }
    // The process that had the lock before deleted its file: a lock of a deleted file locks nobody out.
    if (before !== undefined && before === fileAt(path)) return held;
    held.close();
  }
}

/** Identifies a file, whatever its name; `undefined` if there is none. */
function fileAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/**
 * Locks a directory for a plan or a comparison, whose drafts have the names of every other one; creates the directory if missing,
 * and removes it again if it is empty when the lock is released.
 * Rejects with a `JobDirectoryError` if another process has it, if another account could use it, or if it cannot be written.
 */
export async function lockDirectory(directory: string, now: () => number): Promise<DirectoryLock> {
  let lock: DirectoryLock | undefined;
  try {
    const isNew = makeDirectory(directory);
    requireOwnDirectory(directory, otherDirectory);
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const held = holdLock(DatabaseSync, directory, ', or name another directory with --to');
    lock = {
      release(): void {
        held.release();
        if (isNew) removeEmpty(directory);
      },
    };
    await replaceFile(pathIn(directory, 'running.json'), `${JSON.stringify(thisProcess(now))}\n`);
    return lock;
  } catch (failure) {
    lock?.release();
    const code = errorCode(failure);
    if (code === undefined || failure instanceof JobDirectoryError) throw failure;
    const fault = `nothing can be written there (${code})`;
    throw new JobDirectoryError(directory, fault, otherDirectory);
  }
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // It has files, which are kept.
  }
}

const otherDirectory = 'Name another directory with --to.';

/**
 * Runs `work`, which takes a moment, while no other process does so for this directory; waits for another one. Neither locks out
 * runs. Rejects with a `JobDirectoryError` if another process does not end its work.
 */
export async function whileLocked<Result>(directory: string, work: () => Promise<Result>): Promise<Result> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const path = pathIn(directory, 'cutover.lock');
  let held = takeLock(DatabaseSync, path);
  for (let attempt = 1; !held && attempt < attempts; attempt += 1) {
    await sleep(aMoment);
    held = takeLock(DatabaseSync, path);
  }
  if (!held) throw new JobDirectoryError(directory, 'another process has its cutover.lock', 'Try again.');
  try {
    return await work();
  } finally {
    releaseLock(held, path);
  }
}

/** How often a lock is tried, with this many milliseconds in between. */
const attempts = 30;
const aMoment = 50;

/** True while a process has the lock. The check neither changes nor locks anything that a run needs. */
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

/** True if SQLite failed because another connection has the lock. */
export function isBusy(failure: unknown): boolean {
  return failure instanceof Error && /locked|busy/.test(failure.message);
}

function shownRun(directory: string): string {
  try {
    const text = readFileSync(pathIn(directory, 'running.json'), 'utf8');
    // The progress is that of a job: see `RunningJob`.
    const run: RunningProcess & { progress?: { opens_at?: string } } = JSON.parse(text);
    const { pid, host, started_at: since, progress } = run;
    const waits = progress?.opens_at ? `, which waits for its window until ${progress.opens_at}` : '';
    return `: process ${Number(pid)} on ${String(host)}, since ${String(since)}${waits}`;
  } catch {
    // It is not published yet.
    return '';
  }
}
