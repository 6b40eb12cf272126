import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { DatabaseSync, StatementSyncInstance } from '@photostructure/sqlite';
import { useOtherDirectory } from '../directory/other-directory.ts';
import { JobDirectoryError } from '../model/errors.ts';
import { userResults } from '../model/outcome.ts';

/** SQL: the list of the results of rows whose users are in the tenant. */
export const resultsOfUsers = `(${userResults.map((result) => `'${result}'`).join(', ')})`;

export type JournalDatabase = ReturnType<typeof openJournalDatabase>;

/** Opens a database file. */
export function openJournalDatabase(
  Database: typeof DatabaseSync,
  path: string | URL,
  options: { readOnly?: boolean } = {},
) {
  const database = new Database(path, options);
  // Used by the stored columns `checksum`.
  database.function('checksum', { deterministic: true }, (text: string) => crc32(text));
  const prepared = new Map<string, StatementSyncInstance>();
  return {
    /** The directory of the file. */
    directory: dirname(database.location() ?? ''),
    exec: (sql: string) => database.exec(sql),
    /** Returns the same statement for the same text. */
    prepare(sql: string): StatementSyncInstance {
      const statement = prepared.get(sql) ?? database.prepare(sql);
      prepared.set(sql, statement);
      return statement;
    },
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
