import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Passwords } from '../../passwords/passwords.ts';
import type { Tenant } from '../../tenant/definition.ts';
import type { Database } from '../engine/database.ts';
import { secretDigest } from './secrets.ts';

/** Credentials of an integrated application (§4.1). */
export interface Application {
  client_id: string;
  client_secret: string;
}

/** Who may ask for tokens. */
export interface Applications {
  /** The tenant's key, when id and secret are valid; an unknown id takes as long as a wrong secret. */
  authenticate(clientId: string, clientSecret: string): Promise<number | undefined>;
  /** The tenant's key of an application, by its id alone. */
  tenantOf(clientId: string): Promise<number | undefined>;
  /** The tenant's first application. One is made where there is none, and only then its secret is known. */
  first(tenant: Tenant, now: number): Promise<{ client_id: string; client_secret?: string }>;
}

/**
 * Opens the applications of a database, which stores digests of their secrets: these have 256 random bits, so that a slow
 * hash would only slow the service (decision 41). Applications of earlier versions have one
 * until their next token. A `given` application is
 * never stored.
 */
export function openApplications(
  database: Database,
  passwords: Passwords,
  given?: { tenant: Tenant; application: Application },
): Applications {
  const verified = new Map<string, { tenant: number; digest: string }>();
  if (given) {
    const { client_id, client_secret } = given.application;
    verified.set(client_id, { tenant: given.tenant.key, digest: secretDigest(client_secret) });
  }

  async function find(clientId: string) {
    const sql = 'SELECT tenant, secret_hash FROM applications WHERE client_id = ?';
    const [row] = await database.query<{ tenant: number; secret_hash: string }>(sql, [clientId]);
    return row;
  }

  async function matches(stored: string, secret: string, digest: string): Promise<boolean> {
    if (stored.startsWith('$')) return passwords.matches(stored, secret);
    return timingSafeEqual(Buffer.from(secretDigest(stored)), Buffer.from(secretDigest(digest)));
  }

  async function store(clientId: string, digest: string): Promise<void> {
    const sql = 'UPDATE applications SET secret_hash = ? WHERE client_id = ?';
    await database.commit([{ sql, values: [digest, clientId] }]);
  }

  return {
    async authenticate(clientId, clientSecret) {
      const known = verified.get(clientId);
      const digest = secretDigest(clientSecret);
      if (known && timingSafeEqual(Buffer.from(known.digest), Buffer.from(digest))) return known.tenant;
      const row = await find(clientId);
      if (!row || !(await matches(row.secret_hash, clientSecret, digest))) return undefined;
      verified.set(clientId, { tenant: row.tenant, digest });
      if (row.secret_hash !== digest) await store(clientId, digest);
      return row.tenant;
    },
    async tenantOf(clientId) {
      return verified.get(clientId)?.tenant ?? (await find(clientId))?.tenant;
    },
    async first(tenant, now) {
      const sql = 'SELECT client_id FROM applications WHERE tenant = ? ORDER BY created_at LIMIT 1';
      const findFirst = () => database.query<{ client_id: string }>(sql, [tenant.key]);
      const [known] = await findFirst();
      if (known) return known;
      const application = {
        client_id: randomBytes(12).toString('hex'),
        client_secret: randomBytes(32).toString('base64url'),
      };
      const hash = secretDigest(application.client_secret);
      const insert = `INSERT INTO applications (tenant, client_id, secret_hash, created_at)
        SELECT ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM applications WHERE tenant = ?)`;
      const values = [tenant.key, application.client_id, hash, now, tenant.key];
      if (await database.commit([{ sql: insert, values, tenantLock: tenant.key }])) return application;
      // Another node that started at the same moment was faster.
      const [other] = await findFirst();
      return other ?? application;
    },
  };
}
