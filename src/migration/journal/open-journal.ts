import { closeSync, existsSync, lstatSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { JobDirectoryError } from '../job-directory-error.ts';
import { type Connection, openConnection } from './connection.ts';
import { driftOf, type Job, targetDrift } from './job.ts';
import { createJournal, type Journal } from './journal.ts';
import { lockJournal } from './lock-journal.ts';
import { journalVersion, schema } from './schema.ts';

/** How the journal of an earlier run is met. */
export interface OpenJournal {
  /** Put the journal of an earlier run aside, and begin anew. */
  restart?: boolean;
  /** Take up again what failed before; the file may have been mended since. */
  onlyFailed?: boolean;
  now: () => number;
}

/** The lists and reports beside the journal. */
const bookNames = ['summary.json', 'users.csv', 'failures.csv', 'report.html'] as const;

const name = 'journal.db';

/**
 * Opens the journal of a job directory, or makes both. Throws a `JobDirectoryError` when another run is at work on it,
 * when the job is not the one that the journal was begun for, or when the directory cannot be used.
 */
export async function openJournal(directory: string, job: Job, options: OpenJournal): Promise<Journal> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  prepareDirectory(directory);
  const path = join(directory, name);
  const isNew = !existsSync(path);
  if (isNew) refuseForeignBooks(directory);
  // The journal names people: it is for its owner's eyes only.
  closeSync(openSync(path, 'a', 0o600));
  let connection = openConnection(DatabaseSync, path);
  let release = () => {};
  try {
    release = lockJournal(directory, connection, options.now());
    if (!isNew && mayBeReplaced(directory, connection, options)) {
      const keep = kindOf(connection) === 'import';
      connection.close();
      putAside(directory, keep);
      closeSync(openSync(path, 'a', 0o600));
      connection = openConnection(DatabaseSync, path);
      lockJournal(directory, connection, options.now());
    }
    // What sends nothing has nothing to remember over a loss of power.
    connection.exec(`PRAGMA synchronous = ${job.kind === 'import' ? 'FULL' : 'OFF'}`);
    const isMended = prepare(directory, connection, job, options);
    const run = begin(connection, job, isMended, options);
    return createJournal(connection, { run, isMended, release }, options.now);
  } catch (failure) {
    connection.close();
    release();
    throw failure;
  }
}

function prepareDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (failure) {
    const code = failure instanceof Error && 'code' in failure ? String(failure.code) : 'no reason given';
    const fault =
      code === 'EEXIST' || code === 'ENOTDIR'
        ? 'this is no directory; name another one'
        : `the books cannot be written there (${code}); name another directory`;
    throw new JobDirectoryError(directory, fault);
  }
}

/** Lists without a journal are not of this program's making, or of an older one's. */
function refuseForeignBooks(directory: string): void {
  for (const book of bookNames) {
    if (lstatSync(join(directory, book), { throwIfNoEntry: false })) {
      throw new JobDirectoryError(
        directory,
        `the directory holds ${book}, but no journal of an import; name another job directory`,
      );
    }
  }
}

/** A journal of which nothing was written to a tenant, or one that is to be put aside. */
function mayBeReplaced(directory: string, connection: Connection, { restart }: OpenJournal): boolean {
  const { user_version: version } = connection.prepare('PRAGMA user_version').get() as {
    user_version: number;
  };
  if (version > journalVersion) {
    throw new JobDirectoryError(
      directory,
      'its journal was written by a newer version of this program; use that',
    );
  }
  return restart === true || (version > 0 && kindOf(connection) !== 'import');
}

function kindOf(connection: Connection): Job['kind'] | undefined {
  return storedJob(connection)?.kind;
}

function storedJob(connection: Connection): Job | undefined {
  const { user_version: version } = connection.prepare('PRAGMA user_version').get() as {
    user_version: number;
  };
  if (version === 0) return undefined;
  const row = connection.prepare("SELECT value FROM job WHERE name = 'job'").get() as
    | { value: string }
    | undefined;
  return row && (JSON.parse(row.value) as Job);
}

/** Nothing is thrown away of a real import: its journal and its books get the next free number. */
function putAside(directory: string, keep: boolean): void {
  let number = 1;
  while (existsSync(join(directory, `journal-${number}.db`))) number += 1;
  for (const file of [name, ...bookNames]) {
    const path = join(directory, file);
    if (!existsSync(path)) continue;
    if (keep) renameSync(path, join(directory, file.replace('.', `-${number}.`)));
    else rmSync(path);
  }
}

/** Makes the tables, or holds the job against the one that was begun. True when the file was mended since. */
function prepare(directory: string, connection: Connection, job: Job, options: OpenJournal): boolean {
  const before = storedJob(connection);
  if (!before) {
    connection.exec(`BEGIN; ${schema} COMMIT`);
    storeJob(connection, job);
    return false;
  }
  const drift = options.onlyFailed ? targetDrift(before, job) : driftOf(before, job);
  if (drift.length > 0) {
    const rest = options.onlyFailed ? '' : ', or --only failed to take up what failed in a mended file';
    throw new JobDirectoryError(
      directory,
      `it holds the books of another import: ${drift.join('; ')}. Name another job directory, or --restart to begin anew${rest}`,
    );
  }
  const isMended = before.source !== job.source || before.plan !== job.plan;
  connection.exec('BEGIN');
  // Without an outcome these rows are looked up before they are sent again.
  connection.exec("DELETE FROM outcomes WHERE result = 'unknown'");
  if (options.onlyFailed)
    connection.exec("DELETE FROM outcomes WHERE result IN ('failed', 'invalid', 'conflict')");
  if (isMended) {
    connection.exec(`INSERT OR REPLACE INTO earlier SELECT * FROM outcomes WHERE key IS NOT NULL;
      DELETE FROM outcomes; DELETE FROM job WHERE name IN ('may_be_sent', 'canaries')`);
    storeJob(connection, job);
  }
  connection.exec('COMMIT');
  return isMended || hasEarlier(connection);
}

function hasEarlier(connection: Connection): boolean {
  return connection.prepare('SELECT 1 FROM earlier').get() !== undefined;
}

function storeJob(connection: Connection, job: Job): void {
  connection.prepare("INSERT OR REPLACE INTO job VALUES ('job', ?)").run(JSON.stringify(job));
}

function begin(
  connection: Connection,
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
