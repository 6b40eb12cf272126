import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApplicationScope } from '../../../contract/operations.ts';
import type { Passwords } from '../../passwords/passwords.ts';
import type { Tenant } from '../../tenant/definition.ts';
import type { Database, Statement } from '../engine/database.ts';
import { secretDigest } from './secrets.ts';

/** Credentials of an integrated application (§4.1). */
export interface Application {
  client_id: string;
  client_secret: string;
}

/** An application that was authenticated by its secret. */
export interface AuthenticatedApplication {
  /** Key of the tenant. */
  tenant: number;
  scope: ApplicationScope;
}

/** Applications that may obtain access tokens. */
export interface Applications {
  /** Returns the application with this id and secret; an unknown id takes as long as a wrong secret. */
  authenticate(clientId: string, clientSecret: string): Promise<AuthenticatedApplication | undefined>;
  /** Returns the key of an application's tenant, by the client id alone. */
  tenantOf(clientId: string): Promise<number | undefined>;
  /**
   * Returns the condition that keeps a statement with the tenant lock from changing anything once the application is revoked; none for
   * the `given` application, which cannot be.
   */
  unlessRevoked(clientId: string): Pick<Statement, 'unless'>;
  /** Returns the tenant's first application. If there is none, creates one, whose secret is known only then. */
  first(tenant: Tenant, now: number): Promise<{ client_id: string; client_secret?: string }>;
}

interface ApplicationRow extends AuthenticatedApplication {
  secret_hash: string;
  former_hash: string | null;
  former_until: number;
}

/**
 * Opens the applications of a database, which stores digests of their secrets: these have 256 random bits, so a slow hash would
 * only slow the service down (decision 41). Applications of earlier versions have a slow hash until their next token. They are read
 * each time, so that all nodes notice a new secret or a revocation at once. A `given` application is never stored.
 */
export function openApplications(
  database: Database,
  { passwords, now }: { passwords: Passwords; now(): number },
  given?: { tenant: Tenant; application: Application },
): Applications {
  const givenDigest = given && secretDigest(given.application.client_secret);

  async function find(clientId: string): Promise<ApplicationRow | undefined> {
    const sql = `SELECT tenant, scope, secret_hash, former_hash, former_until FROM applications
      WHERE client_id = ?`;
    const [row] = await database.query<ApplicationRow>(sql, [clientId]);
    return row;
  }

  async function replaceSlowHash(clientId: string, former: string, digest: string): Promise<void> {
    const sql = 'UPDATE applications SET secret_hash = ? WHERE client_id = ? AND secret_hash = ?';
    await database.commit([{ sql, values: [digest, clientId, former], optional: true }]);
  }

  return {
    async authenticate(clientId, clientSecret) {
      const digest = secretDigest(clientSecret);
      if (given && givenDigest && clientId === given.application.client_id && isSame(givenDigest, digest)) {
        return { tenant: given.tenant.key, scope: 'all' };
      }
      const row = await find(clientId);
      if (!row) return undefined;
      const { tenant, scope, secret_hash, former_hash, former_until } = row;
      if (isSame(secret_hash, digest)) return { tenant, scope };
      if (former_hash !== null && former_until > now() && isSame(former_hash, digest))
        return { tenant, scope };
      if (!secret_hash.startsWith('$') || !(await passwords.matches(secret_hash, clientSecret)))
        return undefined;
      await replaceSlowHash(clientId, secret_hash, digest);
      return { tenant, scope };
    },
    async tenantOf(clientId) {
      // Queried for the given application too: a quicker answer would reveal that an id exists.
      const row = await find(clientId);
      return clientId === given?.application.client_id ? given.tenant.key : row?.tenant;
    },
    unlessRevoked(clientId) {
      if (clientId === given?.application.client_id) return {};
      const sql = 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM applications WHERE client_id = ?)';
      return { unless: { sql, values: [clientId] } };
    },
    async first(tenant, now) {
      const sql = 'SELECT client_id FROM applications WHERE tenant = ? ORDER BY created_at LIMIT 1';
      const findFirst = () => database.query<{ client_id: string }>(sql, [tenant.key]);
      const [known] = await findFirst();
      if (known) return known;
      const application = newApplication();
      const hash = secretDigest(application.client_secret);
      const insert: Statement = {
        sql: 'INSERT INTO applications (tenant, client_id, secret_hash, created_at) VALUES (?, ?, ?, ?)',
        values: [tenant.key, application.client_id, hash, now],
        unless: { sql, values: [tenant.key] },
        tenantLock: tenant.key,
      };
      if (await database.commit([insert])) return application;
      // Another node that started at the same moment was faster.
      const [other] = await findFirst();
      return other ?? application;
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

/** Compares two digests in constant time. */
function isSame(stored: string, digest: string): boolean {
  return timingSafeEqual(Buffer.from(secretDigest(stored)), Buffer.from(secretDigest(digest)));
}
