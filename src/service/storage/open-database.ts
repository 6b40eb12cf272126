import { isPostgres, refusedLocation } from '../../text/locations/database-location.ts';
import type { Database, DatabaseOptions } from './engine/database.ts';
import { StoreError } from './engine/store-error.ts';

/**
 * Opens a SQLite file, an unnamed database or `postgres://…` (or `postgresql://…`), and brings its schema up to date. Each driver
 * is loaded only when it is used.
 */
export async function openDatabase(location: string, options: DatabaseOptions = {}): Promise<Database> {
  const refused = refusedLocation(location);
  if (refused) throw new StoreError(`${refused.reason}. ${refused.hint}`);
  if (isPostgres(location)) {
    const { openPostgres } = await import('./engine/postgres/postgres.ts');
    return openPostgres(location, options);
  }
  const { openSqlite } = await import('./engine/sqlite/sqlite.ts');
  return openSqlite(location, options);
}

/** Opens a database while `work` runs. */
export async function withDatabase<Result>(
  location: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(location);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
