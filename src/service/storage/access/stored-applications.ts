import type { ApplicationScope } from '../../../contract/operations.ts';
import type { Database, Statement } from '../engine/database.ts';
import type { Application } from './applications.ts';
import { secretDigest } from './secrets.ts';

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
}

const select = `SELECT tenant, client_id, name, scope, created_at, former_until, secret_hash FROM applications`;

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

/** Gives an application a new secret; the former one is valid until `formerUntil`. No effect if it was replaced meanwhile. */
export function replaceSecret(
  { client_id, secret_hash }: StoredApplication,
  clientSecret: string,
  formerUntil: number,
): Statement {
  const sql = `UPDATE applications SET former_hash = secret_hash, former_until = ?, secret_hash = ?
    WHERE client_id = ? AND secret_hash = ?`;
  return { sql, values: [formerUntil, secretDigest(clientSecret), client_id, secret_hash] };
}

/** Deletes an application, and ends its access tokens and the sessions of users who logged in with it. */
export function deleteApplication(application: StoredApplication): Statement[] {
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
