import type { Database } from '../engine/database.ts';
import { readClaimed, type StoredTenant, textOfClaimed, uniqueKeys } from '../tenants.ts';
import { findUser } from './find-users.ts';
import { claimExtension, releaseStaleClaim, type UniqueExtension, uniqueExtensions } from './unique-keys.ts';
import { isLeftOut, type StoredProfile, smallProfile } from './user-row.ts';

const usersPerQuery = 1000;

const partBy = (number: 'seq' | 'changed') =>
  `SELECT ${number} AS number, user_id, ${smallProfile} AS profile FROM users WHERE tenant = ? AND ${number} > ?
  ORDER BY ${number} LIMIT ${usersPerQuery}`;
const parts = { seq: partBy('seq'), changed: partBy('changed') };

/**
 * Claims the values of stored users for the unique extension attributes: of all users, the earliest created first, where an
 * attribute has become unique, and otherwise of those changed since the last start, perhaps by a node whose definition did not have
 * the rule yet. Users who share a value keep it, because a new definition changes no user, but no other user can get it. Call this
 * before the service answers; several nodes may do so at the same time.
 */
export async function claimStoredValues(database: Database, tenant: StoredTenant): Promise<void> {
  const keys = uniqueKeys(tenant.definition);
  if (keys.length === 0) return;
  const sql = 'SELECT changed FROM numbers WHERE tenant = ?';
  const [numbers] = await database.query<{ changed: number }>(sql, [tenant.key]);
  const last = numbers?.changed ?? 0;
  const before = readClaimed(tenant.claimedText);
  const known = keys.map((key) => before.get(key));
  if (known.includes(undefined)) await claimAfter(database, tenant, 'seq', 0);
  await claimAfter(database, tenant, 'changed', Math.min(...known.map((number) => number ?? last)));
  const claimedText = textOfClaimed(new Map(keys.map((key) => [key, last])));
  if (claimedText === tenant.claimedText) return;
  const update = 'UPDATE tenants SET claimed = ? WHERE tenant = ? AND claimed = ?';
  await database.commit([
    { sql: update, values: [claimedText, tenant.key, tenant.claimedText], optional: true },
  ]);
}

/** Claims the values of all users with a greater number. */
async function claimAfter(
  database: Database,
  tenant: StoredTenant,
  number: keyof typeof parts,
  greatest: number,
): Promise<void> {
  for (let last = greatest; ; ) {
    const rows = await database.query<{ number: number; user_id: string; profile: string }>(parts[number], [
      tenant.key,
      last,
    ]);
    const values: { user_id: string; own: UniqueExtension }[] = [];
    for (const row of rows) {
      const { user_id } = row;
      const { profile } = (isLeftOut(row) && (await findUser(database, tenant, user_id))) || row;
      for (const own of uniqueExtensions(JSON.parse(profile) as StoredProfile, tenant.definition))
        values.push({ user_id, own });
    }
    // Of changed users, most values are claimed already; some still for the user who had them before.
    const release = ({ user_id, own }: (typeof values)[number]) =>
      releaseStaleClaim(database, tenant, own, user_id);
    const owners = number === 'changed' ? await Promise.all(values.map(release)) : [];
    const claims = values
      .filter((_, index) => owners[index] === undefined)
      .map(({ user_id, own }) => ({ ...claimExtension(tenant, own, user_id), optional: true }));
    if (claims.length > 0) await database.commit(claims);
    const end = rows.at(-1);
    if (!end || rows.length < usersPerQuery) return;
    last = end.number;
  }
}
