import type { IssuedApplication, ShownApplication } from '../../contract/administration.ts';
import type { ApplicationScope } from '../../contract/operations.ts';
import { AdminError } from '../errors/admin-error.ts';
import {
  deleteApplication,
  findApplication,
  findApplications,
  insertApplication,
  newApplication,
  newClientSecret,
  replaceSecret,
  type StoredApplication,
} from '../storage/access/applications.ts';
import type { Database } from '../storage/engine/database.ts';
import type { Tenant } from '../tenant/definition.ts';
import { onTenant, onTenants } from './on-tenant.ts';

/** Returns the applications of all tenants, or of one. */
export function listApplications(
  location: string,
  tenantId: string | undefined,
  now: number,
): Promise<ShownApplication[]> {
  return onTenants(location, tenantId, async (database, tenants) => {
    const all = await findApplications(database);
    return tenants.flatMap((tenant) =>
      all.filter((one) => one.tenant === tenant.key).map((one) => shown(tenant, one, now)),
    );
  });
}

/** Creates an application. */
export function createApplication(
  location: string,
  tenantId: string | undefined,
  { name, scope, now }: { name: string | null; scope: ApplicationScope; now: number },
): Promise<IssuedApplication> {
  return onTenant(location, tenantId, async (database, tenant) => {
    const made = newApplication();
    await database.commit([insertApplication(tenant.key, made, { name, scope, now })]);
    const stored = { tenant: tenant.key, ...made, name, scope, created_at: now, former_until: 0 };
    return { ...shown(tenant, stored, now), client_secret: made.client_secret };
  });
}

/**
 * Gives an application a new secret. The present secret stays valid for `overlap` more seconds. `isLost`: nobody has the present
 * secret; if there are two, only the newer one is replaced, and the older one stays valid as long as it was.
 */
export function rotateSecret(
  location: string,
  clientId: string,
  { overlap, isLost = false, now }: { overlap: number; isLost?: boolean; now: number },
): Promise<IssuedApplication> {
  return onApplication(location, clientId, async (database, tenant, find) => {
    for (;;) {
      const application = await find();
      const hasTwo = application.former_until > now;
      if (overlap > 0 && hasTwo && !isLost) throw stillTwo(application);
      const client_secret = newClientSecret();
      const former = hasTwo && isLost ? application : formerOf(application, overlap, now);
      if (await database.commit([replaceSecret(application, client_secret, former)])) {
        return { ...shown(tenant, { ...application, ...former }, now), client_secret };
      }
    }
  });
}

/** True if the former secret of an application is still valid. */
export function hasTwoSecrets(location: string, clientId: string, now: number): Promise<boolean> {
  return onApplication(location, clientId, async (_database, _tenant, find) => {
    const { former_until } = await find();
    return former_until > now;
  });
}

function formerOf({ secret_hash }: StoredApplication, overlap: number, now: number) {
  return overlap === 0
    ? { former_hash: null, former_until: 0 }
    : { former_hash: secret_hash, former_until: now + overlap * 1000 };
}

/** Deletes an application, and ends its access tokens and the sessions of users who logged in with it. */
export function revokeApplication(
  location: string,
  clientId: string,
  now: number,
): Promise<ShownApplication> {
  return onApplication(location, clientId, async (database, tenant, find) => {
    const application = await find();
    if (!(await database.commit(deleteApplication(application)))) throw unknownApplication();
    return shown(tenant, application, now);
  });
}

function onApplication<Result>(
  location: string,
  clientId: string,
  work: (database: Database, tenant: Tenant, find: () => Promise<StoredApplication>) => Promise<Result>,
): Promise<Result> {
  return onTenants(location, undefined, async (database, tenants) => {
    const find = async () => {
      const application = await findApplication(database, clientId);
      if (!application) throw unknownApplication();
      return application;
    };
    const { tenant: key } = await find();
    const tenant = tenants.find((one) => one.key === key);
    if (!tenant) throw unknownApplication();
    return work(database, tenant, find);
  });
}

/** The message does not repeat the id, which may be a secret typed in the wrong place. */
export function unknownApplication(): AdminError {
  return new AdminError(
    'USAGE',
    'the database has no application with this client id',
    'To see them: tenant-users apps list',
  );
}

function stillTwo({ former_until }: StoredApplication): AdminError {
  return new AdminError(
    'USAGE',
    `the application has two valid secrets until ${new Date(former_until).toISOString()}`,
    'If nobody has the newer one, replace only that with --lost. Otherwise wait until then, or end both now with --overlap 0.',
  );
}

function shown(
  { definition }: Tenant,
  application: Omit<StoredApplication, 'secret_hash' | 'former_hash'>,
  now: number,
): ShownApplication {
  const { client_id, name, scope, created_at, former_until } = application;
  return {
    tenant_id: definition.tenant_id,
    client_id,
    name,
    scope,
    created_at: new Date(created_at).toISOString(),
    former_secret_until: former_until > now ? new Date(former_until).toISOString() : null,
  };
}
