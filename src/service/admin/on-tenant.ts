import { isMissingFile } from '../../text/locations/database-location.ts';
import { AdminError } from '../errors/admin-error.ts';
import type { Database } from '../storage/engine/database.ts';
import { withDatabase } from '../storage/open-database.ts';
import { findTenants } from '../storage/tenants.ts';
import type { Tenant } from '../tenant/definition.ts';

/** Runs `work` on all tenants or the given one, also while a service uses the database. Throws `AdminError` if there is none. */
export async function onTenants<Result>(
  location: string,
  tenantId: string | undefined,
  work: (database: Database, tenants: readonly Tenant[]) => Promise<Result>,
): Promise<Result> {
  if (isMissingFile(location)) throw noTenants();
  return withDatabase(location, async (database) => {
    const tenants = await findTenants(database);
    if (tenants.length === 0) throw noTenants();
    const named = tenants.filter(
      ({ definition }) => definition.tenant_id === (tenantId ?? definition.tenant_id),
    );
    if (named.length === 0) {
      const hint = `Available: ${namesOf(tenants)}.`;
      throw new AdminError('USAGE', `the database has no tenant ${JSON.stringify(tenantId)}`, hint);
    }
    return work(database, named);
  });
}

/** Runs `work` on one tenant of a database. Throws `AdminError` if there are several and `tenantId` is `undefined`. */
export function onTenant<Result>(
  location: string,
  tenantId: string | undefined,
  work: (database: Database, tenant: Tenant) => Promise<Result>,
): Promise<Result> {
  return onTenants(location, tenantId, (database, tenants) => {
    const [tenant, other] = tenants;
    if (tenant && !other) return work(database, tenant);
    throw severalTenants(`Name one with --tenant: ${namesOf(tenants)}.`);
  });
}

/** Throws `AdminError` if there are several tenants, for a caller that cannot name one. */
export function requireOneTenant(tenants: readonly Tenant[]): void {
  if (tenants.length < 2) return;
  const hint = `Start serve on it, and log in with an application of one of them: ${namesOf(tenants)}.`;
  throw severalTenants(`${hint} See tenant-users apps --help`);
}

function severalTenants(hint: string): AdminError {
  return new AdminError('USAGE', 'the database has several tenants', hint);
}

function namesOf(tenants: readonly Tenant[]): string {
  return tenants.map(({ definition }) => definition.tenant_id).join(', ');
}

function noTenants(): AdminError {
  return new AdminError(
    'CONFIGURATION',
    'there is no service in this database yet',
    'Name the database of serve with --local DATABASE. The first start of serve makes one.',
  );
}
