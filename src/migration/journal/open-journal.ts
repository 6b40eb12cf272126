import { closeSync, existsSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorCode } from '../../text/error-code.ts';
import { quoteWord } from '../../text/shell-quote.ts';
import { pathIn } from '../directory/job-files.ts';
import { makeDirectory } from '../directory/make-directory.ts';
import { requireOwnDirectory, useOtherDirectory } from '../directory/own-directory.ts';
import { JobDirectoryError, SourceError } from '../model/errors.ts';
import { type CommandLine, driftOf, isRealJob, type Job, type RunMode } from '../model/job.ts';
import { archiveCopy, archiveResults, removeResults, resultIn } from './archive.ts';
import { type CommitCount, countCommits, forgetCommits, refuseLost } from './database/commit-count.ts';
import {
  damagedJournal,
  type JournalDatabase,
  openJournalDatabase,
  unwritable,
} from './database/database.ts';
import { countRuns, readFacts, storeFact } from './database/job-facts.ts';
import { type JobLock, lockJob, lockJournal } from './database/lock.ts';
import { dropTables, isBegun, requireUndamaged, schema } from './database/tables.ts';
import { createJournal, type Journal } from './journal.ts';
import { refusePurged, refuseUndone } from './reading/open-job.ts';
import { refuseOtherJob } from './refuse-other-job.ts';
import { resume } from './resume.ts';

export interface OpenJournal {
  mode?: RunMode | undefined;
  /** The command line, for whoever continues the job. */
  command?: CommandLine | undefined;
  /** Number of runs in the journal that the caller has read before it asked: if there are others now, the journal is refused. */
  runsSeen?: number | undefined;
  /** Called when the run has locked the journal. */
  onJob?: ((job: Job) => void) | undefined;
  /** Gives the rows of a file that is not that of the last run the users of `before`, in the open transaction, as they are read. */
  carryOver?: ((connection: JournalDatabase, before: Job) => AsyncIterable<unknown>) | undefined;
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * Opens the journal of a job directory; creates both if missing. Throws a `JobDirectoryError` if another run is using the journal,
 * if it was begun for another job, or if the directory cannot be used.
 */
export async function openJournal(directory: string, job: Job, options: OpenJournal): Promise<Journal> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  prepareDirectory(directory);
  requireOwnDirectory(directory);
  const path = pathIn(directory, 'journal.db');
  let connection: JournalDatabase | undefined;
  let lock: JobLock | undefined;
  let commits: CommitCount | undefined;
  try {
    if (!existsSync(path)) {
      refuseLost(directory, 'it is missing');
      refuseForeignRecords(directory);
      if (isRetry(options.mode)) throw nothingFailed(directory);
    }
    lock = lockJob(DatabaseSync, directory, { job, now: options.now });
    // The journal names people, so only its owner may read it.
    closeSync(openSync(path, 'a', 0o600));
    connection = openJournalDatabase(DatabaseSync, path);
    lockJournal(directory, connection);
    // A run that sends nothing need not survive a power failure. `fullfsync` is for macOS, where the disk would keep it in its memory.
    connection.exec(`PRAGMA synchronous = ${isRealJob(job.kind) ? 'FULL' : 'OFF'}; PRAGMA fullfsync = ON`);
    const before = prepareTables(directory, connection, job, options);
    const isOtherFile = before !== undefined && driftOf(before, job).length > 0;
    connection.exec('BEGIN');
    if (before) await resumeJob(connection, before, isOtherFile, options);
    const isCorrected = readFacts(connection).corrected !== undefined;
    commits = countCommits(directory, connection);
    const run = addRun(connection, job, isCorrected, options);
    if (isOtherFile) archiveResults(directory);
    commits.commit();
    // From now on the journal's own file, even without its log, shows that a run has begun, and of which job.
    connection.exec('PRAGMA wal_checkpoint(FULL)');
    options.onJob?.(job);
    return createJournal(connection, { directory, run, isCorrected, lock, commits }, options.now);
  } catch (failure) {
    commits?.close();
    connection?.close();
    lock?.release();
    // The file may have been changed while its rows were given their users.
    const isOfFile = errorCode(failure) === undefined || failure instanceof SourceError;
    throw isOfFile ? failure : unwritable(directory, failure);
  }
}

function prepareDirectory(directory: string): void {
  try {
    makeDirectory(directory);
  } catch (failure) {
    const code = errorCode(failure) ?? 'no reason given';
    const isFile = code === 'EEXIST' || code === 'ENOTDIR';
    const fault = isFile ? 'this is not a directory' : `the job records cannot be written there (${code})`;
    throw new JobDirectoryError(directory, fault, 'Name another directory with --job.');
  }
}

/** Records without a journal were not written by this program, so they are not touched. */
function refuseForeignRecords(directory: string): void {
  const name = resultIn(directory);
  if (name === undefined) return;
  const fault = `the directory contains ${name}, but no journal of an import`;
  throw new JobDirectoryError(directory, fault, useOtherDirectory(directory));
}

const isRetry = (mode: RunMode | undefined) => mode !== undefined && mode !== 'restart';

function nothingFailed(directory: string): JobDirectoryError {
  const fault = 'it contains no journal of an import, so there is nothing to retry';
  return new JobDirectoryError(directory, fault, 'Name the directory of the import with --job.');
}

/** Returns the job that the journal was begun for; `undefined` if it was not begun. */
function storedJob(directory: string, connection: JournalDatabase): Job | undefined {
  if (!isBegun(directory, connection)) {
    // The records show that the journal was begun. They are all that is left, and starting over would remove them.
    const fault = 'it is empty';
    if (resultIn(directory) !== undefined) throw damagedJournal(directory, fault);
    refuseLost(directory, fault);
    return undefined;
  }
  requireUndamaged(directory, connection);
  refusePurged(directory, connection);
  return readFacts(connection).job;
}

/** Creates the tables, or compares the job with the one that was begun. Returns the one to resume, if there is one. */
function prepareTables(
  directory: string,
  connection: JournalDatabase,
  job: Job,
  options: OpenJournal,
): Job | undefined {
  const { mode } = options;
  const before = storedJob(directory, connection);
  refuseOtherRun(directory, before ? countRuns(connection) : 0, options);
  const isReal = isRealJob(before?.kind);
  if (isRetry(mode) && !isReal) throw nothingFailed(directory);
  if (isReal) refuseTrial(directory, job);
  if (before && mode !== 'restart') refuseMerge(directory, before, job);
  const isUnfinishedMerge = before?.kind === 'merge' && job.kind === 'merge';
  if (!before || mode === 'restart' || !isReal || isUnfinishedMerge) {
    startOver(directory, connection, job, isReal && !isUnfinishedMerge);
    return undefined;
  }
  refuseOtherJob({ ...readFacts(connection), job: before }, job, { directory, mode });
  if (mode !== 'only unanswered') refuseUndone(directory, before.kind, readFacts(connection));
  return before;
}

/** Prepares what the run will decide again, in the open transaction: outcomes must be deleted only if the run begins. */
async function resumeJob(connection: JournalDatabase, before: Job, isOther: boolean, options: OpenJournal) {
  if (!isOther) resume(connection, before, options);
  else if (!options.carryOver) throw new TypeError('nothing says what becomes of the users of another file');
  else for await (const _ of options.carryOver(connection, before));
}

/** What was checked and agreed to is what the journal said before another run changed it. */
function refuseOtherRun(directory: string, runs: number, { runsSeen = runs }: OpenJournal): void {
  if (runs === runsSeen) return;
  const fault = 'another run of it began after this one had checked the file';
  throw new JobDirectoryError(directory, fault, 'Nothing was sent. Run the same command again.');
}

/** Throws for a run that sends nothing to the tenant: not even `--restart` archives the records of an import for it. */
function refuseTrial(directory: string, { kind }: Job): void {
  if (kind !== 'dry-run' && kind !== 'rehearsal') return;
  throw new JobDirectoryError(
    directory,
    `it holds the records of another import: it was an import, and this is a ${kind.replace('-', ' ')}`,
    `Name another directory, such as --job ${quoteWord(`${directory}.${kind}`)}.`,
  );
}

function refuseMerge(directory: string, before: Job, job: Job): void {
  if (before.kind === 'merge' && job.kind !== 'merge') {
    const fault = 'a merge of shards into it was interrupted';
    throw new JobDirectoryError(directory, fault, 'Merge them again first.');
  }
  if (before.kind === 'import' && job.kind === 'merge') {
    throw new JobDirectoryError(
      directory,
      'the directory holds the records of an import',
      'Name another one with --job.',
    );
  }
}

/** Starts over in the same file, so that it stays locked. */
function startOver(directory: string, connection: JournalDatabase, job: Job, isKept: boolean): void {
  forgetCommits(directory, isKept ? connection : undefined);
  // An undo of the archived job is to leave out whom the new one has.
  if (isKept) storeFact(connection, 'replaced_in', resolve(directory));
  if (isKept) archiveResults(directory, archiveCopy(directory, connection));
  else removeResults(directory);
  connection.exec(`BEGIN; ${dropTables} ${schema}`);
  storeFact(connection, 'job', job);
  connection.exec('COMMIT');
}

/** Adds the run to the open transaction. Returns its number. */
function addRun(
  connection: JournalDatabase,
  { source }: Job,
  isCorrected: boolean,
  { mode, command, now }: OpenJournal,
): number {
  connection.exec("DELETE FROM job WHERE name = 'ended'");
  if (command) storeFact(connection, 'command', command);
  const note = [isRetry(mode) && mode, isCorrected && 'corrected file, rows recognised by key']
    .filter(Boolean)
    .join(', ');
  const insert = connection.prepare('INSERT INTO runs (started_at, source, note) VALUES (?, ?, ?)');
  return Number(insert.run(now(), source, note).lastInsertRowid);
}
