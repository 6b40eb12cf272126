import type { DatabaseSync, StatementSyncInstance } from '@photostructure/sqlite';
import { JobDirectoryError } from '../model/errors.ts';

/** An open database file. */
export interface JournalDatabase {
  exec(sql: string): void;
  /** The same statement for the same text. */
  prepare(sql: string): StatementSyncInstance;
  /** Puts everything into the one file, and unlocks it; once is enough. */
  close(): void;
}

/** Opens a database file. */
export function openJournalDatabase(Database: typeof DatabaseSync, path: string): JournalDatabase {
  const database = new Database(path);
  const prepared = new Map<string, StatementSyncInstance>();
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = prepared.get(sql) ?? database.prepare(sql);
      prepared.set(sql, statement);
      return statement;
    },
    close() {
      if (!database.isOpen) return;
      try {
        // The library keeps file and lock until the last statement is garbage: the lock is given back by hand.
        if (database.isTransaction) database.exec('ROLLBACK');
        database.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL');
        database.exec('SELECT 1 FROM sqlite_master');
      } catch {
        // Another process has the lock: there is none to give back.
      }
      database.close();
    },
  };
}

/** Version of the journal's tables; a journal of another version is refused. */
export const journalVersion = 2;

/**
 * `job`: what the job is and how far it went, a value a line. `outcomes`: what became of each row. `earlier`: outcomes
 * of the file as it was before it was corrected, recognised by their key. `exact_intents`: rows whose requests may have left
 * one by one, and until when (epoch milliseconds) such a request can still arrive.
 */
export const schema = `
  CREATE TABLE job (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE outcomes (
    row INTEGER PRIMARY KEY, line INTEGER NOT NULL, result TEXT NOT NULL, algorithm TEXT, key TEXT, user_name TEXT,
    external_id TEXT, user_id TEXT, code TEXT, message TEXT, hint TEXT);
  CREATE TABLE earlier (
    row INTEGER NOT NULL, line INTEGER NOT NULL, result TEXT NOT NULL, algorithm TEXT, key TEXT PRIMARY KEY,
    user_name TEXT, external_id TEXT, user_id TEXT, code TEXT, message TEXT, hint TEXT) WITHOUT ROWID;
  CREATE TABLE exact_intents (row INTEGER PRIMARY KEY, arrives_until INTEGER NOT NULL);
  CREATE TABLE runs (
    run INTEGER PRIMARY KEY, started_at INTEGER NOT NULL, seconds REAL, source TEXT NOT NULL, note TEXT NOT NULL);
  PRAGMA user_version = ${journalVersion};`;

/** Removes the tables of an earlier job. */
export const dropTables = ['job', 'outcomes', 'earlier', 'exact_intents', 'runs']
  .map((table) => `DROP TABLE IF EXISTS ${table};`)
  .join(' ');

/** Results of SQLite for a file that is no database, or no longer a whole one. */
const damaged: ReadonlySet<unknown> = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT']);

/** A failure of the disk or of the journal's database, as an error that says what to do. */
export function unwritable(directory: string, failure: unknown): JobDirectoryError {
  if (failure instanceof JobDirectoryError) return failure;
  const reason = failure instanceof Error ? failure.message : 'no reason given';
  const isDamaged =
    failure instanceof Error && 'sqliteCodeName' in failure && damaged.has(failure.sqliteCodeName);
  const fault = isDamaged
    ? `its journal is damaged (${reason})`
    : `the journal cannot be written there (${reason})`;
  const hint = isDamaged
    ? 'Restore it from a copy, or name another job directory: users created before are then found by their user name, e-mail or mobile number; those without any would be created again.'
    : 'Fix the problem and rerun the same command: rows that may have been sent are looked up first.';
  return new JobDirectoryError(directory, fault, hint);
}
