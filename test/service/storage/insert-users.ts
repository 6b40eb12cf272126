import type { NewUser } from '../../../src/contract/wire.ts';
import type { Database } from '../../../src/service/storage/engine/database.ts';
import { findTenants } from '../../../src/service/storage/tenants.ts';
import { insertUser } from '../../../src/service/storage/users/insert-user.ts';

/**
 * Stores a number of users without passwords for the only tenant of a database, below the API: a user takes ten times as
 * long to pass it. They are numbered from 0.
 */
export async function insertUsers(
  database: Database,
  count: number,
  userOf: (number: number) => Pick<NewUser, 'user_name' | 'extension'>,
): Promise<void> {
  const [tenant] = await findTenants(database);
  if (!tenant) throw new Error('there is no tenant');
  const password = { stored: null, mustModify: false };
  const inserted = Array.from({ length: count }, (_, number) => {
    const { extension = {}, ...attributes } = userOf(number);
    return insertUser(database, tenant, { attributes, extension }, password, Date.now());
  });
  await Promise.all(inserted);
}
