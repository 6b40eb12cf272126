import { isMissingFile, isPostgres } from '../../text/locations/database-location.ts';
import { withDatabase } from '../storage/open-database.ts';
import { findTenants, storeTenant, tenantIds } from '../storage/tenants.ts';
import { defaultTenant } from '../tenant/default-tenant.ts';
import { describeDefinition, type TenantDefinition, type TenantDocument } from '../tenant/definition.ts';

/**
 * Stores a definition in a database, without a service. Returns the ids of all its tenants, oldest first. A service already running
 * on the database keeps the definitions it was started with.
 */
export function applyDefinition(location: string, definition: TenantDefinition): Promise<string[]> {
  return withDatabase(location, async (database) => {
    await storeTenant(database, definition);
    return tenantIds(database);
  });
}

/** Returns the ids of the tenants of a database, oldest first; does not create a missing database. */
export async function storedTenants(location: string): Promise<string[]> {
  return isMissingFile(location) ? [] : withDatabase(location, tenantIds);
}

/** Returns the complete definitions that a service on the database would use; does not create a missing database. */
export async function effectiveDefinitions(location: string): Promise<TenantDocument[]> {
  const builtIn = [describeDefinition(defaultTenant)];
  if (isMissingFile(location)) return builtIn;
  const stored = await withDatabase(location, findTenants);
  return stored.length > 0 ? stored.map(({ definition }) => describeDefinition(definition)) : builtIn;
}

/**
 * Opens a database, brings its schema up to date, and checks it for damage; returns the errors that SQLite finds in the file (none
 * for PostgreSQL, which checks itself), and the ids of the tenants, oldest first. Rejects if it cannot be opened.
 */
export function inspectDatabase(location: string) {
  return withDatabase(location, async (database) => {
    const rows = isPostgres(location)
      ? []
      : await database.query<{ quick_check: string }>('PRAGMA quick_check(5)', []);
    const damage = rows.map(({ quick_check }) => quick_check).filter((line) => line !== 'ok');
    return { damage, tenants: await tenantIds(database) };
  });
}
