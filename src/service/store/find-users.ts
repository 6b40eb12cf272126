import type { Tenant } from '../tenant/tenant.ts';
import type { Database } from './database.ts';
import type { UserRow } from './user-row.ts';

/** Columns that find one user. */
export type UserKey = 'user_id' | 'user_name_key' | 'email_key' | 'mobile_key' | 'external_id';

const one = (column: UserKey) => `SELECT * FROM users WHERE tenant = ? AND ${column} = ?`;

const lookups: Record<UserKey, string> = {
  user_id: one('user_id'),
  user_name_key: one('user_name_key'),
  email_key: one('email_key'),
  mobile_key: one('mobile_key'),
  external_id: `${one('external_id')} ORDER BY seq LIMIT 1`,
};

/** The user that holds a key; of several with one external id the earliest created (decision 18). */
export async function findUser(
  database: Database,
  tenant: Tenant,
  key: UserKey,
  value: string,
): Promise<UserRow | undefined> {
  const [row] = await database.query<UserRow>(lookups[key], [tenant.key, value]);
  return row;
}
