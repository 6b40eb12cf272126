import type { Tenant } from '../../tenant/definition.ts';
import type { Database, Statement, Value } from '../engine/database.ts';
import { newSecret, newTicket, secretDigest } from './secrets.ts';

/**
 * Use of a user's secret: a `session` issues tickets, a `state` lets a user whose password must change set a new one, and a
 * `ticket` is exchanged once for user information.
 */
export type GrantKind = 'session' | 'state' | 'ticket';

/** The user of a secret, the application with which the user logged in, and the device that the secret was issued to. */
export interface Grant {
  user_id: string;
  client_id: string;
  device_fingerprint: string;
}

/** Lifetime of a session or a state in seconds; the tenant sets that of a ticket. */
export const userLifetime = 1800;

/**
 * Returns a new secret, its lifetime in seconds, and the statement that makes it valid; the database stores a digest. `now`: epoch
 * milliseconds, also below.
 */
export function makeGrant(tenant: Tenant, kind: GrantKind, grant: Grant, now: number) {
  const secret = kind === 'ticket' ? newTicket() : newSecret(tenant.key);
  const lifetime = kind === 'ticket' ? tenant.definition.sso.ticket_expires_in : userLifetime;
  const { user_id, client_id, device_fingerprint } = grant;
  const sql = `INSERT INTO grants (tenant, kind, digest, user_id, client_id, device_fingerprint, expires_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`;
  const expiresAt = now + lifetime * 1000;
  const values = [tenant.key, kind, secretDigest(secret), user_id, client_id, device_fingerprint, expiresAt];
  return { secret, lifetime, statement: { sql, values } };
}

/** Finds a grant that has not ended, by its secret. */
export async function findGrant(
  { database, now }: { database: Database; now(): number },
  tenant: Tenant,
  kind: GrantKind,
  secret: string,
): Promise<Grant | undefined> {
  const sql = `SELECT user_id, client_id, device_fingerprint FROM grants
    WHERE tenant = ? AND kind = ? AND digest = ? AND expires_at > ?`;
  const [grant] = await database.query<Grant>(sql, [tenant.key, kind, secretDigest(secret), now()]);
  return grant;
}

/** Returns the statement that uses a secret up; it changes nothing if another call was faster. */
export function spendGrant(tenant: Tenant, kind: GrantKind, secret: string): Statement {
  const sql = 'DELETE FROM grants WHERE tenant = ? AND kind = ? AND digest = ?';
  return { sql, values: [tenant.key, kind, secretDigest(secret)] };
}

/** Returns a statement that changes nothing, but fails the transaction if the session has ended; whatever ends it later waits. */
export function holdSession(tenant: Tenant, secret: string): Statement {
  const sql = "UPDATE grants SET kind = kind WHERE tenant = ? AND kind = 'session' AND digest = ?";
  return { sql, values: [tenant.key, secretDigest(secret)], tenantLock: tenant.key };
}

/** Counts the live sessions of a user. */
export function countSessions(
  database: Database,
  tenant: Tenant,
  userId: string,
  now: number,
): Promise<number> {
  const sessions = "grants WHERE tenant = ? AND user_id = ? AND kind = 'session'";
  return countLive(database, sessions, [tenant.key, userId], now);
}

/** Counts the live sessions of the logins with an application, and its live access tokens. */
export async function countAccess(
  database: Database,
  tenant: Tenant,
  clientId: string,
  now: number,
): Promise<{ sessions: number; tokens: number }> {
  const where = 'WHERE tenant = ? AND client_id = ?';
  const values = [tenant.key, clientId];
  return {
    sessions: await countLive(database, `grants ${where} AND kind = 'session'`, values, now),
    tokens: await countLive(database, `tokens ${where}`, values, now),
  };
}

async function countLive(database: Database, which: string, values: Value[], now: number): Promise<number> {
  const sql = `SELECT count(*) AS live FROM ${which} AND expires_at > ?`;
  const [row] = await database.query<{ live: number }>(sql, [...values, now]);
  return Number(row?.live ?? 0);
}
