import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { NetworkError } from '../../../src/client/errors.ts';
import { systemClock } from '../../../src/client/retry.ts';
import type { HashedUser } from '../../../src/contract/wire.ts';
import { lookAtMembers, type MemberReader, openCohort } from '../../../src/migration/cohort/open-cohort.ts';
import { createRunControl } from '../../../src/migration/send/call-api.ts';
import { fastClock } from '../../clocks.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant, type Tenant } from '../start-tenant.ts';
import { notDisabledJob } from './not-disabled-job.ts';

const md5 = goodHashes.md5;

/** A tenant with other users, and a job that created the given number of its users. */
async function jobOf(directory: string, created: number, others: number) {
  const tenant = await startTenant();
  for (let at = 0; at < others; at += 1) await tenant.client.createUser({ user_name: `other${at}` });
  const file = join(directory, 'users.csv');
  const rows = Array.from({ length: created }, (_, at) => `user${at},md5,${md5}\n`);
  await writeFile(file, `user_name,algorithm,hash\n${rows.join('')}`);
  const jobDirectory = join(directory, 'job');
  const { summary } = await importFile(tenant, { file, jobDirectory });
  expect(summary.created).toBe(created);
  return { tenant, jobDirectory };
}

/** Counts the calls of each kind. */
function counting(tenant: Tenant) {
  const calls = { listUsers: 0, getUser: 0 };
  const reader: MemberReader = {
    listUsers: (query) => {
      calls.listUsers += 1;
      return tenant.listUsers(query);
    },
    getUser: (id) => {
      calls.getUser += 1;
      return tenant.getUser(id);
    },
  };
  return { calls, reader };
}

const control = () => createRunControl({ clock: systemClock, concurrency: 4 });

test('members are read in the cheaper way, with the same result', async () => {
  for (const [created, others, listing] of [
    [30, 20, true],
    [3, 250, false],
  ] as const) {
    await inDirectory(async (directory) => {
      const { tenant, jobDirectory } = await jobOf(directory, created, others);
      const { calls, reader } = counting(tenant);
      const cohort = await openCohort(jobDirectory);
      const { users, reason } = await lookAtMembers(cohort, reader, control());
      expect(users).toBe(created + others);
      expect(reason).toMatch(listing ? /^a complete listing/ : /^look-ups/);
      expect(calls.getUser).toBe(listing ? 0 : created);
      expect(cohort.counts()).toEqual([
        { algorithm: 'md5', created, logged_in: 0, never: created, disabled: 0, gone: 0 },
      ]);
      expect([...cohort.members()].flat().map(({ user }) => user?.user_name)).toEqual(
        Array.from({ length: created }, (_, at) => `user${at}`),
      );
      cohort.close();
    });
  }
});

test('a member who is missing in the pages is looked up by id, and a member who is not found is gone', async () => {
  await inDirectory(async (directory) => {
    const { tenant, jobDirectory } = await jobOf(directory, 30, 0);
    const { calls, reader } = counting(tenant);
    const lost = (await tenant.client.getUserByUserName('user7')).user_id;
    const gone = (await tenant.client.getUserByUserName('user8')).user_id;
    const cohort = await openCohort(jobDirectory);
    const { listUsers, getUser } = reader;
    reader.listUsers = async (query) => {
      const page = await listUsers(query);
      return { ...page, users: page.users.filter(({ user_id: id }) => id !== lost && id !== gone) };
    };
    reader.getUser = (id) => getUser(id === gone ? 'nobody' : id);
    await lookAtMembers(cohort, reader, control());
    expect(calls.getUser).toBe(2);
    expect(cohort.counts()).toMatchObject([{ created: 30, never: 29, gone: 1 }]);
    cohort.close();
  });
});

test('a second look reads only members who had not logged in', async () => {
  await inDirectory(async (directory) => {
    const { tenant, jobDirectory } = await jobOf(directory, 3, 250);
    const { calls, reader } = counting(tenant);
    const { getUser } = reader;
    const active = (await tenant.client.getUserByUserName('user1')).user_id;
    reader.getUser = async (id) => {
      const user = await getUser(id);
      return id === active ? { ...user, usr_auth_times: '2' } : user;
    };
    const cohort = await openCohort(jobDirectory);
    for (const asked of [3, 5, 7]) {
      await lookAtMembers(cohort, reader, control());
      expect(calls.getUser).toBe(asked);
      expect(cohort.counts()).toMatchObject([{ created: 3, logged_in: 1, never: 2 }]);
    }
    cohort.close();
  });
});

test('a user whose disabling failed after the create belongs to the job, even after a retry of the row', async () => {
  await inDirectory(async (directory) => {
    const { tenant, failing, options } = await notDisabledJob(directory, 'user_name');
    const { jobDirectory } = options;
    for (const mode of [undefined, 'only failed'] as const) {
      const { summary } = await importFile(failing, { ...options, mode });
      expect(summary).toMatchObject({ created: 0, codes: { NOT_DISABLED: 1 } });
      const cohort = await openCohort(jobDirectory);
      const { user_id: ann } = await tenant.client.getUserByUserName('ann');
      expect([...cohort.members()]).toEqual([[{ user_id: ann, algorithm: 'md5', user: undefined }]]);
      cohort.close();
    }
    // The job created the user, so it completes the row, and the user does not stay enabled.
    const { summary } = await importFile(tenant, { ...options, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 1, existing: 0, failed: 0 });
    const { user_id: ann, disabled } = await tenant.client.getUserByUserName('ann');
    expect(disabled).toBe(true);
    const cohort = await openCohort(jobDirectory);
    expect([...cohort.members()]).toEqual([[{ user_id: ann, algorithm: 'md5', user: undefined }]]);
    cohort.close();
  });
});

test.each(['external_id', 'name'])(
  'a row with %s only, whose user stayed enabled, is not sent again, and the user is disabled',
  async (field) => {
    await inDirectory(async (directory) => {
      const { tenant, failing, options } = await notDisabledJob(directory, field);
      const { summary: first } = await importFile(failing, options);
      expect(first).toMatchObject({ created: 0, codes: { NOT_DISABLED: 1 } });
      const { summary } = await importFile(tenant, { ...options, mode: 'only failed' });
      const { users, total } = await tenant.client.listUsers({ offset: 0, limit: 10 });
      expect(total).toBe(1);
      expect(summary).toMatchObject({ created: 1, failed: 0, unknown: 0 });
      expect(users).toMatchObject([{ disabled: true }]);
      const cohort = await openCohort(options.jobDirectory);
      expect(cohort.size).toBe(1);
      cohort.close();
    });
  },
);

test('a user who stayed enabled belongs to its row, although another row has the same external ID', async () => {
  await inDirectory(async (directory) => {
    const { tenant, options } = await notDisabledJob(directory, 'external_id');
    await writeFile(options.file, `login,pwd,off\nann,${md5},1\nann,${md5},1\n`);
    let sent = 0;
    const lost = new NetworkError('timeout', 'no answer', { effect: 'unknown' });
    const failing = {
      ...tenant,
      importHashedUser: (user: HashedUser) => {
        sent += 1;
        return sent === 1 ? Promise.reject(lost) : tenant.importHashedUser(user);
      },
      disableUser: () => Promise.reject(new Error('down')),
    };
    const twins = { ...options, accept: ['DUPLICATE_EXTERNAL_ID'], concurrency: 1 } as const;
    const { summary: first } = await importFile(failing, twins);
    expect(first).toMatchObject({ rows: 2, unknown: 1, codes: { NOT_DISABLED: 1 } });
    // Two minutes later no request can arrive any more, so the rows are looked up in their order.
    const again = { ...twins, mode: 'only failed' as const, now: () => Date.now() + 120_000 };
    const { summary } = await importFile(tenant, again);
    expect(summary).toMatchObject({ created: 1, unknown: 1, failed: 0 });
    const [row] = parse(await readFile(join(options.jobDirectory, 'users.csv')), { columns: true });
    expect(row).toMatchObject({ row: '2' });
    const { users } = await tenant.client.listUsers({ offset: 0, limit: 10 });
    expect(users).toMatchObject([{ disabled: true }]);
  });
});

test('a row with an external ID only, whose user existed before and stays enabled, is not sent on a retry', async () => {
  await inDirectory(async (directory) => {
    const { tenant, options } = await notDisabledJob(directory, 'external_id');
    const lost = () => Promise.reject(new NetworkError('timeout', 'no answer', { effect: 'unknown' }));
    const unanswered = { ...tenant, importHashedUser: lost };
    expect((await importFile(unanswered, options)).summary).toMatchObject({ unknown: 1 });
    await tenant.client.createUser({ external_id: 'ann' });
    const clock = fastClock(1000);
    for (const mode of [undefined, 'only failed'] as const) {
      const { summary } = await importFile(tenant, { ...options, clock, mode });
      expect(summary).toMatchObject({ created: 0, codes: { NOT_DISABLED: 1 } });
    }
    expect((await tenant.client.listUsers({ offset: 0, limit: 10 })).total).toBe(1);
  });
});
