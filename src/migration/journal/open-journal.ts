import { closeSync, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../text/error-code.ts';
import { JobDirectoryError } from '../model/errors.ts';
import { driftOf, type Job, targetDrift } from '../model/job.ts';
import { archiveCopy, archiveResults, journalName, removeResults, resultFileNames } from './archive.ts';
import {
  dropTables,
  type JournalDatabase,
  journalVersion,
  openJournalDatabase,
  schema,
  unwritable,
} from './database.ts';
import { createJournal, type Journal } from './journal.ts';
import { lockJournal } from './lock.ts';

/** How the journal of an earlier run is met. */
export interface OpenJournal {
  /** Put the journal of an earlier run aside, and begin anew. */
  restart?: boolean;
  /** Take up again what failed before; the file may have been mended since. */
  onlyFailed?: boolean;
  now: () => number;
}

/**
 * Opens the journal of a job directory, or makes both. Throws a `JobDirectoryError` when another run is at work on it,
 * when the job is not the one that the journal was begun for, or when the directory cannot be used.
 */
export async function openJournal(directory: string, job: Job, options: OpenJournal): Promise<Journal> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  prepareDirectory(directory);
  const path = join(directory, journalName);
  let connection: JournalDatabase | undefined;
  let release = () => {};
  try {
    if (!existsSync(path)) {
      refuseForeignBooks(directory);
      if (options.onlyFailed) throw nothingFailed(directory);
    }
    // The journal names people: it is for its owner's eyes only.
    closeSync(openSync(path, 'a', 0o600));
    connection = openJournalDatabase(DatabaseSync, path);
    release = lockJournal(directory, connection, options.now());
    // What sends nothing has nothing to remember over a loss of power.
    const isKept = job.kind === 'import' || job.kind === 'merge';
    connection.exec(`PRAGMA synchronous = ${isKept ? 'FULL' : 'OFF'}`);
    const isMended = prepare(directory, connection, job, options);
    const run = begin(connection, job, isMended, options);
    return createJournal(connection, { directory, run, isMended, release }, options.now);
  } catch (failure) {
    release();
    connection?.close();
    throw errorCode(failure) === undefined ? failure : unwritable(directory, failure);
  }
}

function prepareDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (failure) {
    const code = errorCode(failure) ?? 'no reason given';
    const isFile = code === 'EEXIST' || code === 'ENOTDIR';
    const fault = isFile ? 'this is no directory' : `the books cannot be written there (${code})`;
    throw new JobDirectoryError(directory, fault, 'Name another directory with --job.');
  }
}

/** Lists without a journal are not of this program's making, or of an older one's. */
function refuseForeignBooks(directory: string): void {
  for (const book of resultFileNames) {
    if (lstatSync(join(directory, book), { throwIfNoEntry: false })) {
      throw new JobDirectoryError(
        directory,
        `the directory holds ${book}, but no journal of an import`,
        'Name another directory with --job.',
      );
    }
  }
}

function nothingFailed(directory: string): JobDirectoryError {
  const fault = 'there is no journal of an import in it, so nothing failed';
  return new JobDirectoryError(directory, fault, 'Name its directory with --job.');
}

/** The job that the journal was begun for; `undefined` where it was not begun. */
function storedJob(directory: string, connection: JournalDatabase): Job | undefined {
  const { user_version: version } = connection.prepare('PRAGMA user_version').get() as {
    user_version: number;
  };
  if (version > journalVersion) {
    throw new JobDirectoryError(
      directory,
      'its journal was written by a newer version of this program',
      'Go on with that version.',
    );
  }
  const tables = connection.prepare('SELECT name FROM sqlite_master').all() as { name: string }[];
  if (version === 0 ? tables.length > 0 : tables.every((table) => table.name !== 'job')) {
    throw new JobDirectoryError(
      directory,
      `its ${journalName} is the database of another program`,
      'Name another directory with --job.',
    );
  }
  if (version === 0) return undefined;
  const row = connection.prepare("SELECT value FROM job WHERE name = 'job'").get() as
    | { value: string }
    | undefined;
  return row && (JSON.parse(row.value) as Job);
}

/** Makes the tables, or holds the job against the one that was begun. True when the file was mended since. */
function prepare(directory: string, connection: JournalDatabase, job: Job, options: OpenJournal): boolean {
  const before = storedJob(directory, connection);
  const isLasting = before?.kind === 'import' || before?.kind === 'merge';
  if (options.onlyFailed && !isLasting) throw nothingFailed(directory);
  if (before && !options.restart) refuseMerge(directory, before, job);
  const isUnfinishedMerge = before?.kind === 'merge' && job.kind === 'merge';
  if (!before || options.restart || !isLasting || isUnfinishedMerge) {
    beginAnew(directory, connection, job, isLasting && !isUnfinishedMerge);
    return false;
  }
  const drift = options.onlyFailed ? targetDrift(before, job) : driftOf(before, job);
  if (drift.length > 0) {
    const rest = options.onlyFailed ? '' : ', or take up what failed in a mended file with --only failed';
    throw new JobDirectoryError(
      directory,
      `it holds the books of another import: ${drift.join('; ')}`,
      `Name another directory with --job, begin anew with --restart${rest}.`,
    );
  }
  return goOn(directory, connection, before, job, options);
}

function refuseMerge(directory: string, before: Job, job: Job): void {
  if (before.kind === 'merge' && job.kind !== 'merge') {
    const fault = 'shares were being joined in it when that was cut off';
    throw new JobDirectoryError(directory, fault, 'Join them again first.');
  }
  if (before.kind === 'import' && job.kind === 'merge') {
    throw new JobDirectoryError(
      directory,
      'the directory holds the books of an import',
      'Name another one with --job.',
    );
  }
}

/** In the one file, so that the lock is never let go of. */
function beginAnew(directory: string, connection: JournalDatabase, job: Job, isKept: boolean): void {
  if (isKept) archiveResults(directory, archiveCopy(directory, connection));
  else removeResults(directory);
  connection.exec(`BEGIN; ${dropTables} ${schema}`);
  storeJob(connection, job);
  connection.exec('COMMIT');
}

function goOn(
  directory: string,
  connection: JournalDatabase,
  before: Job,
  job: Job,
  options: OpenJournal,
): boolean {
  const isMended = before.source !== job.source || before.plan !== job.plan;
  connection.exec('BEGIN');
  // Without an outcome these rows are looked up before they are sent again.
  connection.exec("DELETE FROM outcomes WHERE result = 'unknown'");
  if (options.onlyFailed)
    connection.exec("DELETE FROM outcomes WHERE result IN ('failed', 'invalid', 'conflict')");
  if (isMended) {
    // Rows that cannot be told apart by their keys are kept for the record only.
    connection.exec(`
      INSERT OR REPLACE INTO earlier SELECT row, line, result, algorithm,
        CASE WHEN key IS NULL OR key LIKE 'external_id=%'
            AND key IN (SELECT key FROM outcomes GROUP BY key HAVING count(*) > 1)
          THEN 'run=' || (SELECT max(run) FROM runs) || ' row=' || row ELSE key END,
        user_name, external_id, user_id, code, message, hint FROM outcomes;
      DELETE FROM outcomes; DELETE FROM job WHERE name IN ('may_be_sent', 'canaries');
      INSERT OR REPLACE INTO job VALUES ('mended', '1')`);
    storeJob(connection, job);
  }
  connection.exec('COMMIT');
  if (isMended) archiveResults(directory);
  return connection.prepare("SELECT 1 FROM job WHERE name = 'mended'").get() !== undefined;
}

function storeJob(connection: JournalDatabase, job: Job): void {
  connection.prepare("INSERT OR REPLACE INTO job VALUES ('job', ?)").run(JSON.stringify(job));
}

function begin(
  connection: JournalDatabase,
  { source }: Job,
  isMended: boolean,
  { onlyFailed, now }: OpenJournal,
): number {
  const note = [onlyFailed && 'only failed', isMended && 'mended file, rows known by key']
    .filter(Boolean)
    .join(', ');
  const insert = connection.prepare('INSERT INTO runs (started_at, source, note) VALUES (?, ?, ?)');
  return Number(insert.run(now(), source, note).lastInsertRowid);
}
