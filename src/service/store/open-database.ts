import type { Database } from './database.ts';

/** Opens `:memory:`, a SQLite file or `postgres://…`, with its schema up to date. The driver is loaded when it is used. */
export async function openDatabase(location: string): Promise<Database> {
  const { openSqlite } = await import('./sqlite.ts');
  return openSqlite(location);
}
