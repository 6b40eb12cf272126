import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NetworkError } from '../../../src/client/errors.ts';
import { applyPlan } from '../../../src/migration/apply-plan.ts';
import { makePlan } from '../../../src/migration/make-plan.ts';
import { inDirectory } from '../run-import.ts';
import { countingTenant, facts } from './counting-tenant.ts';

test('somebody who registered after the plan was made is not taken for created, and not disabled, when an answer is lost', async () => {
  await inDirectory(async (directory) => {
    let time = Date.parse('2026-03-01T10:00:00Z');
    const { tenant } = await countingTenant(() => time);
    const file = join(directory, 'users.csv');
    await writeFile(file, 'login,status\nann,on\nbob,off\ncid,on\n');
    const recipe = {
      name: 'test',
      recipe: {
        fields: { user_name: { column: 'login' } },
        disable: { where: { column: 'status', in: ['off'] } },
      },
    };
    const to = join(directory, 'plan');
    const reading = { recipe, allowPasswordless: true };
    const { plan } = await makePlan(tenant, { ...facts, file, directory: to, reading });
    expect(plan.totals.create).toBe(3);
    await tenant.client.createUser({ user_name: 'bob' });
    time += 2 * 3_600_000;
    const { importHashedUser: send } = tenant;
    tenant.importHashedUser = (user) =>
      user.user_name === 'bob'
        ? Promise.reject(new NetworkError('interrupted', 'cut off', { effect: 'unknown' }))
        : send(user);
    const options = { ...facts, jobDirectory: to, concurrency: 1, acceptedDrift: 1 };
    const { summary } = await applyPlan(tenant, options);
    expect(summary).toMatchObject({ created: 2, found_by_look_up: 0, conflict: 1, codes: { DRIFT: 1 } });
    expect(await tenant.client.getUserByUserName('bob')).toMatchObject({ disabled: false });
  });
});
