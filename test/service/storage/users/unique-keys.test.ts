import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../../src/service/storage/engine/database.ts';
import { openDatabase } from '../../../../src/service/storage/open-database.ts';
import { storeTenant } from '../../../../src/service/storage/tenants.ts';
import { rejectTaken } from '../../../../src/service/storage/users/unique-keys.ts';
import { defaultTenant } from '../../../../src/service/tenant/default-tenant.ts';
import { isPostgres } from '../temporary-database.ts';
import { testDatabase } from '../test-database.ts';

// On PostgreSQL the use of indexes depends on statistics, which have a test of their own.
test.skipIf(isPostgres)(
  'the owner of an identifier is found by the index of that attribute, not among all users',
  async () => {
    const database = await openDatabase(await testDatabase());
    onTestFinished(() => database.close());
    const tenant = await storeTenant(database, defaultTenant);
    const plans: string[] = [];
    const explaining: Database = {
      ...database,
      async query<Row>(...[sql, values]: Parameters<Database['query']>) {
        const steps = await database.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
        plans.push(...steps.map(({ detail }) => detail).filter((detail) => detail.includes(' users ')));
        return database.query<Row>(sql, values);
      },
    };
    const keys = { user_name_key: 'ann', email_key: 'ann@example.com', mobile_key: '86-13901234567' };
    await rejectTaken(explaining, tenant, keys, []);
    expect(plans).toEqual([
      'SEARCH users USING INDEX users_user_name (tenant=? AND user_name_key=?)',
      'SEARCH users USING INDEX users_email (tenant=? AND email_key=?)',
      'SEARCH users USING INDEX users_mobile (tenant=? AND mobile_key=?)',
    ]);
  },
);
