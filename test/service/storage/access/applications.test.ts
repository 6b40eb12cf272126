import { expect, onTestFinished, test } from 'vitest';
import { openApplications } from '../../../../src/service/storage/access/applications.ts';
import type { Database } from '../../../../src/service/storage/engine/database.ts';
import { openDatabase } from '../../../../src/service/storage/open-database.ts';
import { storeTenant } from '../../../../src/service/storage/tenants.ts';
import { defaultTenant } from '../../../../src/service/tenant/default-tenant.ts';
import { testDatabase } from '../test-database.ts';

test('a wrong secret costs the same number of queries for every id: stored, given and unknown', async () => {
  const database = await openDatabase(await testDatabase());
  onTestFinished(() => database.close());
  let queries = 0;
  const counted: Database = {
    ...database,
    query(sql, values) {
      queries += 1;
      return database.query(sql, values);
    },
  };
  const tenant = await storeTenant(database, defaultTenant);
  const now = () => 0;
  const given = { tenant, application: { client_id: 'given', client_secret: 'given-secret' } };
  const applications = openApplications(counted, new Map([[tenant.key, tenant]]), now, given);
  const { client_id } = await applications.first(tenant);
  const refused: number[] = [];
  for (const id of [client_id, 'given', 'unknown']) {
    queries = 0;
    expect(await applications.authenticate(id, 'wrong')).toBeUndefined();
    await applications.tenantOf(id);
    refused.push(queries);
  }
  expect(refused).toEqual([2, 2, 2]);
});
