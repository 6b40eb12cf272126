import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NetworkError } from '../../../src/client/errors.ts';
import { applyPlan } from '../../../src/migration/apply-plan.ts';
import { makePlan } from '../../../src/migration/make-plan.ts';
import { fastClock } from '../../clocks.ts';
import { goodHashes } from '../hashes.ts';
import { inDirectory } from '../run-import.ts';
import { countingTenant, facts, inHongKong, planFor } from './counting-tenant.ts';

test('a user who is in no row and could not be disabled is named in failures.csv', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const to = await planFor(tenant, directory, 4);
    tenant.disableUser = () =>
      Promise.reject(new NetworkError('notTheApi', 'a page', { effect: 'none', status: 404 }));
    const options = { ...facts, jobDirectory: to, concurrency: 1, clock: fastClock(50) };
    const { summary } = await applyPlan(tenant, { ...options, maxFailures: { fraction: 1 } });
    expect(summary).toMatchObject({ updated: 2, disabled: 0, failed: 2 });
    const failures = await readFile(join(to, 'failures.csv'), 'utf8');
    for (const name of ['user1', 'user3']) {
      const { user_id: id } = await tenant.client.getUserByUserName(name);
      expect(failures).toMatch(new RegExp(`\n,,,,.*a page.*,${id},\n`));
    }
  });
});

test('a row that clashes with another row of its file is a conflict, not drift, and stops nothing', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant(Date.now, inHongKong);
    const file = join(directory, 'users.csv');
    await writeFile(file, 'user_name,mobile\nann,91234567\nbob,852-91234567\ncid,\n');
    const to = join(directory, 'plan');
    const reading = { allowPasswordless: true };
    const { plan } = await makePlan(tenant, { ...facts, file, directory: to, reading });
    expect(plan.totals.create).toBe(3);
    const { summary, stoppedBy } = await applyPlan(tenant, { ...facts, jobDirectory: to, concurrency: 1 });
    expect(stoppedBy).toBeUndefined();
    expect(summary).toMatchObject({ created: 2, conflict: 1, pending: 0 });
    expect(summary.codes).not.toHaveProperty('DRIFT');
  });
});

test('the algorithms of an applied plan are those of the users whom it created', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    await tenant.client.createUser({ user_name: 'ann' });
    const file = join(directory, 'users.csv');
    await writeFile(file, `user_name,hash\nann,${goodHashes.bcrypt}\nbob,${goodHashes.md5}\n`);
    const to = join(directory, 'plan');
    const reading = { algorithm: 'infer' } as const;
    await makePlan(tenant, { ...facts, file, directory: to, reading });
    const { summary } = await applyPlan(tenant, { ...facts, jobDirectory: to });
    expect(summary).toMatchObject({ created: 1, existing: 1, not_verified: ['md5'] });
    expect(summary.by_algorithm).toEqual({ md5: { created: 1, failed: 0, canaries: 0 } });
  });
});
