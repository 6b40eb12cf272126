import type { Parts } from './parts.ts';
import { type Application, openApplications } from './store/applications.ts';
import type { Database } from './store/database.ts';
import { openGrants } from './store/grants.ts';
import { openSigningKeys } from './store/signing-keys.ts';
import { openTokens } from './store/tokens.ts';
import type { Tenant } from './tenant/tenant.ts';

/** A tenant of a service that starts, and how to get in. */
export interface TenantAccess {
  tenantId: string;
  clientId: string;
  /** Only when it was made by this start: it is not known again. */
  clientSecret?: string;
}

/** Opens everything the routes are built from. A `given` application belongs to the first tenant. */
export async function openParts(
  database: Database,
  tenants: readonly Tenant[],
  given: Application | undefined,
  { now, report }: Pick<Parts, 'now' | 'report'>,
): Promise<{ parts: Parts; access: TenantAccess[] }> {
  const [first] = tenants;
  const applications = openApplications(database, given && first && { tenant: first, application: given });
  const access: TenantAccess[] = [];
  for (const tenant of tenants) {
    const known: Partial<Application> & { client_id: string } =
      tenant === first && given ? { client_id: given.client_id } : await applications.first(tenant, now());
    const { client_id, client_secret } = known;
    access.push({
      tenantId: tenant.definition.tenantId,
      clientId: client_id,
      ...(client_secret === undefined ? {} : { clientSecret: client_secret }),
    });
  }
  const parts: Parts = {
    database,
    tenants: new Map(tenants.map((tenant) => [tenant.key, tenant])),
    applications,
    tokens: openTokens(database, now),
    grants: openGrants(database, now),
    keys: await openSigningKeys(database, now()),
    now,
    report,
  };
  return { parts, access };
}
