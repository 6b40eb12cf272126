import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { NetworkError } from '../../../src/client/errors.ts';
import type { HashedUser } from '../../../src/contract/wire.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { notDisabledJob } from './not-disabled-job.ts';

const { md5 } = goodHashes;

/** An import of Ann and Bob, both disabled in the file, in which Bob registers after Ann was created. */
async function withStranger(directory: string, field: string) {
  const { tenant, options } = await notDisabledJob(directory, field);
  await writeFile(options.file, `login,pwd,off\nann,${md5},1\nbob,${md5},1\n`);
  const { importHashedUser: send } = tenant;
  const registering = {
    ...tenant,
    async importHashedUser(user: HashedUser) {
      const answer = user[field as 'user_name'] === 'ann' ? await send(user) : undefined;
      if (answer) return answer;
      await tenant.client.createUser({ [field]: 'bob' });
      return send(user);
    },
  };
  const { summary } = await importFile(registering, { ...options, concurrency: 1 });
  expect(summary).toMatchObject({ created: 1, codes: { NOT_DISABLED: 1 } });
  const isBobDisabled = async () => (await tenant.client.getUserByUserName('bob')).disabled;
  return { tenant, options, isBobDisabled };
}

test('a user who registered while the job ran is not disabled when failed rows are sent again', async () => {
  await inDirectory(async (directory) => {
    const { tenant, options, isBobDisabled } = await withStranger(directory, 'user_name');
    const { summary } = await importFile(tenant, { ...options, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 1, codes: { NOT_DISABLED: 1 } });
    expect(await isBobDisabled()).toBe(false);
  });
});

test('the same user is not disabled from a corrected file, and is in order if the file no longer asks for it', async () => {
  await inDirectory(async (directory) => {
    const { tenant, options, isBobDisabled } = await withStranger(directory, 'user_name');
    await writeFile(options.file, `login,pwd,off\nann,${md5},1\nbob,${md5},1\ncid,${md5},1\n`);
    const { summary } = await importFile(tenant, { ...options, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 2, codes: { NOT_DISABLED: 1 } });
    expect(await isBobDisabled()).toBe(false);
    await writeFile(options.file, `login,pwd,off\nann,${md5},1\nbob,${md5},\ncid,${md5},1\n`);
    const { summary: last } = await importFile(tenant, { ...options, mode: 'only failed' });
    expect(last).toMatchObject({ rows: 3, failed: 0, unknown: 0 });
    expect(await isBobDisabled()).toBe(false);
  });
});

test('--only unanswered disables nobody', async () => {
  await inDirectory(async (directory) => {
    const { tenant, options } = await notDisabledJob(directory, 'user_name');
    const { importHashedUser: send } = tenant;
    const lost = new NetworkError('timeout', 'no answer', { effect: 'unknown' });
    const unanswered = {
      ...tenant,
      importHashedUser: (user: HashedUser) => send(user).then(() => Promise.reject(lost)),
      getUserByUserName: () => Promise.reject(lost),
    };
    const anyTime = { now: () => Date.now() + 600_000 };
    expect((await importFile(unanswered, options)).summary).toMatchObject({ unknown: 1 });
    let writes = 0;
    const disableUser = () => {
      writes += 1;
      return Promise.reject(new Error('a write'));
    };
    const asking = { ...tenant, disableUser };
    const { summary } = await importFile(asking, { ...options, ...anyTime, mode: 'only unanswered' });
    expect(summary).toMatchObject({ unknown: 0, pending: 0 });
    expect(writes).toBe(0);
  });
});
