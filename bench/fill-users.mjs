import { loadSource } from '../test/load-source.mjs';
import { startService } from './processes.mjs';

/** Creation time of the first user in epoch milliseconds; another user follows after each `step`. */
export const firstCreated = Date.UTC(2025, 0, 1);
/** Milliseconds between two users. */
export const step = 10_000;

/**
 * Values of the user with a number, from 1 on.
 * @param {number} number
 */
export function filledUser(number) {
  return {
    user_id: `20250101000000000-${number}`,
    user_name: `user-${number}`,
    email: `user-${number}@example.com`,
    mobile: `+86-${13_000_000_000 + number}`,
    external_id: `legacy-${number}`,
  };
}

/** Users in one statement: the write-ahead log of SQLite must have room for it. */
const part = 100_000;

/**
 * Fills an empty database with a tenant of this number of users, of whom every third was changed later.
 * @param {string} location
 * @param {number} users
 */
export async function fillUsers(location, users) {
  await (await startService(location)).end();
  const { openDatabase } = await loadSource('service/storage/open-database.ts');
  const database = await openDatabase(location);
  const numbers = 'UPDATE numbers SET seq = ?, changed = ? WHERE tenant = 1';
  for (let from = 1; from <= users; from += part)
    await database.commit([{ sql: insertOf(from, Math.min(users, from + part - 1), users), values: [] }]);
  await database.commit([
    { sql: numbers, values: [users, users] },
    // These users have no hashes that the service would have to wrap.
    { sql: 'UPDATE tenants SET wrapped_seq = ? WHERE tenant = 1', values: [users] },
  ]);
  await database.commit([{ sql: 'ANALYZE', values: [], optional: true }]);
  await database.close();
}

/**
 * @param {number} from number of the first user
 * @param {number} to number of the last one
 * @param {number} users number of all users in the end
 */
function insertOf(from, to, users) {
  const created = `${firstCreated} + n * ${step}`;
  const shown = {
    user_name: 'user-%',
    name: 'User %',
    email: 'user-%@example.com',
    mobile: '+86-#',
    industry: 'IT',
    external_id: 'legacy-%',
  };
  const profile = JSON.stringify(shown)
    .replaceAll('%', "' || n || '")
    .replaceAll('#', "' || (13000000000 + n) || '");
  return `INSERT INTO users (tenant, seq, user_id, user_name_key, email_key, mobile_key, external_id, profile,
    password, pwd_must_modify, pwd_change_at, created_at, updated_at, disabled, usr_auth_times, usr_last_login, version,
    changed)
    WITH RECURSIVE list (n) AS (
      SELECT CAST(${from} AS BIGINT) UNION ALL SELECT n + 1 FROM list WHERE n < ${to})
    SELECT 1, n, '20250101000000000-' || n, 'user-' || n, 'user-' || n || '@example.com', '86-' || (13000000000 + n),
    'legacy-' || n, '${profile}', NULL, 0, NULL, ${created},
    CASE WHEN n % 3 = 0 THEN ${created} + (n * 7919) % ${users} * 1000 ELSE ${created} END,
    0, 0, NULL, 1, n FROM list`;
}
