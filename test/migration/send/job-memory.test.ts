import { cpSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '../../../src/client/errors.ts';
import { errorCatalogue } from '../../../src/contract/errors.ts';
import type { HashedUser } from '../../../src/contract/wire.ts';
import { mergeShards } from '../../../src/migration/merge-shards.ts';
import { fastClock } from '../../clocks.ts';
import { notDisabledJob } from '../cohort/not-disabled-job.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, runImport } from '../run-import.ts';
import { startTenant, type Tenant } from '../start-tenant.ts';

const gone = () => Promise.reject(new NetworkError('timeout', 'no answer', { effect: 'unknown' }));

/** A tenant whose clock is years behind, by default in Shanghai, and which loses the answers of some rows. */
async function farTenant(
  isLost: (user: HashedUser) => boolean,
  time = Date.UTC(2021, 4, 1, 12),
  time_zone = 'Asia/Shanghai',
) {
  const clock = { time };
  const tenant = await startTenant({ time_zone }, () => clock.time);
  const send = tenant.importHashedUser;
  tenant.importHashedUser = (user) => (isLost(user) ? send(user).then(gone, gone) : send(user));
  return { tenant, clock };
}

const content = (...names: string[]) =>
  `user_name,algorithm,hash\n${names.map((name) => `${name},md5,${goodHashes.md5}\n`).join('')}`;

test('a user found after a lost answer counts as created if it was created within the time of the job, else as existing', async () => {
  const { tenant, clock } = await farTenant(({ user_name: name }) => name === 'bob' || name === 'cid');
  await tenant.client.createUser({ user_name: 'cid' });
  clock.time += 2 * 3_600_000;
  const { summary, users } = await runImport(content('ann', 'bob', 'cid'), { concurrency: 1 }, tenant);
  expect(summary).toMatchObject({ created: 2, found_by_look_up: 1, existing: 1, unknown: 0 });
  expect(users.map(({ user_name, result, found_by_look_up: found }) => [user_name, result, found])).toEqual([
    ['ann', 'created', ''],
    ['bob', 'created', 'true'],
    ['cid', 'existing', ''],
  ]);
});

test('if the job knows no user of its own to compare with, a user who is found counts as existing', async () => {
  const { tenant } = await farTenant(() => true);
  const { summary } = await runImport(content('ann'), { concurrency: 1 }, tenant);
  expect(summary).toMatchObject({ created: 0, existing: 1, unknown: 0 });
});

test('a user of the job who seems to be made before it stays unknown only if the clocks of the tenant may have been set back', async () => {
  const seen = async (time: number, minutes: number) => {
    const lost = ({ user_name: name }: HashedUser) => name === 'bob';
    const { tenant, clock } = await farTenant(lost, time, 'Europe/Berlin');
    const send = tenant.importHashedUser;
    tenant.importHashedUser = (user) => {
      if (user.user_name === 'bob') clock.time += minutes * 60_000;
      return send(user);
    };
    const { summary } = await runImport(content('ann', 'bob'), { concurrency: 1 }, tenant);
    return [summary.created, summary.existing, summary.unknown];
  };
  // Ann is made at 02:50 in summer time, and Bob at 02:10, after the clocks were set back.
  expect(await seen(Date.UTC(2021, 9, 31, 0, 50), 20)).toEqual([1, 0, 1]);
  // Bob is made at 02:10, before Ann at 02:50 of another day; or at 02:40, before Ann at 03:20, which comes only once.
  expect(await seen(Date.UTC(2021, 4, 1, 0, 50), -40)).toEqual([1, 1, 0]);
  expect(await seen(Date.UTC(2021, 9, 31, 2, 20), -40)).toEqual([1, 1, 0]);
});

/** The tenant without one user, whom somebody has removed. */
function without(tenant: Tenant, userName: string): Tenant {
  const { code, message } = errorCatalogue.userNotFound;
  const getUser = async (id: string) => {
    const user = await tenant.getUser(id);
    if (user.user_name === userName) throw new ApiError(code, message, 400);
    return user;
  };
  return { ...tenant, getUser };
}

test('if the first user of the job is gone from the tenant, the next one says when the job began', async () => {
  const { tenant } = await farTenant(({ user_name: name }) => name === 'cid');
  const { summary } = await runImport(
    content('ann', 'bob', 'cid'),
    { concurrency: 1 },
    without(tenant, 'ann'),
  );
  expect(summary).toMatchObject({ created: 3, existing: 0, unknown: 0 });
  const other = await farTenant(({ user_name: name }) => name === 'bob');
  const alone = await runImport(content('ann', 'bob'), { concurrency: 1 }, without(other.tenant, 'ann'));
  expect(alone.summary).toMatchObject({ created: 1, existing: 1, unknown: 0 });
});

test('a run that is killed before its first outcome is recorded leaves no user enabled who must not be', async () => {
  await inDirectory(async (directory) => {
    const { tenant, options } = await notDisabledJob(directory, 'user_name');
    const left = join(directory, 'left');
    const disableUser = () => {
      cpSync(options.jobDirectory, left, { recursive: true });
      return gone();
    };
    await importFile({ ...tenant, disableUser }, options);
    const { summary } = await importFile(tenant, { ...options, jobDirectory: left });
    expect(summary).toMatchObject({ created: 1, existing: 0, failed: 0 });
    expect(await tenant.client.getUserByUserName('ann')).toMatchObject({ disabled: true });
  });
});

test('of two equal rows with one external ID only, the second never takes the user of the first', async () => {
  const tenant = await startTenant();
  const send = tenant.importHashedUser;
  let sent = 0;
  tenant.importHashedUser = (user) => {
    sent += 1;
    return sent === 1 ? send(user) : gone();
  };
  const row = `E1,Ann Lee,md5,${goodHashes.md5}\n`;
  const { summary, users, failures } = await runImport(
    `external_id,name,algorithm,hash\n${row}${row}`,
    { concurrency: 1, accept: ['DUPLICATE_EXTERNAL_ID'] },
    tenant,
  );
  expect(summary).toMatchObject({ created: 1, existing: 0, unknown: 1 });
  expect(users).toHaveLength(1);
  expect(failures).toMatchObject([
    { row: '2', code: 'NO_ANSWER', message: expect.stringContaining('belongs to another row of the file') },
  ]);
});

test('an answer with the user of another row is not accepted, and the row is looked up', async () => {
  const tenant = await startTenant();
  const send = tenant.importHashedUser;
  let before = { user_id: '' };
  tenant.importHashedUser = async (user) => {
    const own = await send(user);
    const answer = user.user_name === 'bob' ? before : own;
    before = answer;
    return answer;
  };
  const { summary, users } = await runImport(content('ann', 'bob', 'cid'), { concurrency: 1 }, tenant);
  expect(summary).toMatchObject({ created: 3, found_by_look_up: 1, unknown: 0 });
  const there = await tenant.client.listUsers({ offset: 0, limit: 10 });
  expect(users.map(({ user_id }) => user_id)).toEqual(there.users.map(({ user_id }) => user_id));
});

test('users of the first day still count as created later, since the earliest user counts, not that of the first row', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    await writeFile(job.file, content('ann', 'bob', 'cid'));
    let isFirstDay = true;
    const { tenant, clock } = await farTenant(({ user_name: name }) => isFirstDay && name === 'cid');
    const { importHashedUser: send, getUserByUserName: find } = tenant;
    const { code, message } = errorCatalogue.nameInvalid;
    tenant.importHashedUser = (user) =>
      isFirstDay && user.user_name === 'ann' ? Promise.reject(new ApiError(code, message, 400)) : send(user);
    tenant.getUserByUserName = (name) => (isFirstDay ? gone() : find(name));
    const first = await importFile(tenant, job);
    expect(first.summary).toMatchObject({ created: 1, failed: 1, unknown: 1 });
    isFirstDay = false;
    clock.time += 86_400_000;
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 3, existing: 0, found_by_look_up: 1 });
  });
});

test('for merged shards, the earliest user of all shards counts', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, content('ann', 'bob', 'cid', 'dan'));
    const shard = (index: number) => ({
      file,
      concurrency: 1,
      jobDirectory: join(directory, `job-${index}`),
      shard: { index, of: 2 },
    });
    let isLost = true;
    const { tenant, clock } = await farTenant(({ user_name: name }) => isLost && name === 'dan');
    const { getUserByUserName: find } = tenant;
    tenant.getUserByUserName = (name) => (isLost ? gone() : find(name));
    // The rows of the second shard are Bob and Dan; those of the first are imported a day later.
    expect((await importFile(tenant, shard(2))).summary).toMatchObject({ created: 1, unknown: 1 });
    isLost = false;
    clock.time += 86_400_000;
    expect((await importFile(tenant, shard(1))).summary).toMatchObject({ created: 2 });
    const whole = join(directory, 'whole');
    await mergeShards([shard(1).jobDirectory, shard(2).jobDirectory], whole, '1.0.0');
    const { summary } = await importFile(tenant, { file, jobDirectory: whole });
    expect(summary).toMatchObject({ created: 4, existing: 0, found_by_look_up: 1 });
  });
});

test.each([403, 500])(
  'if the first user of the job cannot be read (%i), a user who is found stays unknown',
  async (status) => {
    const { tenant } = await farTenant(({ user_name: name }) => name === 'bob');
    const getUser = () => Promise.reject(new ApiError('GATEWAY.7', 'not for you', status));
    const options = { concurrency: 1, clock: fastClock(50) };
    const { summary } = await runImport(content('ann', 'bob'), options, { ...tenant, getUser });
    expect(summary).toMatchObject({ created: 1, existing: 0, unknown: 1 });
  },
);

test('of two rows with one external ID that are sent together, none takes the user of the other', async () => {
  const tenant = await startTenant();
  const { importHashedUser: send, getUserByExternalId: find } = tenant;
  const [committed, found] = [new AbortController(), new AbortController()];
  const first = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const [isCommitted, isFound] = [first(committed.signal), first(found.signal)];
  let sent = 0;
  tenant.importHashedUser = async (user) => {
    sent += 1;
    if (sent > 1) return isCommitted.then(gone);
    const answer = await send(user);
    committed.abort();
    // The answer comes when the other row has found this user.
    await isFound;
    return answer;
  };
  tenant.getUserByExternalId = async (id) => {
    const user = await find(id);
    setTimeout(() => found.abort());
    return user;
  };
  const row = `E1,Ann Lee,md5,${goodHashes.md5}\n`;
  const { summary, users } = await runImport(
    `external_id,name,algorithm,hash\n${row}${row}`,
    { concurrency: 2, accept: ['DUPLICATE_EXTERNAL_ID'] },
    tenant,
  );
  expect(summary).toMatchObject({ rows: 2, failed: 0, pending: 0, unknown: 1 });
  expect(new Set(users.map(({ user_id: id }) => id)).size).toBe(users.length);
});
