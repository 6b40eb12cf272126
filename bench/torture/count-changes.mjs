import { DatabaseSync } from '@photostructure/sqlite';

/**
 * The number of changes of users in a database that a service is using.
 * @param {string} database
 */
export function countChanges(database) {
  const connection = new DatabaseSync(database, { readOnly: true });
  try {
    connection.exec('PRAGMA busy_timeout = 5000');
    const found = /** @type {{ changes: number }} */ (
      connection.prepare('SELECT coalesce(sum(version), 0) AS changes FROM users').get()
    );
    return found.changes;
  } finally {
    connection.close();
  }
}
