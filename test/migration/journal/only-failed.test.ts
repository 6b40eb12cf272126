import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '../../../src/client/errors.ts';
import { errorCatalogue } from '../../../src/contract/errors.ts';
import { mergeShards } from '../../../src/migration/merge-shards.ts';
import { fastClock } from '../../clocks.ts';
import { notDisabledJob } from '../cohort/not-disabled-job.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';
import { forgetOutcomes } from './forget-outcomes.ts';

const fileOf = (...names: string[]) =>
  `user_name,algorithm,hash\n${names.map((name) => `${name},md5,${goodHashes.md5}\n`).join('')}`;

test('with --only failed right after a kill, a person who registered since counts as existing, not as created', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    await writeFile(job.file, fileOf('ann', 'bob', 'cid', 'dan'));
    const tenant = await startTenant();
    const { importHashedUser: send } = tenant;
    const { code, message } = errorCatalogue.emailInvalid;
    tenant.importHashedUser = (user) =>
      user.user_name === 'bob' ? Promise.reject(new ApiError(code, message, 400)) : send(user);
    expect((await importFile(tenant, job)).summary).toMatchObject({ created: 3, failed: 1 });
    tenant.importHashedUser = send;
    // The kill leaves the outcomes of the first three rows, and a high-water mark above all rows.
    await forgetOutcomes(job.jobDirectory, 3);
    await tenant.client.createUser({ user_name: 'bob' });
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
    // The row that the killed run sent without an outcome is still one of the job.
    expect(summary).toMatchObject({ created: 3, found_by_look_up: 1, existing: 1 });
  });
});

test('rows that the service was not reached for do not count as sent by a killed run', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    await writeFile(job.file, fileOf('ann', 'bob', 'cid'));
    const tenant = await startTenant();
    const { importHashedUser: send } = tenant;
    const page = new NetworkError('notTheApi', 'a page', { effect: 'none', status: 404 });
    tenant.importHashedUser = (user) => (user.user_name === 'bob' ? Promise.reject(page) : send(user));
    expect((await importFile(tenant, job)).summary).toMatchObject({ created: 2, failed: 1 });
    tenant.importHashedUser = send;
    await forgetOutcomes(job.jobDirectory, 2);
    await tenant.client.createUser({ user_name: 'bob' });
    const { summary } = await importFile(tenant, job);
    expect(summary).toMatchObject({ created: 2, found_by_look_up: 1, existing: 1 });
  });
});

test('the high-water mark of a killed shard says nothing about the rows of another one', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, fileOf('ann', 'bob', 'cid', 'dan'));
    const tenant = await startTenant();
    const shards = [1, 2].map((index) => ({
      file,
      jobDirectory: join(directory, `shard${index}`),
      shard: { index, of: 2 },
      concurrency: 1,
    }));
    const { importHashedUser: send } = tenant;
    const stop = new AbortController();
    for (const shard of shards) {
      await importFile(tenant, { ...shard, signal: stop.signal });
      tenant.importHashedUser = (user) => send(user).finally(() => stop.abort());
    }
    tenant.importHashedUser = send;
    await forgetOutcomes(join(directory, 'shard1'), 1);
    await tenant.client.createUser({ user_name: 'dan' });
    const whole = join(directory, 'whole');
    await mergeShards([join(directory, 'shard1'), join(directory, 'shard2')], whole, 'test');
    const { summary } = await importFile(tenant, { file, jobDirectory: whole, clock: fastClock(1000) });
    expect(summary).toMatchObject({ created: 3, found_by_look_up: 1, existing: 1, pending: 0 });
  });
});

test('a user who could not be disabled is disabled by ID, and not created again under the name of the row', async () => {
  await inDirectory(async (directory) => {
    const { tenant, options, failing } = await notDisabledJob(directory, 'user_name');
    expect((await importFile(failing, options)).summary).toMatchObject({ failed: 1, stayed_enabled: 1 });
    const { user_id: id } = await tenant.client.getUserByUserName('ann');
    await tenant.client.updateUser(id, { user_name: 'ann.lee' });
    const again = (client: typeof tenant) => importFile(client, { ...options, mode: 'only failed' });
    expect(await again(failing)).toMatchObject({ changed: 0, summary: { failed: 1, stayed_enabled: 1 } });
    const done = { created: 1, found_by_look_up: 0, codes: {} };
    expect(await again(tenant)).toMatchObject({ changed: 1, summary: done });
    const { users } = await tenant.client.listUsers({ offset: 0, limit: 10 });
    expect(users).toMatchObject([{ user_id: id, disabled: true }]);
    expect(tenant.sent).toHaveLength(1);
  });
});
