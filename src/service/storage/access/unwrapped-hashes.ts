import { unwrapped } from '../../passwords/stored-password.ts';
import type { Database } from '../engine/database.ts';

/** A user whose hash may be a fast one. */
export interface UnwrappedUser {
  seq: number;
  password: string;
}

/** Maximum number of users that are checked for one part, and of hashes in it. */
const usersPerPart = 5000;
const hashesPerPart = 200;
/** Milliseconds for which a part belongs to the node that took it: longer than its hashes take on a busy service. */
const lease = 600_000;

/** Returns an upper bound of the users of all tenants whose hashes still have to be wrapped: those created since the last part. */
export async function countUnwrapped(database: Database): Promise<number> {
  const [row] = await database.query<{ users: number | null }>(
    'SELECT sum(seq - wrapped_seq) AS users FROM tenants JOIN numbers ON numbers.tenant = tenants.tenant',
    [],
  );
  return Number(row?.users ?? 0);
}

/** Nobody works on a part. A time that is further away than two leases was written by a clock that was ahead. */
const isFreeSql = '(wrapping_until <= ? OR wrapping_until > ?)';

/**
 * Takes the next users whose hashes have not been checked yet, so that no other node works on this part; returns `undefined` if there
 * is none. `after`, `last`: `seq` of the last user before the part, and of its own last user.
 */
export async function takePart(database: Database, now: number) {
  const free = [now, now + 2 * lease];
  const tenants = await database.query<{ tenant: number; wrapped_seq: number; last: number }>(
    `SELECT tenants.tenant, wrapped_seq, seq AS last FROM tenants JOIN numbers ON numbers.tenant = tenants.tenant
     WHERE ${isFreeSql} ORDER BY tenants.tenant`,
    free,
  );
  const found = tenants.find(({ last, wrapped_seq }) => last > wrapped_seq);
  if (!found) return undefined;
  const { tenant, wrapped_seq: after } = found;
  const take = `UPDATE tenants SET wrapping_until = ? WHERE tenant = ? AND ${isFreeSql} AND wrapped_seq = ?`;
  const values = [now + lease, tenant, ...free, after];
  if (!(await database.commit([{ sql: take, values }]))) return undefined;
  const end = Math.min(found.last, after + usersPerPart);
  const sql = `SELECT seq, password FROM users WHERE tenant = ? AND seq > ? AND seq <= ? AND ${unwrapped}
    ORDER BY seq LIMIT ${hashesPerPart}`;
  const users = await database.query<UnwrappedUser>(sql, [tenant, after, end]);
  const last = users.length === hashesPerPart ? (users.at(-1)?.seq ?? end) : end;
  return { tenant, after, last, users };
}

/** Replaces a stored password by its wrapped form; has no effect if a login or a change was faster. */
export async function storeWrapped(
  database: Database,
  tenant: number,
  { seq, password }: UnwrappedUser,
  wrapped: string,
): Promise<void> {
  const sql = 'UPDATE users SET password = ? WHERE tenant = ? AND seq = ? AND password = ?';
  await database.commit([
    { sql, values: [wrapped, tenant, seq, password], optional: true, tenantLock: tenant },
  ]);
}

/** Marks a part as done, or, if it was not finished, only makes it available to all nodes again. */
export async function returnPart(
  database: Database,
  { tenant, after, last }: { tenant: number; after: number; last: number },
  isDone: boolean,
): Promise<void> {
  const sql = 'UPDATE tenants SET wrapped_seq = ?, wrapping_until = 0 WHERE tenant = ? AND wrapped_seq = ?';
  await database.commit([{ sql, values: [isDone ? last : after, tenant, after], optional: true }]);
}
