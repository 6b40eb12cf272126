import { expect, onTestFinished, test } from 'vitest';
import type { AttributeValues } from '../../../../src/contract/wire.ts';
import type { Database } from '../../../../src/service/storage/engine/database.ts';
import { openDatabase } from '../../../../src/service/storage/open-database.ts';
import { storeTenant } from '../../../../src/service/storage/tenants.ts';
import { insertUser } from '../../../../src/service/storage/users/insert-user.ts';
import { updateUserRow } from '../../../../src/service/storage/users/update-user.ts';
import { openUserPages, type UserRows } from '../../../../src/service/storage/users/user-pages.ts';
import { defaultTenant } from '../../../../src/service/tenant/default-tenant.ts';
import type { Tenant } from '../../../../src/service/tenant/definition.ts';
import { testDatabase } from '../test-database.ts';

const start = Date.UTC(2026, 0);

function createUser(database: Database, tenant: Tenant, attributes: AttributeValues = {}) {
  const password = { stored: null, mustModify: true };
  return insertUser(database, tenant, { attributes, extension: {} }, password, start);
}

test('a user who is created between the count and the page appears in neither', async () => {
  const database = await openDatabase(await testDatabase());
  onTestFinished(() => database.close());
  const tenant = await storeTenant(database, defaultTenant);
  const create = () => createUser(database, tenant);
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

test('a large user who changes before being read is left out of a filtered page, and shown on another', async () => {
  const database = await openDatabase(await testDatabase());
  onTestFinished(() => database.close());
  const tenant = await storeTenant(database, defaultTenant);
  const head_img = `data:image/png;base64,${'A'.repeat(70_000)}`;
  const userId = await createUser(database, tenant, { head_img });
  const pages = openUserPages(database);
  const page = { offset: 0, limit: 10 };
  const [filtered, all] = await Promise.all([
    pages.find(tenant, { ...page, before: start + 1000 }),
    pages.find(tenant, page),
  ]);
  await updateUserRow(database, tenant, userId, { attributes: { name: 'Ann' }, extension: {} }, start + 1000);
  const read = async ({ rows }: UserRows) => {
    const [row] = rows;
    return typeof row === 'function' ? (await row())?.profile : 'not large';
  };
  expect(await read(filtered)).toBeUndefined();
  expect(JSON.parse((await read(all)) ?? '')).toMatchObject({ name: 'Ann', head_img });
});
