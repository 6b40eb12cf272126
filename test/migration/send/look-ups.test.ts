import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '../../../src/client/errors.ts';
import { applyPlan } from '../../../src/migration/apply-plan.ts';
import { makePlan } from '../../../src/migration/make-plan.ts';
import { fastClock } from '../../clocks.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';

const facts = { target: { base_url: 'memory' }, version: '1.0.0', now: Date.now };
const fileOf = (header: string, row: string) => `${header},algorithm,hash\n${row},md5,${goodHashes.md5}\n`;

/** API errors that say nothing about the user. */
const forbidden = () => Promise.reject(new ApiError('SVC.TENANT.COM.0009', 'no permission', 403));
const noEndpoint = () => Promise.reject(new ApiError('SVC.TENANT.COM.0004', 'No such endpoint', 404));

test.each([forbidden, noEndpoint])(
  'a look-up that is rejected for another reason does not mean that there is no user: %o',
  async (refuse) => {
    await inDirectory(async (directory) => {
      const job = {
        file: join(directory, 'users.csv'),
        jobDirectory: join(directory, 'job'),
        concurrency: 1,
      };
      await writeFile(job.file, fileOf('external_id', 'x-1'));
      const tenant = await startTenant();
      const lost = (user: Parameters<typeof tenant.importHashedUser>[0]) =>
        tenant.importHashedUser(user).then(() => {
          throw new NetworkError('timeout', 'no answer', { effect: 'unknown' });
        });
      const client = { ...tenant, importHashedUser: lost, getUserByExternalId: refuse };
      expect((await importFile(client, job)).summary).toMatchObject({ unknown: 1 });
      const clock = fastClock(1000);
      const again = await importFile({ ...tenant, getUserByExternalId: refuse }, { ...job, clock });
      expect(again.summary).toMatchObject({ created: 0, unknown: 1 });
      expect(tenant.sent).toHaveLength(1);
    });
  },
);

test('a plan does not treat a user whom it may not look up as missing', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, fileOf('user_name,name', 'ann,New'));
    const tenant = await startTenant();
    await tenant.client.createUser({ user_name: 'ann', name: 'Old' });
    const planned = { ...facts, update: 'all', by: 'user_name', file, reading: {} } as const;
    const refused = { ...tenant, getUserByUserName: forbidden };
    await expect(makePlan(refused, { ...planned, directory: join(directory, 'none') })).rejects.toThrow(
      'no permission',
    );
    const jobDirectory = join(directory, 'plan');
    await makePlan(tenant, { ...planned, directory: jobDirectory });
    const { updateUser, disableUser } = tenant.client.withoutRetries();
    const client = { ...tenant, updateUser, disableUser };
    const options = { ...facts, jobDirectory };
    const { summary, stoppedBy } = await applyPlan({ ...client, getUser: forbidden }, options);
    expect(stoppedBy).toBeUndefined();
    expect(summary).toMatchObject({ conflict: 0, pending: 0, codes: { NOT_REACHED: 1 } });
    expect((await applyPlan(client, options)).summary).toMatchObject({ updated: 1 });
  });
});
