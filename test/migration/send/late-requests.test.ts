import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NetworkError } from '../../../src/client/errors.ts';
import type { HashedUser } from '../../../src/contract/wire.ts';
import { applyPlan } from '../../../src/migration/apply-plan.ts';
import { makePlan } from '../../../src/migration/make-plan.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, runImport } from '../run-import.ts';
import { startTenant, type Tenant } from '../start-tenant.ts';

const fileOf = (...rows: string[]) =>
  `user_name,name,algorithm,hash\n${rows.map((row) => `${row},md5,${goodHashes.md5}\n`).join('')}`;
const facts = { target: { base_url: 'memory' }, version: '1.0.0', now: Date.now };

const gone = () => Promise.reject(new NetworkError('timeout', 'no answer', { effect: 'unknown' }));

/** Plans a file of one row. Returns the directory of the plan. */
async function planFor(tenant: Tenant, directory: string, row: string): Promise<string> {
  const file = join(directory, 'users.csv');
  await writeFile(file, fileOf(row));
  const to = join(directory, 'plan');
  await makePlan(tenant, { ...facts, update: 'all', by: 'user_name', file, reading: {}, directory: to });
  return to;
}

/** Calls of an import whose n-th request is executed only when `arrive` is called, or never. */
function lateRequests(client: Tenant) {
  const { importHashedUser: send } = client;
  let late: HashedUser | undefined;
  return {
    hold(user: HashedUser) {
      late = user;
      return gone();
    },
    async arrive() {
      const user = late;
      late = undefined;
      if (user) await send(user);
    },
    send,
  };
}

/**
 * A tenant in which the first request for Bob arrives after the look-up that finds nobody, and before the second
 * request.
 */
function tenantOfLateBob(client: Tenant) {
  const { hold, arrive, send } = lateRequests(client);
  let requests = 0;
  client.importHashedUser = async (user) => {
    if (user.user_name !== 'bob') return send(user);
    requests += 1;
    if (requests === 1) return hold(user);
    await arrive();
    return send(user);
  };
  return client;
}

test('if a request arrives after its look-up and before the row is sent again, the user counts as created by this job', async () => {
  const client = tenantOfLateBob(await startTenant());
  const content = fileOf('ann,', 'bob,');
  const { summary, users } = await runImport(content, { concurrency: 1 }, client);
  expect(summary).toMatchObject({ created: 2, existing: 0, found_by_look_up: 1, unknown: 0 });
  expect(users).toMatchObject([{ found_by_look_up: '' }, { result: 'created', found_by_look_up: 'true' }]);
});

test('such a row is looked up by the next run if the look-ups after "already exists" are not answered', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    await writeFile(job.file, fileOf('ann,', 'bob,'));
    const client = tenantOfLateBob(await startTenant());
    const { getUserByUserName: find } = client;
    let asked = 0;
    client.getUserByUserName = (name) => {
      asked += 1;
      return asked === 1 ? find(name) : gone();
    };
    expect((await importFile(client, job)).summary).toMatchObject({ created: 1, unknown: 1, failed: 0 });
    client.getUserByUserName = find;
    const { summary } = await importFile(client, job);
    expect(summary).toMatchObject({ created: 2, existing: 0, found_by_look_up: 1 });
  });
});

test('a row whose last attempts did not reach the service is unknown if an earlier attempt may have', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    await writeFile(job.file, fileOf('ann,', 'bob,'));
    const client = await startTenant();
    const { hold, arrive, send } = lateRequests(client);
    let requests = 0;
    client.importHashedUser = (user) => {
      if (user.user_name === 'ann') return send(user);
      requests += 1;
      if (requests === 1) return hold(user);
      return Promise.reject(new NetworkError('notTheApi', 'a login page', { effect: 'none', status: 200 }));
    };
    const { summary } = await importFile(client, job);
    expect(summary).toMatchObject({ created: 1, failed: 0, unknown: 1, codes: { NO_ANSWER: 1 } });
    await arrive();
    client.importHashedUser = send;
    const again = await importFile(client, job);
    expect(again.summary).toMatchObject({ created: 2, existing: 0, found_by_look_up: 1 });
  });
});

test('an update that arrives late is not drift, although the last attempt did not reach the service', async () => {
  await inDirectory(async (directory) => {
    const tenant = await startTenant();
    await tenant.client.createUser({ user_name: 'ann', name: 'Old' });
    const jobDirectory = await planFor(tenant, directory, 'ann,New');
    const { updateUser, disableUser } = tenant.client.withoutRetries();
    let isLate = false;
    const late = () => {
      if (isLate) return Promise.reject(new NetworkError('notTheApi', 'a login page', { effect: 'none' }));
      isLate = true;
      return gone();
    };
    const options = { ...facts, jobDirectory };
    const first = await applyPlan({ ...tenant, disableUser, updateUser: late }, options);
    expect(first.summary).toMatchObject({ updated: 0, failed: 0, unknown: 1 });
    const { user_id: id } = await tenant.client.getUserByUserName('ann');
    await updateUser(id, { name: 'New' });
    const { summary } = await applyPlan({ ...tenant, disableUser, updateUser }, options);
    expect(summary).toMatchObject({ updated: 1, conflict: 0, unknown: 0 });
  });
});

test('a create that arrives after its look-up, before it is sent again, is not drift', async () => {
  await inDirectory(async (directory) => {
    const tenant = tenantOfLateBob(await startTenant());
    const jobDirectory = await planFor(tenant, directory, 'bob,Bob');
    const { updateUser, disableUser } = tenant.client.withoutRetries();
    const client = { ...tenant, updateUser, disableUser };
    const { summary, stoppedBy } = await applyPlan(client, { ...facts, jobDirectory });
    expect(stoppedBy).toBeUndefined();
    expect(summary).toMatchObject({ created: 1, conflict: 0, failed: 0 });
  });
});
