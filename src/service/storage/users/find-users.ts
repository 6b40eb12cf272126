import type { Tenant } from '../../tenant/definition.ts';
import type { Database } from '../engine/database.ts';
import { readShown, type ShownRow, type ShownText, shownColumn, type UserRow } from './user-row.ts';

/** Columns by which a user can be found. */
export type UserKey = 'user_id' | 'user_name_key' | 'email_key' | 'mobile_key' | 'external_id';

const one = (column: UserKey) => `SELECT ${shownColumn} FROM users WHERE tenant = ? AND ${column} = ?`;

const lookups: Record<UserKey, string> = {
  user_id: one('user_id'),
  user_name_key: one('user_name_key'),
  email_key: one('email_key'),
  mobile_key: one('mobile_key'),
  // Several users may have the same external ID. The expressions keep SQLite from planning the query again for each value after an
  // ANALYZE.
  external_id: `SELECT ${shownColumn} FROM users WHERE tenant = ? + 0 AND external_id = ? || '' ORDER BY seq LIMIT 1`,
};

/** Returns the shown columns of the user with a key; of several with one external ID, of the earliest created (decision 18). */
export async function findShown(
  database: Database,
  tenant: Tenant,
  key: UserKey,
  value: string,
): Promise<ShownRow | undefined> {
  const [row] = await database.query<ShownText>(lookups[key], [tenant.key, value]);
  return row && readShown(row);
}

/** Returns the whole row of a user, for a change or a comparison of the password. */
export async function findUser(
  database: Database,
  tenant: Tenant,
  userId: string,
): Promise<UserRow | undefined> {
  const sql = 'SELECT * FROM users WHERE tenant = ? AND user_id = ?';
  const [row] = await database.query<UserRow>(sql, [tenant.key, userId]);
  return row;
}
