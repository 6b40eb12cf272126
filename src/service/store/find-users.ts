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

/** Which users a page shows: exclusive bounds of `updated_at`, in epoch milliseconds at whole seconds. */
export interface PageQuery {
  offset: number;
  limit: number;
  after?: number;
  before?: number;
}

/** A page in creation order (decision 14) and the number of users that the filter lets through. */
export async function findPage(
  database: Database,
  tenant: Tenant,
  { offset, limit, after, before }: PageQuery,
): Promise<{ total: number; rows: UserRow[] }> {
  const skip = offset * limit;
  if (after === undefined && before === undefined) {
    const total = await count(database, 'SELECT coalesce(max(seq), 0) AS total FROM users WHERE tenant = ?', [
      tenant.key,
    ]);
    const sql = 'SELECT * FROM users WHERE tenant = ? AND seq > ? AND seq <= ? ORDER BY seq';
    return { total, rows: await database.query<UserRow>(sql, [tenant.key, skip, skip + limit]) };
  }
  const from = after === undefined ? 0 : after + 1000;
  const until = before === undefined ? Number.MAX_SAFE_INTEGER : before;
  const bounds = [tenant.key, from, until];
  const where = 'WHERE tenant = ? AND updated_at >= ? AND updated_at < ?';
  const total = await count(database, `SELECT count(*) AS total FROM users ${where}`, bounds);
  const sql = `SELECT * FROM users WHERE tenant = ? AND seq IN
    (SELECT seq FROM users ${where} ORDER BY seq LIMIT ? OFFSET ?) ORDER BY seq`;
  return { total, rows: await database.query<UserRow>(sql, [tenant.key, ...bounds, limit, skip]) };
}

async function count(database: Database, sql: string, values: number[]): Promise<number> {
  const [row] = await database.query<{ total: number }>(sql, values);
  return row?.total ?? 0;
}
