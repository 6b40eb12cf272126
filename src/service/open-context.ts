import type { ServiceContext } from './context/context.ts';
import { openTurns } from './passwords/turns.ts';
import { type Application, findApplication, openApplications } from './storage/access/applications.ts';
import { findSigningKey } from './storage/access/signing-keys.ts';
import { hasTokens, openTokens } from './storage/access/tokens.ts';
import type { Database } from './storage/engine/database.ts';
import { findTenants, storeTenant } from './storage/tenants.ts';
import { claimStoredValues } from './storage/users/claim-stored-values.ts';
import { hasUsers, openUserPages } from './storage/users/user-pages.ts';
import type { Tenant, TenantDefinition } from './tenant/definition.ts';

/** A tenant of a service, and the credentials of its application. */
export interface TenantAccess {
  tenant_id: string;
  client_id: string;
  /** Set only if the application was just created: the database stores just a hash. */
  client_secret?: string;
  /** Set if the database has a secret that may be lost: the tenant has no users and no tokens, and none was signed yet. */
  unused?: true;
}

/**
 * Opens the context of the routes. The application `given` belongs to the first tenant. If the database has an application with its
 * id, what is stored decides: its secret, its scope, and whether it is revoked. `isGivenRefused`: it cannot log in, since the database
 * has it with another secret, or for a tenant that is not served.
 */
export async function openContext(
  database: Database,
  tenants: readonly Tenant[],
  given: Application | undefined,
  outside: Pick<ServiceContext, 'passwords' | 'now' | 'report' | 'issuer' | 'idTokens'>,
) {
  const { now } = outside;
  const byKey = new Map(tenants.map((tenant) => [tenant.key, tenant]));
  const [first] = tenants;
  const stored = given && (await findApplication(database, given.client_id));
  const own = stored ? undefined : given;
  const applications = openApplications(
    database,
    byKey,
    now,
    own && first && { tenant: first, application: own },
  );
  /** Returns the application of each tenant, the `given` one or the first; creates one for a tenant that has none. */
  const openAccess = async () => {
    const access: TenantAccess[] = [];
    for (const tenant of tenants) {
      const isOfGiven = given && tenant.key === (stored?.tenant ?? first?.key);
      const known = isOfGiven ? { client_id: given.client_id } : await applications.first(tenant);
      const { tenant_id } = tenant.definition;
      // The first token makes the first signing key; after a reset of the keys, the users and the tokens tell.
      const isUsed =
        isOfGiven ||
        'client_secret' in known ||
        (await hasUsers(database, tenant)) ||
        (await hasTokens(database, tenant)) ||
        (await findSigningKey(database, tenant.key, now()));
      access.push({ tenant_id, ...known, ...(isUsed ? {} : { unused: true }) });
    }
    return access;
  };
  const context: ServiceContext = {
    ...outside,
    database,
    tenants: byKey,
    loginTurns: openTurns(),
    applications,
    tokens: openTokens(database, now, own?.client_id),
    userPages: openUserPages(database),
  };
  const isGivenRefused =
    given !== undefined && !(await applications.authenticate(given.client_id, given.client_secret));
  return { context, openAccess, isGivenRefused };
}

/**
 * Returns the tenants to serve: those of `definitions`, which are stored, or without definitions those of the database, or the
 * built-in one if it has none.
 */
export async function openTenants(
  database: Database,
  definitions: readonly TenantDefinition[] | undefined,
): Promise<Tenant[]> {
  const stored = definitions ? [] : await findTenants(database);
  // The built-in definition is loaded only for a new database, because compiling its patterns takes a while.
  const given =
    definitions ?? (stored.length > 0 ? [] : [(await import('./tenant/default-tenant.ts')).defaultTenant]);
  for (const definition of given) stored.push(await storeTenant(database, definition));
  for (const tenant of stored) await claimStoredValues(database, tenant);
  return stored;
}
