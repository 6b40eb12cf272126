import type { Database } from './database.ts';

/**
 * Opens `:memory:`, a SQLite file or `postgres://…` (or `postgresql://…`), with its schema up to date. The driver is
 * loaded when it is used.
 */
export async function openDatabase(location: string): Promise<Database> {
  if (/^postgres(ql)?:/.test(location)) {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(location);
  }
  const { openSqlite } = await import('./sqlite.ts');
  return openSqlite(location);
}
