import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/**
 * Opens a temporary database on disk, so that memory stays flat. SQLite unlinks its file as soon as it is open, so nothing is left
 * behind, however the process ends. It may hold what a listing shows, which is never a hash.
 */
export async function openTemporaryDatabase(schema: string): Promise<DatabaseSyncInstance> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync('');
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8000; ${schema}`);
  return database;
}

const pageLength = 500;

/** Reads a table in lists, ordered by a column that numbers the rows from 1. Other statements may run between two lists. */
export function* readInPages<Row>(
  database: Pick<DatabaseSyncInstance, 'prepare'>,
  table: string,
  counter: keyof Row & string,
  columns: string,
  where = 'true',
): Generator<Row[], void> {
  const page = database.prepare(
    `SELECT ${columns} FROM ${table} WHERE ${where} AND ${counter} > ? ORDER BY ${counter} LIMIT ${pageLength}`,
  );
  for (let last: unknown = 0; ; ) {
    const rows = page.all(last) as Row[];
    const end = rows.at(-1);
    if (!end) return;
    yield rows;
    last = end[counter];
  }
}
