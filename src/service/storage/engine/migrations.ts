import { StoreError } from './store-error.ts';

/**
 * Steps that create the schema, oldest first; a step that has been released is never edited. Each is one statement that can run
 * again, because some engines commit it by itself, and a crash can come before it is recorded. Times are epoch milliseconds.
 * `tenant` leads every key, so that the tables can be distributed by it. Values that are only shown are stored in `profile` (JSON
 * by wire name): narrow rows insert faster, and a new attribute needs no step. `seq` counts a tenant's users from 1 without a gap
 * (no user is ever deleted): it is the order of the listing, and every page is a range of it, however deep. `changed` counts a
 * tenant's creations and changes in the order of their commits; each user has the number of its last one, so that a reader who
 * knows a number finds everything after it. The last values of both are in `numbers`; a transaction changes that row before it
 * writes anything else of the tenant.
 */
const migrations: readonly string[] = [
  // The hashes of a tenant's users up to `wrapped_seq` are wrapped; until `wrapping_until`, a node works on the following ones.
  `CREATE TABLE IF NOT EXISTS tenants (
    tenant INTEGER NOT NULL PRIMARY KEY,
    tenant_id TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL,
    claimed TEXT NOT NULL,
    wrapped_seq INTEGER NOT NULL DEFAULT 0,
    wrapping_until INTEGER NOT NULL DEFAULT 0
  )`,
  `CREATE TABLE IF NOT EXISTS numbers (
    tenant INTEGER NOT NULL PRIMARY KEY,
    seq INTEGER NOT NULL,
    changed INTEGER NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS applications (
    tenant INTEGER NOT NULL,
    client_id TEXT NOT NULL PRIMARY KEY,
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    name TEXT,
    scope TEXT NOT NULL DEFAULT 'all',
    former_hash TEXT,
    former_until INTEGER NOT NULL DEFAULT 0
  )`,
  `CREATE TABLE IF NOT EXISTS users (
    tenant INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    user_name_key TEXT NOT NULL,
    email_key TEXT,
    mobile_key TEXT,
    external_id TEXT,
    profile TEXT NOT NULL,
    password TEXT,
    pwd_must_modify INTEGER NOT NULL,
    pwd_change_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    disabled INTEGER NOT NULL,
    usr_auth_times INTEGER NOT NULL,
    usr_last_login INTEGER,
    version INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    PRIMARY KEY (tenant, seq)
  )`,
  'CREATE UNIQUE INDEX IF NOT EXISTS users_user_id ON users (tenant, user_id)',
  'CREATE UNIQUE INDEX IF NOT EXISTS users_user_name ON users (tenant, user_name_key)',
  // Not partial: with a partial index SQLite would prepare the statement of a look-up again each time.
  'CREATE UNIQUE INDEX IF NOT EXISTS users_email ON users (tenant, email_key)',
  'CREATE UNIQUE INDEX IF NOT EXISTS users_mobile ON users (tenant, mobile_key)',
  'CREATE INDEX IF NOT EXISTS users_external_id ON users (tenant, external_id, seq)',
  'CREATE UNIQUE INDEX IF NOT EXISTS users_changed ON users (tenant, changed)',
  // Tenants in which a user name could be read as an e-mail address or a mobile number.
  'CREATE TABLE IF NOT EXISTS readable_names (tenant INTEGER NOT NULL PRIMARY KEY)',
  `CREATE TABLE IF NOT EXISTS unique_extensions (
    tenant INTEGER NOT NULL,
    attribute TEXT NOT NULL,
    value TEXT NOT NULL,
    user_id TEXT NOT NULL,
    PRIMARY KEY (tenant, attribute, value)
  )`,
  `CREATE TABLE IF NOT EXISTS tokens (
    tenant INTEGER NOT NULL,
    digest TEXT NOT NULL,
    client_id TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, digest)
  )`,
  `CREATE TABLE IF NOT EXISTS grants (
    tenant INTEGER NOT NULL,
    kind TEXT NOT NULL,
    digest TEXT NOT NULL,
    user_id TEXT NOT NULL,
    device_fingerprint TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    client_id TEXT,
    PRIMARY KEY (tenant, kind, digest)
  )`,
  // For ending a user's sessions, for example when the password changes.
  'CREATE INDEX IF NOT EXISTS grants_user ON grants (tenant, user_id)',
  `CREATE TABLE IF NOT EXISTS password_history (
    tenant INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    password TEXT NOT NULL,
    PRIMARY KEY (tenant, user_id, number)
  )`,
  `CREATE TABLE IF NOT EXISTS login_attempts (
    tenant INTEGER NOT NULL,
    account TEXT NOT NULL,
    failures INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, account)
  )`,
  `CREATE TABLE IF NOT EXISTS signing_keys (
    tenant INTEGER NOT NULL,
    kid TEXT NOT NULL,
    public_jwk TEXT NOT NULL,
    private_key TEXT NOT NULL,
    signs_from INTEGER NOT NULL,
    expires_at INTEGER,
    created_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, kid)
  )`,
  // Signing keys can be encrypted with a key file, which is recognized by the row of `key_file`.
  `CREATE TABLE IF NOT EXISTS key_file (
    id INTEGER NOT NULL PRIMARY KEY,
    sealed TEXT NOT NULL
  )`,
];

/** The tables of the schema, each with the columns of its primary key. */
export function tablesOfSchema(): { name: string; key: string[] }[] {
  return migrations.flatMap((step) => {
    const [, name] = /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(step) ?? [];
    const [, several, one] =
      /PRIMARY KEY \(([^)]+)\)|(\w+) (?:INTEGER|TEXT) NOT NULL PRIMARY KEY/.exec(step) ?? [];
    return name === undefined ? [] : [{ name, key: (several ?? one ?? '').split(', ') }];
  });
}

/** Returns the steps that are missing after `applied` of them; throws if the database has more than this program knows. */
export function missingSteps(applied: number): readonly string[] {
  if (applied > migrations.length) {
    throw new StoreError(
      `the database was made by a newer version of tenant-users (schema ${applied}, known here: ${migrations.length})`,
    );
  }
  return migrations.slice(applied);
}
