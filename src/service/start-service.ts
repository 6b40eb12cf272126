import type { AddressInfo } from 'node:net';
import { buildApp } from './app.ts';
import type { Parts } from './parts.ts';
import { type Application, openApplications } from './store/applications.ts';
import { openGrants } from './store/grants.ts';
import { purgeExpired } from './store/purge.ts';
import { openSigningKeys } from './store/signing-keys.ts';
import { openSqlite } from './store/sqlite.ts';
import { openTenant } from './store/tenants.ts';
import { openTokens } from './store/tokens.ts';
import { defaultTenant } from './tenant/default-tenant.ts';

/** How to start the local service. */
export interface ServiceOptions {
  /** SQLite file, or `:memory:`. */
  database: string;
  host?: string;
  /** 0 takes any free port. */
  port?: number;
  /** Credentials of the first tenant's application; without them the first start on a database makes one. */
  application?: Application;
  /** Epoch milliseconds; default the system's clock. */
  now?: () => number;
  /** Told of failures that are the service's own fault. */
  report?: (error: unknown) => void;
}

/** A service that accepts connections. */
export interface RunningService {
  baseUrl: string;
  /** The secret only when it was made by this start: it is not known again. */
  tenants: { tenantId: string; clientId: string; clientSecret?: string }[];
  /** Finishes the requests under way, then closes the database. */
  close(): Promise<void>;
}

const purgeInterval = 10 * 60 * 1000;

/** Starts the service on one database; rejects when the database or the port cannot be opened. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const now = options.now ?? Date.now;
  const report = options.report ?? (() => {});
  const database = openSqlite(options.database);
  try {
    const tenant = await openTenant(database, defaultTenant);
    const given = options.application && { tenant, application: options.application };
    const applications = openApplications(database, given);
    const { client_id: clientId, client_secret: clientSecret } = given
      ? { client_id: given.application.client_id }
      : await applications.first(tenant, now());
    const parts: Parts = {
      database,
      tenants: new Map([[tenant.key, tenant]]),
      applications,
      tokens: openTokens(database, now),
      grants: openGrants(database, now),
      keys: await openSigningKeys(database, now()),
      now,
      report,
    };
    const app = buildApp(parts);
    const host = options.host ?? '127.0.0.1';
    await app.listen({ host, port: options.port ?? 0 });
    const { port } = app.server.address() as AddressInfo;
    const purge = setInterval(() => void purgeExpired(database, now()).catch(report), purgeInterval).unref();

    return {
      baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
      tenants: [
        {
          tenantId: tenant.definition.tenantId,
          clientId,
          ...(clientSecret === undefined ? {} : { clientSecret }),
        },
      ],
      async close() {
        clearInterval(purge);
        await app.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
