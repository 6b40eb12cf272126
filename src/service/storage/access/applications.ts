import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApplicationScope } from '../../../contract/operations.ts';
import type { Tenant } from '../../tenant/definition.ts';
import type { Database, Statement } from '../engine/database.ts';
import { secretDigest } from './secrets.ts';

/** Credentials of an integrated application (§4.1). */
export interface Application {
  client_id: string;
  client_secret: string;
}

/** Applications that may obtain access tokens. */
export type Applications = ReturnType<typeof openApplications>;

/** A stored application; times in epoch milliseconds. */
export interface StoredApplication {
  /** Key of the tenant. */
  tenant: number;
  client_id: string;
  name: string | null;
  scope: ApplicationScope;
  created_at: number;
  /** Until when the former secret is valid. */
  former_until: number;
  secret_hash: string;
  former_hash: string | null;
}

/**
 * Opens the applications of a database, which stores digests of their secrets: these have 256 random bits, so a slow hash would
 * only slow the service down (decision 41). They are read each time, so that all nodes notice a new secret or a
 * revocation at once. A `given` application is never stored.
 */
export function openApplications(
  database: Database,
  tenants: ReadonlyMap<number, Tenant>,
  now: () => number,
  given?: { tenant: Tenant; application: Application },
) {
  const givenDigest = given && secretDigest(given.application.client_secret);

  return {
    /** Returns the tenant and the scope of the application with this id and secret. */
    async authenticate(clientId: string, clientSecret: string) {
      const digest = secretDigest(clientSecret);
      if (given && givenDigest && clientId === given.application.client_id && isSame(givenDigest, digest)) {
        return { tenant: given.tenant, scope: 'all' as const };
      }
      const row = await findApplication(database, clientId);
      if (!row) return undefined;
      const { scope, secret_hash, former_hash, former_until } = row;
      const isFormer = former_hash !== null && former_until > now() && isSame(former_hash, digest);
      const tenant = isSame(secret_hash, digest) || isFormer ? tenants.get(row.tenant) : undefined;
      return tenant && { tenant, scope };
    },
    /** Returns the tenant of an application, by the client id alone; `undefined` if it is not served, either. */
    async tenantOf(clientId: string): Promise<Tenant | undefined> {
      // Queried for the given application too: a quicker answer would reveal that an id exists.
      const row = await findApplication(database, clientId);
      return clientId === given?.application.client_id ? given.tenant : tenants.get(row?.tenant ?? 0);
    },
    /**
     * Returns the condition that keeps a statement with the tenant lock from changing anything once the application is revoked; none
     * for the `given` application, which cannot be.
     */
    unlessRevoked(clientId: string): Pick<Statement, 'unless'> {
      if (clientId === given?.application.client_id) return {};
      const sql = 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM applications WHERE client_id = ?)';
      return { unless: { sql, values: [clientId] } };
    },
    /** Returns the tenant's first application. If there is none, creates one, whose secret is known only then. */
    async first(tenant: Tenant): Promise<{ client_id: string; client_secret?: string }> {
      const sql = 'SELECT client_id FROM applications WHERE tenant = ? ORDER BY created_at LIMIT 1';
      const findFirst = () => database.query<{ client_id: string }>(sql, [tenant.key]);
      const unless = { sql, values: [tenant.key] };
      for (;;) {
        const [known] = await findFirst();
        if (known) return known;
        const application = newApplication();
        const insert = insertApplication(tenant.key, application, { name: null, scope: 'all', now: now() });
        // It fails if another node that started at the same moment was faster.
        if (await database.commit([{ ...insert, unless, tenantLock: tenant.key }])) return application;
      }
    },
  };
}

/** Generates the id and the secret of an application. */
export function newApplication(): Application {
  return { client_id: randomBytes(12).toString('hex'), client_secret: newClientSecret() };
}

/** Generates a secret of 256 random bits. */
export function newClientSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares two digests in constant time; digested again, because only equal lengths can be compared so, and a row may be damaged. */
function isSame(stored: string, digest: string): boolean {
  return timingSafeEqual(Buffer.from(secretDigest(stored)), Buffer.from(secretDigest(digest)));
}

const select =
  'SELECT tenant, client_id, name, scope, created_at, former_until, secret_hash, former_hash FROM applications';

/** Returns the applications of all tenants, by tenant and time of creation. */
export function findApplications(database: Database): Promise<StoredApplication[]> {
  return database.query(`${select} ORDER BY tenant, created_at, client_id`, []);
}

/** Returns the application with this id. */
export async function findApplication(
  database: Database,
  clientId: string,
): Promise<StoredApplication | undefined> {
  const [row] = await database.query<StoredApplication>(`${select} WHERE client_id = ?`, [clientId]);
  return row;
}

/** Stores a new application. */
export function insertApplication(
  tenant: number,
  { client_id, client_secret }: Application,
  { name, scope, now }: { name: string | null; scope: ApplicationScope; now: number },
): Statement {
  const sql = `INSERT INTO applications (tenant, client_id, secret_hash, created_at, name, scope)
    VALUES (?, ?, ?, ?, ?, ?)`;
  return { sql, values: [tenant, client_id, secretDigest(client_secret), now, name, scope] };
}

/**
 * Gives an application a new secret; the `former` one is valid until then. Without one, none is kept: the clock of a node that is
 * behind must not make it valid. No effect if the secret was replaced meanwhile.
 */
export function replaceSecret(
  { client_id, secret_hash }: StoredApplication,
  clientSecret: string,
  former: Pick<StoredApplication, 'former_hash' | 'former_until'>,
): Statement {
  const sql = `UPDATE applications SET former_hash = ?, former_until = ?, secret_hash = ?
    WHERE client_id = ? AND secret_hash = ?`;
  const { former_hash, former_until } = former;
  return { sql, values: [former_hash, former_until, secretDigest(clientSecret), client_id, secret_hash] };
}

/** Deletes an application, and ends its access tokens and the sessions of users who logged in with it. */
export function deleteApplication(application: Pick<StoredApplication, 'tenant' | 'client_id'>): Statement[] {
  const sql = 'DELETE FROM applications WHERE client_id = ?';
  return [{ sql, values: [application.client_id] }, ...endAccess(application)];
}

/** Ends the access tokens of an application, and the sessions of users who logged in with it. */
export function endAccess({
  tenant,
  client_id,
}: Pick<StoredApplication, 'tenant' | 'client_id'>): Statement[] {
  return ['tokens', 'grants'].map((table) => ({
    sql: `DELETE FROM ${table} WHERE tenant = ? AND client_id = ?`,
    values: [tenant, client_id],
    optional: true,
    tenantLock: tenant,
  }));
}
