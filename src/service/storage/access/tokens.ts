import type { Tenant } from '../../tenant/definition.ts';
import type { Database } from '../engine/database.ts';
import { newSecret, secretDigest, tenantKeyOf } from './secrets.ts';

/** Whom a live access token belongs to. */
export interface TokenOwner {
  /** Key of the tenant. */
  tenant: number;
  clientId: string;
}

/** Access tokens (§5): several live at once per application, and each ends by its time only. */
export interface Tokens {
  issue(tenant: Tenant, clientId: string): Promise<string>;
  /** Whose a live token is that was found before. */
  remembered(token: string): TokenOwner | undefined;
  /** Looks a token up. */
  find(token: string): Promise<TokenOwner | undefined>;
}

const cacheSize = 10_000;

/** Stores tokens as digests. One that was found is remembered until it ends: no token can be taken back. */
export function openTokens(database: Database, now: () => number): Tokens {
  const live = new Map<string, TokenOwner & { expiresAt: number }>();

  async function find(token: string): Promise<TokenOwner | undefined> {
    const tenant = tenantKeyOf(token);
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
      const expiresAt = now() + tenant.definition.token.expiresIn * 1000;
      const sql = 'INSERT INTO tokens (tenant, digest, client_id, expires_at) VALUES (?, ?, ?, ?)';
      await database.commit([{ sql, values: [tenant.key, secretDigest(token), clientId, expiresAt] }]);
      return token;
    },
    remembered(token) {
      const known = live.get(token);
      if (known && known.expiresAt > now()) return known;
      live.delete(token);
      return undefined;
    },
    find,
  };
}
