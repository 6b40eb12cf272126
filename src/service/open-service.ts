import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccessToken } from '../contract/wire.ts';
import { urlHost } from '../text/locations/url-host.ts';
import { requireOneTenant } from './admin/on-tenant.ts';
import { buildApp } from './app.ts';
import {
  type AuditError,
  type AuditLog,
  type AuditTarget,
  openAuditLog,
  recordNow,
} from './audit/audit-log.ts';
import type { Faults } from './fault-injection/plan.ts';
import { answerInProcess } from './http/in-process.ts';
import { logFault } from './http/log.ts';
import { serveMetrics } from './http/metrics.ts';
import { type HttpOptions, setUpHttp } from './http/options.ts';
import { openIdTokens } from './identity/id-tokens.ts';
import { openKeyCipher } from './identity/key-cipher.ts';
import { makeKeyPair } from './identity/key-pair.ts';
import { openContext, openTenants, type TenantAccess } from './open-context.ts';
import { type Passwords, processPasswords } from './passwords/passwords.ts';
import type { Application } from './storage/access/applications.ts';
import type { Database, DatabaseOptions } from './storage/engine/database.ts';
import { openDatabase } from './storage/open-database.ts';
import { purgeExpired } from './storage/purge.ts';
import type { TenantDefinition } from './tenant/definition.ts';
import { openWrapping } from './wrap-hashes.ts';

/** Options for opening the local service. */
export interface OpenOptions extends HttpOptions, DatabaseOptions {
  /** SQLite file, `:memory:` or `postgres://…`; or an open database, which the service closes. */
  database: string | Database;
  /** Tenants to store and serve; default: those of the database, or the built-in one if it has none. */
  tenants?: readonly TenantDefinition[] | undefined;
  /** Opens no database of several tenants: the caller does not say which one is meant. */
  oneTenantOnly?: boolean;
  /** Credentials of the first tenant's application, unless it is stored; default: the first start on a database creates one. */
  application?: Application | undefined;
  /** Address at which callers reach the service, and issuer of its id tokens; default: the one it listens on. */
  publicUrl?: string | undefined;
  /** Wraps the fast hashes of imported users in the background. */
  wrapHashes?: boolean;
  /** Destination of the audit log; default: none. */
  audit?: AuditTarget | undefined;
  /** Faults to inject; only for a service on loopback. */
  faults?: Faults | undefined;
  /** Epoch milliseconds; default the system's clock. */
  now?: () => number;
  /** Hashing of passwords; default: shared by the process. */
  passwords?: Passwords;
  /** 32 bytes that encrypt the signing keys in the database; default: they are stored unencrypted. */
  keySecret?: Uint8Array | undefined;
  /** Makes the keys that sign id tokens; default: generates them. */
  makeKeyPair?: typeof makeKeyPair | undefined;
  /** Called with failures of the service itself. */
  report?: (error: unknown) => void;
}

/** A service that answers requests of this process. */
export type OpenService = Awaited<ReturnType<typeof openService>>;

/** Milliseconds between two purges: often, because everything else waits while the rows of one are deleted. */
const purgeInterval = 60_000;

/** Milliseconds for the database to finish what is under way when no time to drain is left. */
const lastWait = 500;

/** Milliseconds between two looks whether the reader of the audit log has made room. */
const retryInterval = 50;

/** Opens the service on one database, without a port; `app` can be given one. Rejects if the database cannot be opened. */
export async function openService(options: OpenOptions) {
  const { tenants, application } = options;
  const { now = Date.now, passwords = processPasswords } = options;
  let address = options.publicUrl ?? 'http://localhost';
  const issuer = () => address;
  const setup = await setUpHttp(options, now);
  const report = (error: unknown, requestId?: string) => {
    if (setup.log) logFault(setup.log, error, requestId);
    options.report?.(error);
  };
  const { database: given } = options;
  const database = typeof given === 'string' ? await openDatabase(given, options) : given;
  let audit: AuditLog | undefined;
  try {
    audit = options.audit && openAuditLog(options.audit, now, report);
    // Before the tenants: a start that fails for its key file must not change their rules.
    const cipher = await openKeyCipher(database, options.keySecret);
    const opened = await openTenants(database, tenants);
    for (const { tenant_id } of tenants ?? [])
      await recordNow(audit, { event: 'applyTenant', outcome: 'done', tenant: tenant_id });
    if (options.oneTenantOnly) requireOneTenant(opened);
    const idTokens = openIdTokens(database, {
      now,
      issuer,
      makeKeyPair: options.makeKeyPair ?? makeKeyPair,
      cipher,
    });
    const outside = { passwords, now, report, issuer, idTokens };
    const { context, openAccess, isGivenRefused } = await openContext(database, opened, application, outside);
    const app = buildApp(context, setup, { faults: options.faults, audit });
    await app.ready();
    const wrapping = options.wrapHashes ? openWrapping(context, report) : undefined;
    if (wrapping) {
      const help = 'Users, at most, whose imported hashes are not wrapped yet';
      setup.metrics?.gauge('tenant_users_hashes_to_wrap', help, wrapping.waiting);
      wrapping.start();
    }
    const purge = setInterval(() => void purgeExpired(database, now()).catch(report), purgeInterval).unref();
    let drainedBy = Number.POSITIVE_INFINITY;
    const drain = () => {
      drainedBy = Math.min(drainedBy, performance.now() + setup.timeouts.drain);
      return setup.traffic.drain(setup.timeouts.drain);
    };
    let closed: Promise<void> | undefined;
    let lost: AuditError | undefined;
    const close = async () => {
      clearInterval(purge);
      await drain();
      // A statement that waits for a lock, or for a server that has vanished, must not keep the process.
      const left = Math.max(0, drainedBy - performance.now()) + lastWait;
      const late = setTimeout(() => database.breakOff?.(), left);
      await app.close();
      await wrapping?.stop();
      await database.close();
      clearTimeout(late);
      while (audit?.fault()?.code === 'EAGAIN' && performance.now() < drainedBy) await sleep(retryInterval);
      lost = audit?.close();
    };
    return {
      // Parts that only a service with a port needs.
      ...{ app, audit, metrics: setup.metrics },
      listensOn(baseUrl: string): void {
        address = options.publicUrl ?? baseUrl;
      },
      answer: answerInProcess(app.server),
      /**
       * Returns the tenants and their applications. Creates one for a tenant that has none: called last in a start, when nothing fails
       * any more, because another node may have announced the application at once.
       */
      async openAccess(): Promise<TenantAccess[]> {
        const access = await openAccess();
        for (const { tenant_id: tenant, client_id: application, client_secret } of access)
          if (client_secret !== undefined)
            audit?.record({ event: 'createApplication', outcome: 'done', tenant, application });
        return access;
      },
      /** True if the application of the options cannot log in, because the database has it otherwise. */
      isGivenRefused,
      /**
       * Issues a token to the first tenant's application, which is valid only here and not stored. Needs no credentials, because the
       * caller runs in the same process.
       */
      issueToken(): Pick<AccessToken, 'access_token' | 'expires_in' | 'scope'> {
        const [tenant] = opened;
        if (!tenant) throw new Error('the service has no tenant');
        const access_token = context.tokens.issueHere(tenant, application?.client_id ?? '');
        return { access_token, expires_in: tenant.definition.token.expires_in, scope: 'all' };
      },
      /** Finishes the running requests while it rejects new ones. Resolves to the number of requests cut off. */
      drain,
      /** Drains, then closes the port, if it has one, and the database; breaks off what the database does not finish by then. */
      close(): Promise<void> {
        closed ??= close();
        return closed;
      },
      /** After `close`, why the last lines of the audit log are lost, if so. */
      lostLines: () => lost,
    };
  } catch (error) {
    await database.close();
    audit?.close();
    throw error;
  }
}

/** Options for starting the local service. */
export interface ServiceOptions extends OpenOptions {
  host?: string;
  /** 0 takes any free port. */
  port?: number;
}

/** A service that accepts connections. */
export type RunningService = Awaited<ReturnType<typeof startService>>;

/** Starts the service on one database; rejects if the database or the port cannot be opened. */
export async function startService(options: ServiceOptions) {
  const { host = '127.0.0.1', port = 0 } = options;
  const service = await openService(options);
  const { app, listensOn, openAccess, isGivenRefused, drain, close, lostLines, audit, metrics } = service;
  const baseUrl = () => {
    const { port: taken } = app.server.address() as AddressInfo;
    return `${options.tls ? 'https' : 'http'}://${urlHost(host)}:${taken}`;
  };
  // With the event, before the first request can come: the port is open while the rest of the start waits.
  app.server.once('listening', () => listensOn(baseUrl()));
  let metricsServer: Awaited<ReturnType<typeof serveMetrics>> | undefined;
  try {
    await app.listen({ host, port });
    if (metrics && options.metrics) metricsServer = await serveMetrics(metrics, options.metrics);
    await recordNow(audit, { event: 'startService', outcome: 'done' });
  } catch (error) {
    audit?.record({ event: 'startService', outcome: 'failed' });
    await metricsServer?.close();
    await close();
    throw error;
  }
  let isClosed = false;
  return {
    baseUrl: baseUrl(),
    /** Address of the metrics, if they are served. */
    metricsUrl: metricsServer?.url,
    openAccess,
    isGivenRefused,
    drain,
    lostLines,
    async close() {
      if (!isClosed) audit?.record({ event: 'stopService', outcome: 'done' });
      isClosed = true;
      await Promise.all([metricsServer?.close(), close()]);
    },
  };
}
