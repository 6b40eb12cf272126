import type { Database } from './engine/database.ts';

/** Deletes expired tokens, grants and counts of failed logins, and keys whose last token has ended. */
export async function purgeExpired(database: Database, now: number): Promise<void> {
  const tables = ['tokens', 'grants', 'login_attempts', 'signing_keys'];
  const transaction = tables.map((table) => ({
    sql: `DELETE FROM ${table} WHERE expires_at <= ?`,
    values: [now],
    optional: true,
  }));
  await database.commit(transaction);
}
