import type { DatabaseSync, StatementSyncInstance } from '@photostructure/sqlite';

/** An open database file. */
export interface Connection {
  exec(sql: string): void;
  /** The same statement for the same text. */
  prepare(sql: string): StatementSyncInstance;
  /** Puts everything into the one file, and lets others at it; once is enough. */
  close(): void;
}

/** Opens a database file. */
export function openConnection(Database: typeof DatabaseSync, path: string): Connection {
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
