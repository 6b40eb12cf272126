import type { Database } from './engine/database.ts';

/** Deletes expired tokens, grants and counts of failed logins. */
export async function purgeExpired(database: Database, now: number): Promise<void> {
  const tables = ['tokens', 'grants', 'login_attempts'];
  const transaction = tables.map((table) => ({
    sql: `DELETE FROM ${table} WHERE expires_at <= ?`,
    values: [now],
    optional: true,
  }));
  await database.commit(transaction);
}
