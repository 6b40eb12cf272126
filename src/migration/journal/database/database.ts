import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { DatabaseSync, StatementSyncInstance } from '@photostructure/sqlite';
import { uniqueDraftOf } from '../../directory/job-files.ts';
import { useOtherDirectory } from '../../directory/own-directory.ts';
import { JobDirectoryError } from '../../model/errors.ts';
import { userResults } from '../../model/outcome.ts';

/** SQL: the list of the results of rows whose users are in the tenant. */
export const resultsOfUsers = `(${userResults.map((result) => `'${result}'`).join(', ')})`;

type Value = string | number | null;

export type JournalDatabase = ReturnType<typeof openJournalDatabase>;

export function openJournalDatabase(
  Database: typeof DatabaseSync,
  path: string | URL,
  options: { readOnly?: boolean } = {},
) {
  const database = new Database(path, options);
  // Used by the stored columns `checksum`.
  database.function('checksum', { deterministic: true }, (text: string) => crc32(text));
  const prepared = new Map<string, StatementSyncInstance>();
  /** Returns the same statement for the same text. */
  function prepare(sql: string): StatementSyncInstance {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  }
  return {
    /** The path of the file. */
    path: database.location() ?? '',
    /** The directory of the file. */
    directory: dirname(database.location() ?? ''),
    exec: (sql: string) => database.exec(sql),
    prepare,
    /** Returns the first row that a query finds; `undefined` if it finds none. */
    row: <Row>(sql: string, ...values: Value[]) => prepare(sql).get(...values) as Row | undefined,
    rows: <Row>(sql: string, ...values: Value[]) => prepare(sql).all(...values) as Row[],
    /** Returns the number that a query finds, which is its only value; 0 if that is NULL. */
    count: (sql: string, ...values: Value[]) =>
      Number(Object.values(prepare(sql).get(...values) ?? {})[0] ?? 0),
    /** Merges the write-ahead log into the file, unlocks and closes it. Further calls do nothing. */
    close(): void {
      if (!database.isOpen) return;
      try {
        // The library keeps file and lock until the last statement is garbage-collected, so the lock is released here.
        if (database.isTransaction) database.exec('ROLLBACK');
        database.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL');
        database.exec('SELECT 1 FROM sqlite_master');
      } catch {
        // Another process has the lock, so there is none to release.
      }
      database.close();
    },
  };
}

/**
 * Opens a copy of a journal with the log that a run left when it was cut off: SQLite would merge that log into the original. The copy
 * is in the same directory, as a draft: if this process is killed, it is deleted with the other personal data of the job. If it cannot
 * be made there, such as on a full disk, it is a temporary one. Throws a `JobDirectoryError` if nothing can be written there either.
 */
export function openCopy(Database: typeof DatabaseSync, path: string): JournalDatabase {
  const beside = uniqueDraftOf(path);
  try {
    return openAt(Database, path, beside, () => {
      for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${beside}${end}`, { force: true });
    });
  } catch {
    return openTemporary(Database, path);
  }
}

function openTemporary(Database: typeof DatabaseSync, path: string): JournalDatabase {
  try {
    const directory = mkdtempSync(join(tmpdir(), 'tenant-users-'));
    const remove = () => rmSync(directory, { recursive: true, force: true });
    return openAt(Database, path, join(directory, 'journal.db'), remove);
  } catch (failure) {
    if (!(failure instanceof Error && 'syscall' in failure)) throw failure;
    throw new JobDirectoryError(
      dirname(path),
      `a run of it was cut off, and the copy of its journal that is read cannot be written, neither there nor in ${tmpdir()} (${failure.message})`,
      'Free some space in one of the two, or set TMPDIR to a directory that can be written to; then rerun the same command.',
    );
  }
}

/** Copies a journal and its log, and opens the copy, which closing deletes. Leaves nothing behind if that fails. */
function openAt(
  Database: typeof DatabaseSync,
  path: string,
  copy: string,
  remove: () => void,
): JournalDatabase {
  let connection: JournalDatabase | undefined;
  try {
    for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${copy}${end}`);
    connection = openJournalDatabase(Database, copy);
    // Only now SQLite makes a further file, for which there may be no room.
    connection.exec('SELECT 1 FROM sqlite_master');
    const { close } = connection;
    return {
      ...connection,
      directory: dirname(path),
      close() {
        close();
        remove();
      },
    };
  } catch (failure) {
    connection?.close();
    remove();
    throw failure;
  }
}

/** SQLite's result codes for a file that is not a database, or that is damaged. */
const damaged: ReadonlySet<unknown> = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT']);

/** Turns a failure of the disk or of the journal's database into an error that says what to do. */
export function unwritable(directory: string, failure: unknown): JobDirectoryError {
  if (failure instanceof JobDirectoryError) return failure;
  const reason = failure instanceof Error ? failure.message : 'no reason given';
  const isDamaged =
    failure instanceof Error &&
    'sqliteCodeName' in failure &&
    (damaged.has(failure.sqliteCodeName) || failure.message === 'unsupported file format');
  if (isDamaged) return damagedJournal(directory, reason);
  const fault = `the journal cannot be written there (${reason})`;
  const hint =
    'Fix the problem and rerun the same command: rows that may have been sent are looked up first.';
  return new JobDirectoryError(directory, fault, hint);
}

/** Returns the error for a journal that can no longer be trusted. */
export function damagedJournal(directory: string, reason: string): JobDirectoryError {
  return new JobDirectoryError(
    directory,
    `its journal.db is damaged (${reason})`,
    `Restore the file from a copy. If there is none: users created before are found by their user name, e-mail or mobile number; those without any would be created again. ${useOtherDirectory(directory)}`,
  );
}
