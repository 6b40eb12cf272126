import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyPlan } from '../../../src/migration/apply-plan.ts';
import { makePlan } from '../../../src/migration/make-plan.ts';
import { inDirectory } from '../run-import.ts';
import { countingTenant, facts } from './counting-tenant.ts';

test('if the file of a plan changes while the plan is applied, nothing helps but the file as it was', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const [file, jobDirectory] = [join(directory, 'users.csv'), join(directory, 'plan')];
    const name = 'x'.repeat(40);
    const rows = Array.from({ length: 3000 }, (_, at) => `user${at},${name}\n`);
    await writeFile(file, `user_name,name\n${rows.join('')}`);
    const reading = { allowPasswordless: true };
    await makePlan(tenant, { ...facts, file, reading, directory: jobDirectory });
    const { importHashedUser: send } = tenant;
    let isFirst = true;
    tenant.importHashedUser = async (user) => {
      if (isFirst) await truncate(file, 70_000);
      isFirst = false;
      return send(user);
    };
    const { stoppedBy, summary } = await applyPlan(tenant, { ...facts, jobDirectory, concurrency: 1 });
    expect(summary.created).toBeGreaterThan(0);
    expect(stoppedBy).toMatchObject({
      code: 'SOURCE',
      message: expect.stringContaining(`; ${summary.created} rows were sent before`),
      hint: 'To go on, restore the file as it was and rerun the same command. Nothing is done twice.',
    });
  });
});
