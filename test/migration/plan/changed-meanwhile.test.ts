import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyPlan } from '../../../src/migration/apply-plan.ts';
import { makePlan } from '../../../src/migration/make-plan.ts';
import { goodHashes } from '../hashes.ts';
import { inDirectory } from '../run-import.ts';
import { countingTenant, facts } from './counting-tenant.ts';

/** A tenant with two users, and a plan that updates one of them and creates another. `again`: makes the plan again. */
async function planned(directory: string) {
  const { tenant, calls } = await countingTenant();
  for (const name of ['ann', 'zoe']) await tenant.client.createUser({ user_name: name });
  const [file, to] = [join(directory, 'users.csv'), join(directory, 'plan')];
  const rows = (...names: string[]) =>
    writeFile(
      file,
      `user_name,name,algorithm,hash\n${names.map((name) => `${name},New,md5,${goodHashes.md5}\n`).join('')}`,
    );
  const again = async (...names: string[]) => {
    await rows(...names);
    await makePlan(tenant, { ...facts, file, reading: {}, directory: to, update: 'all', by: 'user_name' });
  };
  await again('ann', 'bob');
  return { tenant, calls, to, again };
}

test('actions that are changed in their file after the check are not carried out', async () => {
  await inDirectory(async (directory) => {
    const { tenant, calls, to } = await planned(directory);
    const path = join(to, 'actions.jsonl');
    const { user_id: ann } = await tenant.client.getUserByUserName('ann');
    const { user_id: zoe } = await tenant.client.getUserByUserName('zoe');
    const onPlan = () => writeFileSync(path, readFileSync(path, 'utf8').replace(ann, zoe));
    const { summary, stoppedBy } = await applyPlan(tenant, { ...facts, jobDirectory: to, onPlan });
    expect(stoppedBy).toMatchObject({ code: 'PLAN_CHANGED' });
    expect(summary).toMatchObject({ created: 0, updated: 0 });
    expect([calls, tenant.sent]).toEqual([[], []]);
  });
});

test('a plan that is made again while a person is asked for consent is not applied', async () => {
  await inDirectory(async (directory) => {
    const { tenant, calls, to, again } = await planned(directory);
    const options = { ...facts, jobDirectory: to, onPlan: () => again('bob', 'cid') };
    await expect(applyPlan(tenant, options)).rejects.toMatchObject({
      code: 'PLAN_CHANGED',
      message: expect.stringContaining('made again meanwhile'),
    });
    expect([calls, tenant.sent]).toEqual([[], []]);
  });
});
