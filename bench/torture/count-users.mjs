import { DatabaseSync } from '@photostructure/sqlite';

/**
 * How many users are in a database that a service is using.
 * @param {string} database
 */
export function countUsers(database) {
  const connection = new DatabaseSync(database, { readOnly: true });
  try {
    connection.exec('PRAGMA busy_timeout = 5000');
    const found = /** @type {{ users: number }} */ (
      connection.prepare('SELECT count(*) AS users FROM users').get()
    );
    return found.users;
  } finally {
    connection.close();
  }
}
