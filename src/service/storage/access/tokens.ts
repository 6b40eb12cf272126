import type { ApplicationScope } from '../../../contract/operations.ts';
import type { Tenant } from '../../tenant/definition.ts';
import type { Database } from '../engine/database.ts';
import { newSecret, readTenantKey, secretDigest } from './secrets.ts';

/** The application that a live access token belongs to. */
export interface TokenOwner {
  /** Key of the tenant. */
  tenant: number;
  clientId: string;
  scope: ApplicationScope;
}

/** Access tokens (§5): an application can have several, and each is valid until it expires. */
export type Tokens = ReturnType<typeof openTokens>;

const cacheSize = 10_000;

/** Milliseconds after which a cached token is looked up again: a token revoked by another process stays usable for this long. */
const cacheTime = 10_000;

/** True if the tenant has a stored token, be it expired. */
export async function hasTokens(database: Database, { key }: Tenant): Promise<boolean> {
  const found = await database.query('SELECT tenant FROM tokens WHERE tenant = ? LIMIT 1', [key]);
  return found.length > 0;
}

/**
 * Opens the tokens of a database, which stores digests. A token ends with its application; `given` is the id of an application that
 * is not stored.
 */
export function openTokens(database: Database, now: () => number, given?: string) {
  const live = new Map<string, TokenOwner & { until: number }>();

  /** Looks up the owner of a live token in the database. */
  async function find(token: string): Promise<TokenOwner | undefined> {
    const tenant = readTenantKey(token);
    if (tenant === undefined) return undefined;
    const sql = `SELECT tokens.client_id, expires_at, scope FROM tokens
      LEFT JOIN applications ON applications.client_id = tokens.client_id
      WHERE tokens.tenant = ? AND digest = ?`;
    const [row] = await database.query<{
      client_id: string;
      expires_at: number;
      scope: ApplicationScope | null;
    }>(sql, [tenant, secretDigest(token)]);
    const scope = row?.client_id === given ? 'all' : row?.scope;
    if (!row || !scope || row.expires_at <= now()) return undefined;
    if (live.size >= cacheSize) live.clear();
    const until = Math.min(row.expires_at, now() + cacheTime);
    const owner = { tenant, clientId: row.client_id, scope, until };
    live.set(token, owner);
    return owner;
  }

  return {
    async issue(tenant: Tenant, clientId: string): Promise<string> {
      const token = newSecret(tenant.key);
      const expiresAt = now() + tenant.definition.token.expires_in * 1000;
      const sql = 'INSERT INTO tokens (tenant, digest, client_id, expires_at) VALUES (?, ?, ?, ?)';
      await database.commit([{ sql, values: [tenant.key, secretDigest(token), clientId, expiresAt] }]);
      return token;
    },
    /** Issues a token that is not stored: only this process knows it, and it ends with the process. */
    issueHere(tenant: Tenant, clientId: string): string {
      const token = newSecret(tenant.key);
      const until = now() + tenant.definition.token.expires_in * 1000;
      live.set(token, { tenant: tenant.key, clientId, scope: 'all', until });
      return token;
    },
    /** Returns the owner of a live token from the cache. */
    cached(token: string): TokenOwner | undefined {
      const known = live.get(token);
      if (known && known.until > now()) return known;
      live.delete(token);
      return undefined;
    },
    find,
  };
}
