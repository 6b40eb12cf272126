import type { Database } from './engine/database.ts';

/** Deletes tokens, grants and counts of failed logins whose time is over. */
export async function purgeExpired(database: Database, now: number): Promise<void> {
  const tables = ['tokens', 'grants', 'login_attempts'];
  const unit = tables.map((table) => ({
    sql: `DELETE FROM ${table} WHERE expires_at <= ?`,
    values: [now],
    optional: true,
  }));
  await database.commit(unit);
}
