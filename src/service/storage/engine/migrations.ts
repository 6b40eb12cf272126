import { StoreError } from './store-error.ts';

/**
 * Steps that make the schema, oldest first; a step that has been released is never edited. Times are epoch
 * milliseconds. `tenant` leads every key, so that the tables can be distributed by it. Values that are only ever
 * shown live in `profile` (JSON by wire name): narrow rows insert faster, and a new attribute needs no step.
 * `seq` counts a tenant's users from 1 without a gap (no user is ever deleted): it is the order of the listing,
 * and a page is a range of it however deep it lies. `changed` counts a tenant's creations and changes in the order of
 * their commits; a user carries the number of the last, so that whoever knows one number finds all that came after.
 */
const migrations: readonly string[] = [
  `
  CREATE TABLE tenants (
    tenant INTEGER NOT NULL PRIMARY KEY,
    tenant_id TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL,
    claimed TEXT NOT NULL
  );
  CREATE TABLE applications (
    tenant INTEGER NOT NULL,
    client_id TEXT NOT NULL PRIMARY KEY,
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL
  );
  CREATE TABLE users (
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
  );
  CREATE UNIQUE INDEX users_user_id ON users (tenant, user_id);
  CREATE UNIQUE INDEX users_user_name ON users (tenant, user_name_key);
  CREATE UNIQUE INDEX users_email ON users (tenant, email_key) WHERE email_key IS NOT NULL;
  CREATE UNIQUE INDEX users_mobile ON users (tenant, mobile_key) WHERE mobile_key IS NOT NULL;
  CREATE INDEX users_external_id ON users (tenant, external_id, seq) WHERE external_id IS NOT NULL;
  CREATE UNIQUE INDEX users_changed ON users (tenant, changed);
  CREATE TABLE unique_extensions (
    tenant INTEGER NOT NULL,
    attribute TEXT NOT NULL,
    value TEXT NOT NULL,
    user_id TEXT NOT NULL,
    PRIMARY KEY (tenant, attribute, value)
  );
  CREATE TABLE tokens (
    tenant INTEGER NOT NULL,
    digest TEXT NOT NULL,
    client_id TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, digest)
  );
  CREATE TABLE grants (
    tenant INTEGER NOT NULL,
    kind TEXT NOT NULL,
    digest TEXT NOT NULL,
    user_id TEXT NOT NULL,
    device_fingerprint TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, kind, digest)
  );
  CREATE TABLE password_history (
    tenant INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    password TEXT NOT NULL,
    PRIMARY KEY (tenant, user_id, number)
  );
  CREATE TABLE login_attempts (
    tenant INTEGER NOT NULL,
    account TEXT NOT NULL,
    failures INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, account)
  );
  CREATE TABLE signing_keys (
    kid TEXT NOT NULL PRIMARY KEY,
    private_jwk TEXT NOT NULL,
    created_at INTEGER NOT NULL
  );
  `,
  // With a partial index SQLite would prepare the statement of a look-up again each time.
  `
  DROP INDEX users_email;
  DROP INDEX users_mobile;
  DROP INDEX users_external_id;
  CREATE UNIQUE INDEX users_email ON users (tenant, email_key);
  CREATE UNIQUE INDEX users_mobile ON users (tenant, mobile_key);
  CREATE INDEX users_external_id ON users (tenant, external_id, seq);
  `,
  // Sessions end with the password of their user.
  'CREATE INDEX grants_user ON grants (tenant, user_id);',
  // A key per tenant, of a kind that all clients read; the former one made tokens that end within the hour.
  `
  DROP TABLE signing_keys;
  CREATE TABLE signing_keys (
    tenant INTEGER NOT NULL,
    kid TEXT NOT NULL,
    public_jwk TEXT NOT NULL,
    private_key TEXT NOT NULL,
    signs_from INTEGER NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (tenant, kid)
  );
  `,
  // The fast hashes of a tenant's users up to this one are wrapped; until the time, a node works on those that follow.
  `
  ALTER TABLE tenants ADD COLUMN wrapped_seq INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tenants ADD COLUMN wrapping_until INTEGER NOT NULL DEFAULT 0;
  `,
  // The keys that sign can be encrypted with a file, which the row of key_file recognises.
  `
  ALTER TABLE signing_keys ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE key_file (
    id INTEGER NOT NULL PRIMARY KEY,
    sealed TEXT NOT NULL
  );
  `,
  // Two secrets during a rotation, and a scope; what users were given by an application ends with it.
  `
  ALTER TABLE applications ADD COLUMN name TEXT;
  ALTER TABLE applications ADD COLUMN scope TEXT NOT NULL DEFAULT 'all';
  ALTER TABLE applications ADD COLUMN former_hash TEXT;
  ALTER TABLE applications ADD COLUMN former_until INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE grants ADD COLUMN client_id TEXT;
  `,
  // Tenants in which a user name could be read as an e-mail address or a mobile number; perhaps a few others.
  `
  CREATE TABLE readable_names (tenant INTEGER NOT NULL PRIMARY KEY);
  INSERT INTO readable_names SELECT DISTINCT tenant FROM users
    WHERE user_name_key LIKE '%@%' OR substr(user_name_key, 1, 1) IN ('+', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9');
  `,
];

/** The steps that are still missing after `applied` of them; throws when the database has more than this program knows. */
export function missingSteps(applied: number): readonly string[] {
  if (applied > migrations.length) {
    throw new StoreError(
      `the database was made by a newer version of tenant-users (schema ${applied}, known here: ${migrations.length})`,
    );
  }
  return migrations.slice(applied);
}
