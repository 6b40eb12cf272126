import type { Database } from '../engine/database.ts';
import { type StoredTenant, uniqueKeys } from '../tenants.ts';
import { claimExtension, uniqueExtensions } from './unique-keys.ts';
import type { StoredProfile } from './user-row.ts';

const usersPerQuery = 1000;

/**
 * Claims the values of stored users for extension attributes that have become unique, the earliest created user first. Users who
 * share a value keep it, because a new definition changes no user, but no other user can get it. Call this before the service
 * answers; several nodes may do so at the same time.
 */
export async function claimStoredValues(database: Database, tenant: StoredTenant): Promise<void> {
  const unclaimed = uniqueKeys(tenant.definition).filter((key) => !tenant.claimed.includes(key));
  if (unclaimed.length === 0) return;
  const sql = `SELECT seq, user_id, profile FROM users WHERE tenant = ? AND seq > ? ORDER BY seq LIMIT ${usersPerQuery}`;
  for (let last = 0; ; ) {
    const rows = await database.query<{ seq: number; user_id: string; profile: string }>(sql, [
      tenant.key,
      last,
    ]);
    const end = rows.at(-1);
    if (!end) break;
    last = end.seq;
    const claims = rows.flatMap(({ user_id, profile }) =>
      uniqueExtensions(JSON.parse(profile) as StoredProfile, tenant.definition)
        .filter(({ key }) => unclaimed.includes(key))
        .map((own) => ({ ...claimExtension(tenant, own, user_id), optional: true })),
    );
    if (claims.length > 0) await database.commit(claims);
  }
  const done = JSON.stringify([...tenant.claimed, ...unclaimed]);
  const update = 'UPDATE tenants SET claimed = ? WHERE tenant = ? AND claimed = ?';
  const values = [done, tenant.key, JSON.stringify(tenant.claimed)];
  await database.commit([{ sql: update, values, optional: true }]);
}
