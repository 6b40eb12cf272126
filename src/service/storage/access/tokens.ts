import type { Tenant } from '../../tenant/definition.ts';
import type { Database } from '../engine/database.ts';
import { newSecret, readTenantKey, secretDigest } from './secrets.ts';

/** The application that a live access token belongs to. */
export interface TokenOwner {
  /** Key of the tenant. */
  tenant: number;
  clientId: string;
}

/** Access tokens (§5): an application can have several, and each is valid until it expires. */
export interface Tokens {
  issue(tenant: Tenant, clientId: string): Promise<string>;
  /** The owner of a live token in the cache. */
  cached(token: string): TokenOwner | undefined;
  /** Looks up a token in the database. */
  find(token: string): Promise<TokenOwner | undefined>;
}

const cacheSize = 10_000;

/** Opens the tokens of a database, which stores digests. A token that was found is cached until it expires: none can be revoked. */
export function openTokens(database: Database, now: () => number): Tokens {
  const live = new Map<string, TokenOwner & { expiresAt: number }>();

  async function find(token: string): Promise<TokenOwner | undefined> {
    const tenant = readTenantKey(token);
    if (tenant === undefined) return undefined;
    const sql = 'SELECT client_id, expires_at FROM tokens WHERE tenant = ? AND digest = ?';
    const [row] = await database.query<{ client_id: string; expires_at: number }>(sql, [
      tenant,
      secretDigest(token),
    ]);
    if (!row || row.expires_at <= now()) return undefined;
    if (live.size >= cacheSize) live.clear();
    const owner = { tenant, clientId: row.client_id, expiresAt: row.expires_at };
    live.set(token, owner);
    return owner;
  }

  return {
    async issue(tenant, clientId) {
      const token = newSecret(tenant.key);
      const expiresAt = now() + tenant.definition.token.expires_in * 1000;
      const sql = 'INSERT INTO tokens (tenant, digest, client_id, expires_at) VALUES (?, ?, ?, ?)';
      await database.commit([{ sql, values: [tenant.key, secretDigest(token), clientId, expiresAt] }]);
      return token;
    },
    cached(token) {
      const known = live.get(token);
      if (known && known.expiresAt > now()) return known;
      live.delete(token);
      return undefined;
    },
    find,
  };
}
