import type { Database, Statement } from '../engine/database.ts';

/** A key pair that signs id tokens. */
export interface KeyPair {
  kid: string;
  /** As JSON; it holds nothing secret. */
  publicJwk: string;
  /** PKCS #8, PEM; where a key file is used, what is stored is encrypted. */
  privateKey: string;
}

/** The private half of a signing key, as it is stored. */
export interface StoredPrivateKey {
  /** Key of the tenant. */
  tenant: number;
  kid: string;
  private_key: string;
}

/** What can be shown of a signing key; times in epoch milliseconds. */
export interface SigningKeyTimes {
  kid: string;
  created_at: number;
  /** 0: from the beginning. */
  signs_from: number;
  /** When it is no longer published; `null`: no key follows it yet. */
  expires_at: number | null;
}

/** The key that signs the id tokens of a tenant now: of those whose time has come, the newest. */
export async function findSigningKey(
  database: Database,
  tenant: number,
  now: number,
): Promise<StoredPrivateKey | undefined> {
  const sql = `SELECT tenant, kid, private_key FROM signing_keys WHERE tenant = ? AND signs_from <= ?
    ORDER BY signs_from DESC LIMIT 1`;
  const [row] = await database.query<StoredPrivateKey>(sql, [tenant, now]);
  return row;
}

/** The public keys of a tenant by which tokens can be verified: of keys that sign, that will, and that did. */
export async function findPublishedKeys(database: Database, tenant: number, now: number): Promise<string[]> {
  const sql = `SELECT public_jwk FROM signing_keys
    WHERE tenant = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY signs_from`;
  const rows = await database.query<{ public_jwk: string }>(sql, [tenant, now]);
  return rows.map(({ public_jwk }) => public_jwk);
}

/** The published keys of a tenant, the oldest first. */
export function findKeyTimes(database: Database, tenant: number, now: number): Promise<SigningKeyTimes[]> {
  const sql = `SELECT kid, created_at, signs_from, expires_at FROM signing_keys
    WHERE tenant = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY signs_from`;
  return database.query(sql, [tenant, now]);
}

/** Stores the first key of a tenant; has no effect where there is one, which another node may have made meanwhile. */
export function insertFirstKey(tenant: number, pair: KeyPair, now: number): Statement {
  const { kid, publicJwk, privateKey } = pair;
  const sql = `INSERT INTO signing_keys (tenant, kid, public_jwk, private_key, created_at, signs_from)
    VALUES (?, ?, ?, ?, ?, 0)`;
  const unless = { sql: 'SELECT 1 FROM signing_keys WHERE tenant = ?', values: [tenant] };
  return { sql, values: [tenant, kid, publicJwk, privateKey, now], unless, tenantLock: tenant };
}

/** Lets a key follow `former`, which is published until `former.until`. Has no effect when another one follows it already. */
export function insertNextKey(
  tenant: number,
  pair: KeyPair,
  { now, signsFrom, former }: { now: number; signsFrom: number; former: { kid: string; until: number } },
): Statement[] {
  const end = 'UPDATE signing_keys SET expires_at = ? WHERE tenant = ? AND kid = ? AND expires_at IS NULL';
  const insert = `INSERT INTO signing_keys (tenant, kid, public_jwk, private_key, created_at, signs_from)
    VALUES (?, ?, ?, ?, ?, ?)`;
  const { kid, publicJwk, privateKey } = pair;
  return [
    { sql: end, values: [former.until, tenant, former.kid], tenantLock: tenant },
    { sql: insert, values: [tenant, kid, publicJwk, privateKey, now, signsFrom], tenantLock: tenant },
  ];
}

/** Deletes every key of a tenant. */
export function deleteKeys(tenant: number): Statement {
  const sql = 'DELETE FROM signing_keys WHERE tenant = ?';
  return { sql, values: [tenant], optional: true, tenantLock: tenant };
}

/** How many keys all tenants have. */
export async function countKeys(database: Database): Promise<number> {
  const [row] = await database.query<{ keys: number }>('SELECT count(*) AS keys FROM signing_keys', []);
  return Number(row?.keys ?? 0);
}

/** Deletes every key of every tenant, and what says that they are encrypted. */
export function deleteAllKeys(): Statement[] {
  return ['signing_keys', 'key_file'].map((table) => ({
    sql: `DELETE FROM ${table}`,
    values: [],
    optional: true,
  }));
}

/** The keys that are stored in clear, of all tenants. */
export function findPlainKeys(database: Database): Promise<StoredPrivateKey[]> {
  const sql = "SELECT tenant, kid, private_key FROM signing_keys WHERE private_key LIKE '-----BEGIN%'";
  return database.query(sql, []);
}

/** Replaces the stored form of a private key; has no effect when it has changed meanwhile. */
export function sealKey({ tenant, kid, private_key }: StoredPrivateKey, sealed: string): Statement {
  const sql = 'UPDATE signing_keys SET private_key = ? WHERE tenant = ? AND kid = ? AND private_key = ?';
  return { sql, values: [sealed, tenant, kid, private_key] };
}

/** What shows that a key file is the right one; `undefined` where the keys of the database are not encrypted. */
export async function findKeyFileMark(database: Database): Promise<string | undefined> {
  const [row] = await database.query<{ sealed: string }>('SELECT sealed FROM key_file', []);
  return row?.sealed;
}

/** Says that the keys are encrypted from now on; has no effect where that has been said. */
export function insertKeyFileMark(sealed: string): Statement {
  return { sql: 'INSERT INTO key_file (id, sealed) VALUES (1, ?) ON CONFLICT DO NOTHING', values: [sealed] };
}
