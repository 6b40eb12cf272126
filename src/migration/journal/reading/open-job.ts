import { existsSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseSync } from '@photostructure/sqlite';
import { quotePath, withOptions } from '../../../text/shell-quote.ts';
import { jobsBeside, pathIn } from '../../directory/job-files.ts';
import { inUse, isBusy, isRunning } from '../../directory/lock-directory.ts';
import { useOtherDirectory } from '../../directory/own-directory.ts';
import { JobDirectoryError } from '../../model/errors.ts';
import {
  adviseRetarget,
  type CommandLine,
  commandThere,
  isRealJob,
  type Job,
  targetDrift,
} from '../../model/job.ts';
import { nameOfShard, undoneUsers } from '../../model/shard.ts';
import { type JournalDatabase, openCopy, openJournalDatabase, unwritable } from '../database/database.ts';
import { type JobFacts, readFacts } from '../database/job-facts.ts';
import { readRunningJob } from '../database/lock.ts';
import { type OutcomeRow, requireUndamaged } from '../database/tables.ts';

/** The journal of a job that no run is using, or a copy of it. */
export type StoredJob = Awaited<ReturnType<typeof openJob>>;

/** Milliseconds without a change after which a run that waits for its window is taken to write nothing. */
const isQuietAfter = 2000;

/** How often it is looked whether it writes nothing, with half a second in between. */
const looks = 8;

/**
 * Opens a copy of the journal of a run that waits for its window, which has committed what it knows; `undefined` if no run waits, or
 * while it still completes the rows that were under way when the window closed.
 */
async function openWaiting(
  Database: typeof DatabaseSync,
  directory: string,
  path: string,
): Promise<JournalDatabase | undefined> {
  const isWaiting = () => readRunningJob(directory)?.progress?.opens_at !== undefined;
  const changed = () =>
    [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  for (let look = 1; look <= looks && isWaiting() && isRunning(Database, directory); look += 1) {
    const before = changed();
    if (Date.now() - Math.max(...before) >= isQuietAfter) {
      const copy = openCopy(Database, path);
      if (String(changed()) === String(before)) return copy;
      copy.close();
    }
    await sleep(500);
  }
  return undefined;
}

/** Says which directories have a journal. */
export const journalHint = 'Name the job directory of an import, or a plan directory whose plan was applied.';

/**
 * Returns the path of the journal of a directory. Throws a `JobDirectoryError` with this hint if there is none; beside a source file
 * may be its job.
 */
export function requireJournal(directory: string, hint = journalHint): string {
  const path = pathIn(directory, 'journal.db');
  if (existsSync(path)) return path;
  const [first, ...others] = jobsBeside(directory).map(quotePath);
  if (first !== undefined) {
    const lines = [
      `Name its job: ${first}`,
      ...others.map((job) => `If that is the job of another file: ${job}`),
    ];
    throw new JobDirectoryError(directory, 'this is not the directory of a job', lines.join('\n'));
  }
  throw new JobDirectoryError(directory, 'it contains no journal of an import', hint);
}

/** Returns the error for a job directory whose job was never run. */
export function neverStarted(directory: string): JobDirectoryError {
  return new JobDirectoryError(directory, 'its import was never started', 'Run it first.');
}

/**
 * Opens the journal of a job for reading. Throws a `JobDirectoryError` if there is none, it is damaged, or a run is using it.
 * `whileWaiting`: not for a run that waits for its window, and sends nothing. `isWaiting`: there is one.
 */
export async function openJob(
  directory: string,
  { hint, whileWaiting = false }: { hint?: string; whileWaiting?: boolean } = {},
) {
  const path = requireJournal(directory, hint);
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const copy = whileWaiting ? await openWaiting(DatabaseSync, directory, path) : undefined;
  const connection = copy ?? openJournalDatabase(DatabaseSync, path);
  try {
    requireUndamaged(directory, connection);
    refusePurged(directory, connection);
    const job = readFacts(connection).job;
    if (!job) throw neverStarted(directory);
    return { job, connection, isWaiting: copy !== undefined };
  } catch (failure) {
    connection.close();
    throw unreadable(directory, failure);
  }
}

/** Throws a `JobDirectoryError` if the rows of the journal were deleted. */
export function refusePurged(directory: string, connection: JournalDatabase): void {
  const purged = readFacts(connection).purged;
  if (purged === undefined) return;
  throw new JobDirectoryError(
    directory,
    `its personal data was deleted at ${purged}, and with it what is needed for this`,
    'What it did is in its evidence.jsonl. An import of the file into another directory (--job), or a plan without --since, finds users by their user name, e-mail or mobile number.',
  );
}

/** Throws a `JobDirectoryError` for a job whose users an undo has disabled, even if only those of one shard. */
export function refuseUndone(
  directory: string,
  kind: Job['kind'],
  { undone, undone_shards: shards }: Partial<Pick<JobFacts, 'undone' | 'undone_shards'>> = {},
): void {
  if (undone === undefined) return;
  const next =
    kind === 'plan'
      ? useOtherDirectory(directory)
      : 'Their user names, e-mail addresses and mobile numbers stay taken: correct the file, and start over with --restart.';
  const rest = 'Only --only unanswered, which sends nothing, still looks up rows without an answer.';
  throw new JobDirectoryError(
    directory,
    `${undoneUsers(shards)} were disabled by an undo at ${undone}`,
    `${next} ${rest}`,
  );
}

/** Advice to look up the rows without an answer, which needs the file that was sent. `command`: that of the last run, if it is known. */
export function lookUpFirst(command: CommandLine | undefined): string {
  const run = command
    ? `run\n  ${commandThere(command, withOptions(command.words, ['--only', 'unanswered']))}`
    : 'run the same command as before with --only unanswered.';
  return `Restore the file, the recipe and the options as they were. Then look up the rows without an answer, which sends nothing: ${run}`;
}

/** Turns a failure to read a journal into an error that says what to do. */
export function unreadable(directory: string, failure: unknown): unknown {
  if (!(failure instanceof Error && 'sqliteCodeName' in failure)) return failure;
  return isBusy(failure) ? inUse(directory) : unwritable(directory, failure);
}

export type OutcomeReader = Awaited<ReturnType<typeof readOutcomes>>;

/**
 * Opens a job whose rows are those of a whole file. Throws a `JobDirectoryError` if the job cannot be read, is a shard or an undo,
 * or wrote to another tenant or to none.
 */
export async function openJobOfFile(
  directory: string,
  target: Job['target'],
  options: { whileWaiting?: boolean } = {},
): Promise<StoredJob> {
  const opened = await openJob(directory, options);
  const { job, connection } = opened;
  try {
    if (!isRealJob(job.kind))
      throw new JobDirectoryError(directory, 'its job wrote nothing to a tenant', journalHint);
    if (job.shard || job.kind === 'merge') {
      const part = job.shard ? `shard ${nameOfShard(job.shard)} of its file` : 'an interrupted merge';
      const remedy =
        'Merge all shards (tenant-users import-hashes merge), and name the directory of the whole.';
      throw new JobDirectoryError(directory, `it is the job of ${part}`, remedy);
    }
    // Users who are in no row of a file have line 0.
    const last = connection.row<{ line: number | null }>('SELECT max(line) AS line FROM outcomes');
    if (last?.line === 0)
      throw new JobDirectoryError(
        directory,
        'it is the job of an undo, which has no rows of a file',
        journalHint,
      );
    const [drift] = targetDrift(job, { ...job, target });
    if (drift !== undefined) {
      const fault = `its job was for another tenant: ${drift}`;
      throw new JobDirectoryError(
        directory,
        fault,
        adviseRetarget(directory, job.target, target) ?? 'Select the profile of that job with --profile.',
      );
    }
    return opened;
  } catch (failure) {
    connection.close();
    throw unreadable(directory, failure);
  }
}

/** Opens the outcomes of a job, as `openJobOfFile` does. Throws a `JobDirectoryError` also if it imported a file with another digest. */
export async function readOutcomes(directory: string, digest: string, target: Job['target']) {
  const { job, connection } = await openJobOfFile(directory, target, { whileWaiting: true });
  if (job.source !== digest) {
    connection.close();
    throw new JobDirectoryError(
      directory,
      `it is the job of another file, or of this one before it was changed (${job.file})`,
      'Name the file of that job, as it was imported, or leave --job out.',
    );
  }
  const select = connection.prepare('SELECT result, code, user_id FROM outcomes WHERE row = ?');
  type Found = Pick<OutcomeRow, 'result' | 'code' | 'user_id'>;
  return {
    of: (row: number) => select.get(row) as Found | undefined,
    close: connection.close,
  };
}
