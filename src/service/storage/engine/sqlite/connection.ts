import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { storable, type Value } from '../database.ts';

/** A connection to a SQLite database that prepares each statement once. */
export type SqliteConnection = ReturnType<typeof openSqliteConnection>;

/** Memory for database pages, in KiB. */
const cacheKib = 64 * 1024;
/**
 * Length of the WAL, in pages of 4 KiB, at which SQLite copies it into the database. That blocks commits, so it must be rare; but a
 * small database on a small disk must not have a large WAL.
 */
const logPages = { least: 4_000, most: 32_000 };
/** Number of commits after which the length of the WAL is adapted to the database again. */
const commitsPerFit = 64;

/** Opens a database in WAL mode, in which a commit is on disk when it returns. Throws what SQLite throws. */
export function openSqliteConnection(path: string) {
  const connection = new DatabaseSync(path);
  try {
    connection.exec('PRAGMA busy_timeout = 5000; PRAGMA synchronous = FULL;');
    // On macOS, a commit without it is only in the memory of the disk.
    connection.exec('PRAGMA fullfsync = ON');
    // A replaced hash must not stay readable in the free space of its page, nor in a free page: a row with a picture has several.
    connection.exec('PRAGMA secure_delete = ON');
    refuseForeign(connection);
    useWal(connection);
    connection.exec(`PRAGMA cache_size = ${-cacheKib}`);
  } catch (error) {
    connection.close();
    throw error;
  }
  const prepared = new Map<string, StatementSyncInstance>();
  let commits = 0;

  function fitLog(): void {
    if (commits++ % commitsPerFit !== 0) return;
    const { page_count } = prepare('PRAGMA page_count').get() as { page_count: number };
    const pages = Math.min(Math.max(2 * page_count, logPages.least), logPages.most);
    connection.exec(`PRAGMA wal_autocheckpoint = ${pages}; PRAGMA journal_size_limit = ${pages * 4096}`);
  }

  function prepare(sql: string): StatementSyncInstance {
    let statement = prepared.get(sql);
    if (!statement) {
      statement = connection.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement;
  }

  return {
    /** Carries out SQL without values. */
    exec: (sql: string) => connection.exec(sql),
    /** Begins a write transaction. */
    begin() {
      fitLog();
      connection.exec('BEGIN IMMEDIATE');
    },
    rows: (sql: string, values: readonly Value[]): unknown[] => prepare(sql).all(...values.map(storable)),
    /** Runs a statement; returns the number of rows that it changed. */
    change: (sql: string, values: readonly Value[]) =>
      Number(prepare(sql).run(...values.map(storable)).changes),
    isOpen: () => connection.isOpen,
    isTransaction: () => connection.isTransaction,
    close: () => connection.close(),
  };
}

/**
 * Throws if the database belongs to another program, before anything in it is changed. Many programs number their schemas like this
 * one, so the number alone says nothing: ours has had these columns since its first step.
 */
function refuseForeign(connection: DatabaseSyncInstance): void {
  const own =
    "SELECT count(*) = 2 FROM pragma_table_info('tenants') WHERE name IN ('tenant_id', 'definition')";
  const found = connection
    .prepare(
      `SELECT user_version AS version, (SELECT count(*) FROM sqlite_master) AS tables, (${own}) AS isOwn FROM pragma_user_version`,
    )
    .get() as { version: number; tables: number; isOwn: number };
  if (found.version === 0 ? found.tables > 0 : found.isOwn === 0)
    throw new Error('it is the database of another program');
}

/** Switches to WAL mode. `busy_timeout` does not apply to this step, so it retries: two processes may open a new file at once. */
function useWal(connection: DatabaseSyncInstance): void {
  const until = Date.now() + 5000;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let isDone = false; !isDone; ) {
    try {
      connection.exec('PRAGMA journal_mode = WAL');
      isDone = true;
    } catch (error) {
      if (Date.now() > until || !(error instanceof Error && /locked|busy/.test(error.message))) throw error;
      // Blocks instead of spinning: nobody is answered yet, and the other process may need the core.
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}
