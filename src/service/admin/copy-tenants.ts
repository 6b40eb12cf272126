import { AdminError } from '../errors/admin-error.ts';
import { copyRows, countRows, digestRows } from '../storage/copy-database.ts';
import { withDatabase } from '../storage/open-database.ts';
import { tenantIds } from '../storage/tenants.ts';
import { isMissing, onTenants } from './on-tenant.ts';

/** Throws `AdminError` if a database contains anything; a missing one does not. */
export async function requireEmptyDatabase(location: string): Promise<void> {
  if (isMissing(location) || (await withDatabase(location, countRows)) === 0) return;
  throw new AdminError('CONFIGURATION', 'the database to copy to is not empty', 'Copy into a new database.');
}

/**
 * Copies all that services store in a database into an empty one, reads both again and compares them. Returns the ids of the
 * tenants, oldest first, and the number of rows. Throws `AdminError` if the first database has no tenant, and if they differ at
 * the end.
 */
export function copyTenants(
  from: string,
  to: string,
  onRows: (done: number, total: number) => void,
): Promise<{ tenants: string[]; rows: number }> {
  return onTenants(from, undefined, (source) =>
    withDatabase(to, async (target) => {
      const rows = await countRows(source);
      await copyRows(source, target, (done) => onRows(done, rows));
      if ((await digestRows(source)) !== (await digestRows(target))) {
        const message = 'the first database was changed while it was copied';
        throw new AdminError('CONFIGURATION', message, 'Stop serve, and copy again, into a new database.');
      }
      return { tenants: await tenantIds(target), rows };
    }),
  );
}
