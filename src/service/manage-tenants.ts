import { existsSync } from 'node:fs';
import { openDatabase } from './store/open-database.ts';
import { findTenants, storeTenant, tenantIds } from './store/tenants.ts';
import { describeDefinition } from './tenant/compile-definition.ts';
import { defaultTenant } from './tenant/default-tenant.ts';
import type { TenantDefinition } from './tenant/definition.ts';
import type { TenantDocument } from './tenant/document.ts';

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

/** The definitions that a service on the database would serve, complete; a database that is not there is not made. */
export async function effectiveDefinitions(location: string): Promise<TenantDocument[]> {
  const builtIn = [describeDefinition(defaultTenant)];
  if (!/^postgres(ql)?:/.test(location) && !existsSync(location)) return builtIn;
  const database = await openDatabase(location);
  try {
    const stored = await findTenants(database);
    return stored.length > 0 ? stored.map(({ definition }) => describeDefinition(definition)) : builtIn;
  } finally {
    await database.close();
  }
}
