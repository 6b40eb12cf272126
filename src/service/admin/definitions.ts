import { existsSync } from 'node:fs';
import { isPostgres } from '../../text/database-location.ts';
import { openDatabase } from '../storage/open-database.ts';
import { findTenants, storeTenant, tenantIds } from '../storage/tenants.ts';
import { defaultTenant } from '../tenant/default-tenant.ts';
import { describeDefinition, type TenantDefinition, type TenantDocument } from '../tenant/definition.ts';

/**
 * Stores a definition in a database, without a service. Returns the ids of all its tenants, oldest first. A service
 * that runs on the database keeps the definitions it was started with.
 */
export async function applyDefinition(location: string, definition: TenantDefinition): Promise<string[]> {
  const database = await openDatabase(location);
  try {
    await storeTenant(database, definition);
    return await tenantIds(database);
  } finally {
    await database.close();
  }
}

/** The definitions that a service on the database would serve, complete; a missing database is not created. */
export async function effectiveDefinitions(location: string): Promise<TenantDocument[]> {
  const builtIn = [describeDefinition(defaultTenant)];
  if (!isPostgres(location) && !existsSync(location)) return builtIn;
  const database = await openDatabase(location);
  try {
    const stored = await findTenants(database);
    return stored.length > 0 ? stored.map(({ definition }) => describeDefinition(definition)) : builtIn;
  } finally {
    await database.close();
  }
}

/** The state of a database, as far as it can be seen without serving it. */
export interface Inspection {
  /** The errors that SQLite finds in the file; always empty for PostgreSQL, which checks itself. */
  damage: string[];
  /** Ids of its tenants, oldest first. */
  tenants: string[];
}

/** Opens a database, brings its schema up to date, and checks it for damage. Rejects when it cannot be opened. */
export async function inspectDatabase(location: string): Promise<Inspection> {
  const database = await openDatabase(location);
  try {
    const rows = isPostgres(location)
      ? []
      : await database.query<{ quick_check: string }>('PRAGMA quick_check(5)', []);
    const damage = rows.map(({ quick_check }) => quick_check).filter((line) => line !== 'ok');
    return { damage, tenants: await tenantIds(database) };
  } finally {
    await database.close();
  }
}
