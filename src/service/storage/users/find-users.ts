import type { Tenant } from '../../tenant/definition.ts';
import type { Database } from '../engine/database.ts';
import { readShown, type ShownRow, type ShownText, shownColumn, type UserRow } from './user-row.ts';

/** Columns that find one user. */
export type UserKey = 'user_id' | 'user_name_key' | 'email_key' | 'mobile_key' | 'external_id';

const one = (column: UserKey) => `SELECT ${shownColumn} FROM users WHERE tenant = ? AND ${column} = ?`;

const lookups: Record<UserKey, string> = {
  user_id: one('user_id'),
  user_name_key: one('user_name_key'),
  email_key: one('email_key'),
  mobile_key: one('mobile_key'),
  // Several users may have one. Without the expressions SQLite would, after an ANALYZE, plan the query again for each
  // value.
  external_id: `SELECT ${shownColumn} FROM users WHERE tenant = ? + 0 AND external_id = ? || '' ORDER BY seq LIMIT 1`,
};

/** What is shown of the user with a key; of several with one external id the earliest created (decision 18). */
export async function findShown(
  database: Database,
  tenant: Tenant,
  key: UserKey,
  value: string,
): Promise<ShownRow | undefined> {
  const [row] = await database.query<ShownText>(lookups[key], [tenant.key, value]);
  return row && readShown(row);
}

/** The whole row of a user, for a change or a comparison of the password. */
export async function findUser(
  database: Database,
  tenant: Tenant,
  userId: string,
): Promise<UserRow | undefined> {
  const sql = 'SELECT * FROM users WHERE tenant = ? AND user_id = ?';
  const [row] = await database.query<UserRow>(sql, [tenant.key, userId]);
  return row;
}
