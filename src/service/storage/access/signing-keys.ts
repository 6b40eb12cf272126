import type { Database, Statement } from '../engine/database.ts';

/** A key pair that signs id tokens. */
export interface KeyPair {
  kid: string;
  /** JSON of the public key; contains no secret. */
  publicJwk: string;
  /** Private key as PKCS #8 in PEM, or its encrypted form if a key file is used. */
  privateKey: string;
}

/** The private half of a signing key, as stored. */
export interface StoredPrivateKey {
  /** Key of the tenant. */
  tenant: number;
  kid: string;
  private_key: string;
}

/** The parts of a signing key that can be shown; times in epoch milliseconds. */
export interface PublishedKey {
  kid: string;
  /** JSON of the public key. */
  public_jwk: string;
  created_at: number;
  /** When it begins to sign; 0 means from the beginning. */
  signs_from: number;
  /** When it is no longer published; `null` if no other key follows it yet. */
  expires_at: number | null;
}

/**
 * Returns the key that signs the id tokens of a tenant now: the newest one that may already sign. If there is none, because a clock
 * that was ahead has deleted it, the next one signs early: it is published already.
 */
export async function findSigningKey(
  database: Database,
  tenant: number,
  now: number,
): Promise<StoredPrivateKey | undefined> {
  const sql = `SELECT tenant, kid, private_key FROM signing_keys WHERE tenant = ?
    ORDER BY CASE WHEN signs_from <= ? THEN -signs_from ELSE signs_from END LIMIT 1`;
  const [row] = await database.query<StoredPrivateKey>(sql, [tenant, now]);
  return row;
}

/** Returns the former, present and future keys by which a tenant's tokens can be verified, oldest first. */
export function findPublishedKeys(database: Database, tenant: number, now: number): Promise<PublishedKey[]> {
  const sql = `SELECT kid, public_jwk, created_at, signs_from, expires_at FROM signing_keys
    WHERE tenant = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY signs_from`;
  return database.query(sql, [tenant, now]);
}

/** Stores the first key of a tenant; has no effect if there is one, which another node may have made meanwhile. */
export function insertFirstKey(tenant: number, pair: KeyPair, now: number): Statement {
  const unless = { sql: 'SELECT 1 FROM signing_keys WHERE tenant = ?', values: [tenant] };
  return { ...insertKey(tenant, pair, { now, signsFrom: 0 }), unless };
}

/** Stores the key that follows `former`, which is published until `former.until`. No effect if another key already follows it. */
export function insertNextKey(
  tenant: number,
  pair: KeyPair,
  { former, ...times }: { now: number; signsFrom: number; former: { kid: string; until: number } },
): Statement[] {
  const end = 'UPDATE signing_keys SET expires_at = ? WHERE tenant = ? AND kid = ? AND expires_at IS NULL';
  return [
    { sql: end, values: [former.until, tenant, former.kid], tenantLock: tenant },
    insertKey(tenant, pair, times),
  ];
}

function insertKey(
  tenant: number,
  { kid, publicJwk, privateKey }: KeyPair,
  { now, signsFrom }: { now: number; signsFrom: number },
): Statement {
  const sql = `INSERT INTO signing_keys (tenant, kid, public_jwk, private_key, created_at, signs_from)
    VALUES (?, ?, ?, ?, ?, ?)`;
  return { sql, values: [tenant, kid, publicJwk, privateKey, now, signsFrom], tenantLock: tenant };
}

/** Deletes every key of a tenant. */
export function deleteKeys(tenant: number): Statement {
  const sql = 'DELETE FROM signing_keys WHERE tenant = ?';
  return { sql, values: [tenant], optional: true, tenantLock: tenant };
}

/** Returns the number of keys of all tenants. */
export async function countKeys(database: Database): Promise<number> {
  const [row] = await database.query<{ keys: number }>('SELECT count(*) AS keys FROM signing_keys', []);
  return Number(row?.keys ?? 0);
}

/** Deletes every key of every tenant, and the mark that they are encrypted. */
export function deleteAllKeys(): Statement[] {
  return ['signing_keys', 'key_file'].map((table) => ({
    sql: `DELETE FROM ${table}`,
    values: [],
    optional: true,
  }));
}

/** Returns the unencrypted keys of all tenants. */
export function findPlainKeys(database: Database): Promise<StoredPrivateKey[]> {
  const sql = "SELECT tenant, kid, private_key FROM signing_keys WHERE private_key LIKE '-----BEGIN%'";
  return database.query(sql, []);
}

/** Replaces the stored form of a private key; has no effect if it has changed meanwhile. */
export function sealKey({ tenant, kid, private_key }: StoredPrivateKey, sealed: string): Statement {
  const sql = 'UPDATE signing_keys SET private_key = ? WHERE tenant = ? AND kid = ? AND private_key = ?';
  return { sql, values: [sealed, tenant, kid, private_key] };
}

/** Returns the mark by which the right key file is recognized; `undefined` if the keys of the database are not encrypted. */
export async function findKeyFileMark(database: Database): Promise<string | undefined> {
  const [row] = await database.query<{ sealed: string }>('SELECT sealed FROM key_file', []);
  return row?.sealed;
}

/** Marks the keys as encrypted from now on; has no effect if they are already. */
export function insertKeyFileMark(sealed: string): Statement {
  return { sql: 'INSERT INTO key_file (id, sealed) VALUES (1, ?) ON CONFLICT DO NOTHING', values: [sealed] };
}
