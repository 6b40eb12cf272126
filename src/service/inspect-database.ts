import { openDatabase } from './store/open-database.ts';
import { tenantIds } from './store/tenants.ts';

/** What is known of a database without serving it. */
export interface Inspection {
  /** What SQLite finds wrong with the file; PostgreSQL sees to itself. */
  damage: string[];
  /** Ids of its tenants, oldest first. */
  tenants: string[];
}

/** Opens a database, with its schema up to date, and looks whether it is whole. Rejects when it cannot be opened. */
export async function inspectDatabase(location: string): Promise<Inspection> {
  const database = await openDatabase(location);
  try {
    const rows = /^postgres(ql)?:/.test(location)
      ? []
      : await database.query<{ quick_check: string }>('PRAGMA quick_check(5)', []);
    const damage = rows.map(({ quick_check }) => quick_check).filter((line) => line !== 'ok');
    return { damage, tenants: await tenantIds(database) };
  } finally {
    await database.close();
  }
}
