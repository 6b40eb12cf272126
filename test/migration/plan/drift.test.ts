import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '../../../src/client/errors.ts';
import { errorCatalogue, localErrors } from '../../../src/contract/errors.ts';
import { applyPlan } from '../../../src/migration/apply-plan.ts';
import { makePlan } from '../../../src/migration/make-plan.ts';
import { adviseNext } from '../../../src/migration/report/texts/advice.ts';
import { jumpingClock } from '../../clocks.ts';
import { inDirectory } from '../run-import.ts';
import { countingTenant, facts, inHongKong, planFor } from './counting-tenant.ts';

test('all users who drifted while others were under way are named, and the command that goes on accepts them', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const to = await planFor(tenant, directory, 40);
    const changed = ['user0', 'user2', 'user4'];
    for (const name of changed) {
      const { user_id: id } = await tenant.client.getUserByUserName(name);
      await tenant.client.updateUser(id, { name: 'Somebody Else' });
    }
    const { getUser } = tenant;
    let [waiting, goOn] = [0, () => {}];
    const allRead = new Promise<void>((resolve) => (goOn = resolve));
    // Nobody is answered before all three are read.
    tenant.getUser = async (id) => {
      waiting += 1;
      if (waiting === changed.length) goOn();
      await allRead;
      return getUser(id);
    };
    const command = (...more: string[]) => ({
      words: ['--profile', 'prod', 'apply', 'x.plan', ...more],
      rehearsal: [],
      connection: [],
      consent: [],
    });
    const options = { ...facts, jobDirectory: to, concurrency: 10, command: command() };
    const { summary, stoppedBy } = await applyPlan(tenant, options);
    expect(summary.codes).toEqual({ DRIFT: 3 });
    expect(stoppedBy).toMatchObject({
      code: 'DRIFT',
      message: '3 users met so far are no longer as the plan saw them, and 0 may be',
      hint: expect.stringContaining(
        'The users of the actions left were not looked at. Make a new plan in another directory (--to), or go on with --accept-drift 3 or more.',
      ),
    });
    const goOnCommand = 'tenant-users --profile prod apply x.plan --rate 5/s --accept-drift 3';
    for (const given of [[], ['--accept-drift', '2'], ['--accept-drift=1']]) {
      expect(adviseNext(summary, command(...given, '--rate', '5/s'))).toEqual([
        { text: expect.stringContaining('rerun with --accept-drift 3'), commands: [goOnCommand] },
      ]);
    }
    // The run was not stopped by drift.
    expect(adviseNext(summary, command('--accept-drift', '3'))).toEqual([
      {
        text: expect.stringContaining('Rerun the same command to go on'),
        commands: ['tenant-users --profile prod apply x.plan --accept-drift 3'],
      },
    ]);
    const report = await readFile(join(to, 'report.html'), 'utf8');
    expect(report).toContain('tenant-users --profile prod apply x.plan --accept-drift 3</code>');
    expect(report).not.toContain('same command');
    const again = await applyPlan(tenant, { ...options, acceptedDrift: 3 });
    expect(again.stoppedBy).toBeUndefined();
    expect(again.summary).toMatchObject({ created: 20, updated: 17, disabled: 20, conflict: 3, pending: 0 });
  });
});

test('users who are as the plan wants them by now are left as they are, and have not drifted', async () => {
  await inDirectory(async (directory) => {
    const { tenant, calls } = await countingTenant();
    const to = await planFor(tenant, directory, 6);
    const copy = join(directory, 'copy');
    await cp(to, copy, { recursive: true });
    await applyPlan(tenant, { ...facts, jobDirectory: copy });
    expect(calls.splice(0)).toHaveLength(6);
    const { summary, stoppedBy } = await applyPlan(tenant, { ...facts, jobDirectory: to, acceptedDrift: 3 });
    expect(stoppedBy).toBeUndefined();
    // Whether a user who was created meanwhile has the hash of the row is not known.
    expect(summary).toMatchObject({ existing: 6, updated: 0, disabled: 0, conflict: 3, codes: { DRIFT: 3 } });
    expect(calls).toEqual([]);
  });
});

test('if the last user has drifted, there is nothing to go on with', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const [file, to] = [join(directory, 'users.csv'), join(directory, 'plan')];
    const { user_id: id } = await tenant.client.createUser({ user_name: 'ann' });
    await writeFile(file, 'user_name,name\nann,Ann\n');
    const how = { by: 'user_name', update: 'all', reading: { allowPasswordless: true } } as const;
    await makePlan(tenant, { ...facts, ...how, file, directory: to });
    await tenant.client.updateUser(id, { name: 'Somebody Else' });
    const { stoppedBy } = await applyPlan(tenant, { ...facts, jobDirectory: to });
    expect(stoppedBy).toMatchObject({
      code: 'DRIFT',
      hint: expect.stringContaining('All other actions were carried out. For these users, make a new plan'),
    });
  });
});

/** A call that the tenant puts off for an hour, in which something happens, before it is made. */
function putOff<Args extends unknown[], Answer>(
  call: (...args: Args) => Promise<Answer>,
  meanwhile: () => Promise<unknown>,
) {
  let isPutOff = false;
  return async (...args: Args) => {
    if (isPutOff) return call(...args);
    isPutOff = true;
    await meanwhile();
    throw new NetworkError('throttled', 'limits the rate', {
      ...{ effect: 'none', status: 429, retryAfter: 3_600_000 },
    });
  };
}

test('a user who is changed while the tenant puts an update off is compared with the plan again', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const [file, to] = [join(directory, 'users.csv'), join(directory, 'plan')];
    const { user_id: id } = await tenant.client.createUser({ user_name: 'ann' });
    await tenant.client.createUser({ user_name: 'bob' });
    await writeFile(file, 'user_name,name\nann,Ann\nbob,Bob\n');
    const how = { by: 'user_name', update: 'all', reading: { allowPasswordless: true } } as const;
    await makePlan(tenant, { ...facts, ...how, file, directory: to });
    const updateUser = putOff(tenant.updateUser, () =>
      tenant.client.updateUser(id, { name: 'Somebody Else' }),
    );
    const options = { ...facts, jobDirectory: to, clock: jumpingClock(), concurrency: 1, acceptedDrift: 1 };
    const { summary } = await applyPlan({ ...tenant, updateUser }, options);
    expect(summary).toMatchObject({ updated: 1, conflict: 1, codes: { DRIFT: 1 } });
    expect(await tenant.client.getUser(id)).toMatchObject({ name: 'Somebody Else' });
  });
});

const { code, message } = localErrors.systemBusy;

test.each([
  ['gets no answer', new NetworkError('timeout', 'no answer', { effect: 'none' })],
  ['fails', new ApiError(code, message, 500)],
])('if the second look-up of a row that was put off %s, nothing was sent for it', async (_, failure) => {
  await inDirectory(async (directory) => {
    const { tenant, calls } = await countingTenant();
    const [file, to] = [join(directory, 'users.csv'), join(directory, 'plan')];
    await tenant.client.createUser({ external_id: 'e-0', name: 'Old' });
    await writeFile(file, 'external_id,name\ne-0,Ann\ne-1,Bob\n');
    const how = { by: 'external_id', update: 'all', reading: { allowPasswordless: true } } as const;
    await makePlan(tenant, { ...facts, ...how, file, directory: to });
    let isPutOff = false;
    const failing = async () => {
      isPutOff = true;
    };
    const failsThen =
      <Id, Answer>(call: (id: Id) => Promise<Answer>) =>
      (id: Id) =>
        isPutOff ? Promise.reject(failure) : call(id);
    const client = {
      ...tenant,
      updateUser: putOff(tenant.updateUser, failing),
      importHashedUser: putOff(tenant.importHashedUser, failing),
      getUser: failsThen(tenant.getUser),
      getUserByExternalId: failsThen(tenant.getUserByExternalId),
    };
    const options = { ...facts, jobDirectory: to, clock: jumpingClock(), concurrency: 2 };
    const { summary } = await applyPlan(client, options);
    expect({ unsent: summary.failed + summary.pending, unknown: summary.unknown }).toEqual({
      unsent: 2,
      unknown: 0,
    });
    expect([calls, tenant.sent]).toEqual([[], []]);
    expect((await applyPlan(tenant, options)).summary).toMatchObject({ created: 1, updated: 1, failed: 0 });
  });
});

test('an external ID that is taken while the tenant puts a create off is looked up again', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const [file, to] = [join(directory, 'users.csv'), join(directory, 'plan')];
    await writeFile(file, 'external_id,name\ne-1,Ann\ne-2,Bob\n');
    await makePlan(tenant, { ...facts, file, reading: { allowPasswordless: true }, directory: to });
    const create = () => tenant.client.createUser({ external_id: 'e-1', name: 'Ann' });
    const importHashedUser = putOff(tenant.importHashedUser, create);
    const options = { ...facts, jobDirectory: to, clock: jumpingClock(), concurrency: 1, acceptedDrift: 1 };
    const { summary } = await applyPlan({ ...tenant, importHashedUser }, options);
    expect(summary).toMatchObject({ created: 1, conflict: 1, codes: { DRIFT: 1 } });
    expect((await tenant.client.listUsers({ offset: 0, limit: 10 })).total).toBe(2);
  });
});

test('a tenant that puts off every third call for longer than an answer is relied on does not hold a plan up', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const to = await planFor(tenant, directory, 12);
    const ended = new AbortController();
    let calls = 0;
    const limited =
      <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
      async (...args: Args) => {
        calls += 1;
        if (calls >= 400) ended.abort();
        if (calls % 3 > 0) return call(...args);
        throw new NetworkError('throttled', 'limits the rate', {
          ...{ effect: 'none', status: 429, retryAfter: 6000 },
        });
      };
    const client = {
      ...tenant,
      getUser: limited(tenant.getUser),
      updateUser: limited(tenant.updateUser),
      disableUser: limited(tenant.disableUser),
    };
    const options = { ...facts, jobDirectory: to, clock: jumpingClock(), concurrency: 12 };
    const { summary } = await applyPlan(client, { ...options, signal: ended.signal });
    expect(summary).toMatchObject({ created: 6, updated: 6, disabled: 6, pending: 0 });
  });
});

test('a create has drifted if a user of another row, whom the plan leaves alone, got an identifier of it', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant(Date.now, inHongKong);
    const [file, to] = [join(directory, 'users.csv'), join(directory, 'plan')];
    const { user_id: ann } = await tenant.client.createUser({ user_name: 'ann' });
    // For this tenant, the numbers of cid and dan are one: that clash is in the file.
    const rows = ['ann,,', 'bob,b@x.example,', 'cid,,91234567', 'dan,,852-91234567'];
    await writeFile(file, ['user_name,email,mobile', ...rows, ''].join('\n'));
    await makePlan(tenant, { ...facts, file, reading: { allowPasswordless: true }, directory: to });
    await tenant.client.updateUser(ann, { email: 'b@x.example' });
    const options = { ...facts, jobDirectory: to, acceptedDrift: 1, concurrency: 1 };
    const { summary } = await applyPlan(tenant, options);
    expect(summary).toMatchObject({ existing: 1, created: 1, conflict: 2 });
    expect(summary.codes).toMatchObject({ DRIFT: 1 });
  });
});

test('a user who is gone from the tenant when the change arrives has drifted', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const to = await planFor(tenant, directory, 2);
    const updateUser: typeof tenant.updateUser = async () => {
      const { code } = errorCatalogue.userNotFound;
      throw new ApiError(code, 'User not found', 400);
    };
    const options = { ...facts, jobDirectory: to, acceptedDrift: 1 };
    const { summary, stoppedBy } = await applyPlan({ ...tenant, updateUser }, options);
    expect(stoppedBy).toBeUndefined();
    expect(summary).toMatchObject({ created: 1, conflict: 1, disabled: 1, codes: { DRIFT: 1 } });
  });
});
