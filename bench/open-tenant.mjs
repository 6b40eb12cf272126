import { openBarePool } from './bare-pool.mjs';
import { fillUsers } from './fill-users.mjs';
import { startService } from './processes.mjs';

/** @import { Options } from './options.mjs' */

/**
 * A new tenant with this number of users, a service on it in a process of its own, and a pool with a token of the
 * service. `end` removes everything.
 * @param {Options} options
 * @param {{ users: number, connections: number }} size
 */
export async function openTenant({ databases, say }, { users, connections }) {
  const location = await databases.fresh();
  if (users > 0) {
    say(`makes ${users.toLocaleString('en')} users`);
    await fillUsers(location, users);
  }
  const server = await startService(location);
  const pool = openBarePool(server.baseUrl, connections);
  await pool.logIn();
  return {
    baseUrl: server.baseUrl,
    pool,
    users,
    async end() {
      await pool.close();
      await server.end();
      await databases.drop(location);
    },
  };
}
