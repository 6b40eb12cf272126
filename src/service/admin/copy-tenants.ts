import { isMissingFile } from '../../text/locations/database-location.ts';
import { AdminError } from '../errors/admin-error.ts';
import { copyRows, countRows } from '../storage/copy-database.ts';
import type { Database } from '../storage/engine/database.ts';
import { withDatabase } from '../storage/open-database.ts';
import { tenantIds } from '../storage/tenants.ts';
import { onTenants } from './on-tenant.ts';

/** Throws `AdminError` if a database has no tenant. */
export function requireTenant(location: string): Promise<void> {
  return onTenants(location, undefined, async () => {});
}

/** Throws `AdminError` if a database contains anything; a missing one does not. */
export async function requireEmptyDatabase(location: string): Promise<void> {
  if (isMissingFile(location) || (await withDatabase(location, countRows)) === 0) return;
  throw new AdminError('CONFIGURATION', 'the database to copy to is not empty', 'Copy into a new database.');
}

/**
 * Copies all that services store in a database into an empty one, reads both again and compares them. Returns the ids of the
 * tenants, oldest first, and the number of rows. Throws `AdminError` if the first database has no tenant, if the other one cannot be
 * written, and if they differ at the end.
 */
export function copyTenants(from: string, to: string, onRows: (done: number, total: number) => void) {
  return onTenants(from, undefined, (source) =>
    withDatabase(to, async (target) => {
      const rows = await countRows(source);
      if (!(await copyRows(source, namingFaults(target), (done) => onRows(done, rows)))) {
        const message = 'the first database was changed while it was copied';
        throw new AdminError('CONFIGURATION', message, 'Stop serve, and copy again, into a new database.');
      }
      return { tenants: await tenantIds(target), rows };
    }),
  );
}

/** The database of a copy, whose faults are not taken for those of the first one. */
function namingFaults(target: Database): Database {
  return {
    ...target,
    commit: (transaction) =>
      target.commit(transaction).catch((cause: Error) => {
        const message = `the database to copy to cannot be written: ${cause.message}`;
        throw new AdminError('CONFIGURATION', message, 'Copy again, into a new database.');
      }),
  };
}
