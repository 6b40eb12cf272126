import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../../src/service/storage/engine/database.ts';
import { openDatabase } from '../../../../src/service/storage/open-database.ts';
import { storeTenant } from '../../../../src/service/storage/tenants.ts';
import { insertUser } from '../../../../src/service/storage/users/insert-user.ts';
import { openUserPages } from '../../../../src/service/storage/users/user-pages.ts';
import { defaultTenant } from '../../../../src/service/tenant/default-tenant.ts';
import { testDatabase } from '../test-database.ts';

test('a user who is created between the count and the page appears in neither', async () => {
  const database = await openDatabase(await testDatabase());
  onTestFinished(() => database.close());
  const tenant = await storeTenant(database, defaultTenant);
  const create = () => {
    const password = { stored: null, mustModify: true };
    return insertUser(database, tenant, { attributes: {}, extension: {} }, password, Date.UTC(2026, 0));
  };
  await create();
  const beside: Database = {
    ...database,
    async query<Row>(...asked: Parameters<Database['query']>) {
      const rows = await database.query<Row>(...asked);
      await create();
      return rows;
    },
  };
  const { total, rows } = await openUserPages(beside).find(tenant, { offset: 0, limit: 10 });
  expect({ total, users: rows.length }).toEqual({ total: 1, users: 1 });
});
