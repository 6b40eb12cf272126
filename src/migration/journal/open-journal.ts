import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { errorCode } from '../../text/error-code.ts';
import { quoteWord } from '../../text/shell-quote.ts';
import { pathIn } from '../directory/job-files.ts';
import { useOtherDirectory } from '../directory/other-directory.ts';
import { requireOwnDirectory } from '../directory/own-directory.ts';
import { JobDirectoryError } from '../model/errors.ts';
import { type CommandLine, driftOf, isRealJob, type Job, targetDrift } from '../model/job.ts';
import { archiveCopy, archiveResults, removeResults, resultIn } from './archive.ts';
import { type CommitCount, countCommits, forgetCommits, refuseLost } from './commit-count.ts';
import { damagedJournal, type JournalDatabase, openJournalDatabase, unwritable } from './database.ts';
import { createJournal, type Journal } from './journal.ts';
import { type JobLock, lockJob, lockJournal } from './lock.ts';
import { refusePurged } from './read-job.ts';
import { endOfRun, limitsOfCall, readFact, readJournal, storeFact } from './read-journal.ts';
import { setFingerprintsAside } from './row-fingerprints.ts';
import {
  dropTables,
  isBegun,
  keyOfRecord,
  outcomeColumnsWithKey,
  requireUndamaged,
  schema,
} from './tables.ts';

/** What to do with the journal of an earlier run. */
export interface EarlierJournal {
  /** Archive the journal of an earlier run, and start over. */
  restart?: boolean;
  /** Retry what failed before; the file may have been corrected since. */
  onlyFailed?: boolean;
  /** Look up rows that may have been sent and have no outcome, and send nothing else. */
  onlyUnanswered?: boolean;
}

export interface OpenJournal extends EarlierJournal {
  /** The command line, for whoever continues the job. */
  command?: CommandLine | undefined;
  /** Called when the run has locked the journal. */
  onJob?: ((job: Job) => void) | undefined;
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
      if (isRetry(options)) throw nothingFailed(directory);
    }
    lock = lockJob(DatabaseSync, directory, { job, now: options.now });
    // The journal names people, so only its owner may read it.
    closeSync(openSync(path, 'a', 0o600));
    connection = openJournalDatabase(DatabaseSync, path);
    lockJournal(directory, connection);
    // A run that sends nothing need not survive a power failure. `fullfsync` is for macOS, where the disk would keep it in its memory.
    connection.exec(`PRAGMA synchronous = ${isRealJob(job.kind) ? 'FULL' : 'OFF'}; PRAGMA fullfsync = ON`);
    const isOtherFile = prepare(directory, connection, job, options);
    const isCorrected = readFact(connection, 'corrected') !== undefined;
    commits = countCommits(directory, connection);
    const run = begin(connection, job, isCorrected, options);
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
    throw errorCode(failure) === undefined ? failure : unwritable(directory, failure);
  }
}

function prepareDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
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

const isRetry = ({ onlyFailed, onlyUnanswered }: EarlierJournal) => onlyFailed || onlyUnanswered;

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
  return readFact(connection, 'job');
}

/**
 * Creates the tables, or compares the job with the one that was begun, and deletes what the run will decide again. The transaction
 * stays open: outcomes must be deleted only if the run begins. True if the file was corrected since the last run.
 */
function prepare(directory: string, connection: JournalDatabase, job: Job, options: OpenJournal): boolean {
  const before = storedJob(directory, connection);
  const isReal = isRealJob(before?.kind);
  if (isRetry(options) && !isReal) throw nothingFailed(directory);
  if (isReal) refuseTrial(directory, job);
  if (before && !options.restart) refuseMerge(directory, before, job);
  const isUnfinishedMerge = before?.kind === 'merge' && job.kind === 'merge';
  if (!before || options.restart || !isReal || isUnfinishedMerge) {
    startOver(directory, connection, job, isReal && !isUnfinishedMerge);
    return false;
  }
  const drift = options.onlyFailed ? targetDrift(before, job) : driftOf(before, job);
  if (drift.length > 0) {
    const rest = options.onlyFailed ? '' : ', or retry failed rows of a corrected file with --only failed';
    throw new JobDirectoryError(
      directory,
      `it holds the records of another import: ${drift.join('; ')}`,
      job.kind === 'plan'
        ? useOtherDirectory(directory)
        : `Name another directory with --job, start over with --restart${rest}.`,
    );
  }
  return resume(connection, before, job, options);
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
  if (isKept) archiveResults(directory, archiveCopy(directory, connection));
  else removeResults(directory);
  connection.exec(`BEGIN; ${dropTables} ${schema}`);
  storeFact(connection, 'job', job);
  connection.exec('COMMIT; BEGIN');
}

function resume(connection: JournalDatabase, before: Job, job: Job, options: OpenJournal): boolean {
  const isOtherFile = before.source !== job.source || before.optionsDigest !== job.optionsDigest;
  connection.exec('BEGIN');
  // Rows without an outcome are looked up before they are sent again.
  connection.exec("DELETE FROM outcomes WHERE result = 'unknown'");
  connection.exec('DELETE FROM exact_intents WHERE row IN (SELECT row FROM outcomes)');
  // These rows are valid and never reached the service, so they are sent as if for the first time.
  if (!options.onlyUnanswered) connection.exec("DELETE FROM outcomes WHERE code = 'NOT_REACHED'");
  if (options.onlyFailed) {
    // Users who were created although their row failed are kept for an undo. One who stayed enabled is looked up before the row is
    // sent, which could create a second user. One who was there before could be taken for such a user: that outcome is kept.
    connection.exec(`
      INSERT OR REPLACE INTO exact_intents SELECT row, 0 FROM outcomes
        WHERE code = 'NOT_DISABLED' AND user_id IS NOT NULL;
      INSERT OR REPLACE INTO earlier SELECT ${outcomeColumnsWithKey(keyOfRecord)}
        FROM outcomes WHERE result = 'failed' AND user_id IS NOT NULL;
      DELETE FROM outcomes WHERE result IN ('failed', 'invalid', 'conflict', 'skipped')
        AND NOT (code IS 'NOT_DISABLED' AND user_id IS NULL)`);
  }
  if (isOtherFile) {
    // Outcomes without a key, and those that share an external ID, are kept for the record only.
    const key = `CASE WHEN key IS NULL OR key LIKE 'external_id=%'
        AND key IN (SELECT key FROM outcomes GROUP BY key HAVING count(*) > 1)
      THEN ${keyOfRecord} ELSE key END`;
    const markBefore = readFact(connection, 'may_be_sent') ?? 0;
    connection.exec(`
      INSERT OR REPLACE INTO earlier SELECT ${outcomeColumnsWithKey(key)} FROM outcomes;
      DELETE FROM outcomes; DELETE FROM job WHERE name IN ('may_be_sent', 'kept_early');
      INSERT OR REPLACE INTO job SELECT 'arrives_until', max(until) FROM (
        SELECT arrives_until AS until FROM exact_intents
        UNION ALL SELECT CAST(value AS INTEGER) FROM job WHERE name = 'arrives_until'
        UNION ALL SELECT ${lastArrival(connection, options)} WHERE ${markBefore} > 0) HAVING count(*) > 0;
      DELETE FROM exact_intents; ${setFingerprintsAside}
      INSERT OR REPLACE INTO job VALUES ('corrected', '1')`);
    storeFact(connection, 'job', job);
  }
  return isOtherFile;
}

/** Until when, in epoch milliseconds, a request of the last run can still arrive. */
function lastArrival(connection: JournalDatabase, { now }: OpenJournal): number {
  const arrival = limitsOfCall * (readFact(connection, 'request_timeout') ?? 0);
  return Math.ceil(endOfRun(readJournal(connection).runs().at(-1), now()) + arrival);
}

/** Adds the run to the open transaction. Returns its number. */
function begin(
  connection: JournalDatabase,
  { source }: Job,
  isCorrected: boolean,
  { onlyFailed, onlyUnanswered, command, now }: OpenJournal,
): number {
  connection.exec("DELETE FROM job WHERE name = 'ended'");
  if (command) storeFact(connection, 'command', command);
  const only = onlyFailed ? 'only failed' : onlyUnanswered && 'only unanswered';
  const note = [only, isCorrected && 'corrected file, rows recognised by key'].filter(Boolean).join(', ');
  const insert = connection.prepare('INSERT INTO runs (started_at, source, note) VALUES (?, ?, ?)');
  return Number(insert.run(now(), source, note).lastInsertRowid);
}
