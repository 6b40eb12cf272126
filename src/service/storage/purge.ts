import type { Database } from './engine/database.ts';

/**
 * Deletes expired tokens, grants, counts of failed logins, and signing keys that are no longer published. Reads all of them: an index
 * of the times would cost more with each token than all of these scans.
 */
export async function purgeExpired(database: Database, now: number): Promise<void> {
  const tables = ['tokens', 'grants', 'login_attempts', 'signing_keys'];
  const transaction = tables.map((table) => ({
    sql: `DELETE FROM ${table} WHERE expires_at <= ?`,
    values: [now],
    optional: true,
  }));
  await database.commit(transaction);
}
