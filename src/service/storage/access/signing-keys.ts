import type { Database, Statement } from '../engine/database.ts';

/** A key pair that signs id tokens, in the forms in which it is stored. */
export interface KeyPair {
  kid: string;
  /** As JSON; it holds nothing secret. */
  publicJwk: string;
  /** PKCS #8, PEM. */
  privateKey: string;
}

/** The private half of a signing key, as it is stored. */
export interface StoredPrivateKey {
  kid: string;
  private_key: string;
}

/** The public half of a signing key. */
export interface PublishedKey {
  /** Key of the tenant. */
  tenant: number;
  public_jwk: string;
}

/** The key that signs the id tokens of a tenant now: of those whose time has come, the newest. */
export async function findSigningKey(
  database: Database,
  tenant: number,
  now: number,
): Promise<StoredPrivateKey | undefined> {
  const sql = `SELECT kid, private_key FROM signing_keys WHERE tenant = ? AND signs_from <= ?
    ORDER BY signs_from DESC LIMIT 1`;
  const [row] = await database.query<StoredPrivateKey>(sql, [tenant, now]);
  return row;
}

/** The public keys of all tenants by which tokens can be verified: of keys that sign, that will, and that did. */
export function findPublishedKeys(database: Database, now: number): Promise<PublishedKey[]> {
  const sql = `SELECT tenant, public_jwk FROM signing_keys WHERE expires_at IS NULL OR expires_at > ?
    ORDER BY tenant, signs_from`;
  return database.query<PublishedKey>(sql, [now]);
}

/** Stores the first key of a tenant; has no effect where there is one, which another node may have made meanwhile. */
export function insertFirstKey(tenant: number, { kid, publicJwk, privateKey }: KeyPair): Statement {
  const sql = `INSERT INTO signing_keys (tenant, kid, public_jwk, private_key, signs_from)
    SELECT ?, ?, ?, ?, 0 WHERE NOT EXISTS (SELECT 1 FROM signing_keys WHERE tenant = ?)`;
  return { sql, values: [tenant, kid, publicJwk, privateKey, tenant], tenantLock: tenant };
}
