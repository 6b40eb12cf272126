import { pageLimits } from '../../../contract/operations.ts';
import type { Tenant } from '../../tenant/definition.ts';
import type { Database } from '../engine/database.ts';
import { findShown } from './find-users.ts';
import { type ChangeTimes, openChangeTimes } from './time-index.ts';
import { isLeftOut, readShown, type ShownRow, type ShownText, shownOnPage } from './user-row.ts';

/** Selects the users of a page; the bounds of `updated_at` are exclusive, in epoch milliseconds at whole seconds. */
export interface PageQuery {
  offset: number;
  limit: number;
  after?: number | undefined;
  before?: number | undefined;
}

/** A page of users, and the number of all users that match the filter. */
export interface UserRows {
  total: number;
  /** A large user is read by its function; `undefined` if the user has changed, and no longer belongs to the page. */
  rows: (ShownRow | (() => Promise<ShownRow | undefined>))[];
}

/** Pages in creation order (decision 14). */
export type UserPages = ReturnType<typeof openUserPages>;

const byRange = `SELECT ${shownOnPage} FROM users WHERE tenant = ? AND seq > ? AND seq <= ? ORDER BY seq`;
/** One statement for every page: values that a page does not need are 0, which is no user's `seq`. */
const bySeq = `SELECT ${shownOnPage} FROM users
  WHERE tenant = ? AND seq IN (${Array(pageLimits.max).fill('?').join(', ')}) ORDER BY seq`;
const countAll = 'SELECT seq AS total FROM numbers WHERE tenant = ?';

/** True if the tenant has a user. */
export async function hasUsers(database: Database, { key }: Tenant): Promise<boolean> {
  const [found] = await database.query<{ total: number }>(countAll, [key]);
  return (found?.total ?? 0) > 0;
}

/** Opens the listings of a database. A page without a filter is a range of `seq`, and the total is the last `seq`. */
export function openUserPages(database: Database) {
  const timesOf = new Map<number, ChangeTimes>();

  function times({ key }: Tenant): ChangeTimes {
    const known = timesOf.get(key) ?? openChangeTimes(database, key);
    timesOf.set(key, known);
    return known;
  }

  return {
    async find(tenant: Tenant, query: PageQuery): Promise<UserRows> {
      const { offset, limit, after, before } = query;
      if (after !== undefined || before !== undefined)
        return findChanged(database, tenant, times(tenant), query);
      const [{ total } = { total: 0 }] = await database.query<{ total: number }>(countAll, [tenant.key]);
      const skip = offset * limit;
      // Users created after the count are left out, so that all pages together have as many users as the total says.
      const last = Math.min(skip + limit, total);
      const rows = await database.query<ShownText>(byRange, [tenant.key, skip, last]);
      return { total, rows: withLarge(database, tenant, rows.map(readShown), () => true) };
    },
  };
}

async function findChanged(
  database: Database,
  tenant: Tenant,
  times: ChangeTimes,
  { offset, limit, after, before }: PageQuery,
): Promise<UserRows> {
  // Times are compared in whole seconds, as shown (decision 15): the whole second of `after` is excluded.
  const from = after === undefined ? Number.NEGATIVE_INFINITY : after + 1000;
  const until = before ?? Number.POSITIVE_INFINITY;
  const belongs = ({ updated_at }: ShownRow) => updated_at >= from && updated_at < until;
  for (let tries = 1; ; tries += 1) {
    await times.catchUp();
    const { total, page } = times.find(from, until, offset * limit, limit);
    if (page.length === 0) return { total, rows: [] };
    const values = Array.from({ length: pageLimits.max }, (_, index) => page[index] ?? 0);
    const found = await database.query<ShownText>(bySeq, [tenant.key, ...values]);
    const rows = found.map(readShown);
    // A user changed after the page was chosen no longer belongs to it.
    if (tries < 3 && !rows.every(belongs)) continue;
    return { total, rows: withLarge(database, tenant, rows.filter(belongs), belongs) };
  }
}

/** Replaces the rows of large users by functions that read them. */
function withLarge(
  database: Database,
  tenant: Tenant,
  rows: readonly ShownRow[],
  belongs: (row: ShownRow) => boolean,
): UserRows['rows'] {
  return rows.map((row) => {
    if (!isLeftOut(row)) return row;
    return async () => {
      const user = await findShown(database, tenant, 'user_id', row.user_id);
      return user && belongs(user) ? user : undefined;
    };
  });
}
