import { cpSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiError } from '../../src/client/errors.ts';
import { adviseNext } from '../../src/migration/report/texts/advice.ts';
import { goodHashes } from './hashes.ts';
import { forgetOutcomes } from './journal/forget-outcomes.ts';
import { recipeOf } from './recipes/recipe-of.ts';
import { importFile, inDirectory } from './run-import.ts';
import { startTenant, type Tenant } from './start-tenant.ts';

const recipeBy = (key: string, more = '') =>
  recipeOf(`
fields: { ${key}: { column: id }${more} }
password: { column: hash, algorithm: { value: md5 } }
disable: { where: { column: status, in: [L] } }
`);
const recipe = recipeBy('external_id');
const fileOf = (users: object) =>
  Object.entries(users).reduce(
    (text, [id, status]) => `${text}${id},${status},${goodHashes.md5}\n`,
    'id,status,hash\n',
  );
const disabledIn = async (tenant: Tenant) => {
  const { users } = await tenant.client.listUsers({ offset: 0, limit: 10 });
  return users.filter(({ disabled }) => disabled).map((user) => user.external_id ?? user.user_name);
};

test.each(['before', 'after'])(
  'a kill %s the call that disables a user whom an earlier run could not disable loses nobody',
  async (when) => {
    await inDirectory(async (directory) => {
      const [file, killed] = [join(directory, 'users.csv'), join(directory, 'killed')];
      const job = { file, jobDirectory: join(directory, 'job'), recipe: await recipe };
      await writeFile(file, fileOf({ 1: 'L', 2: 'A' }));
      const tenant = await startTenant();
      const broken = { ...tenant, disableUser: () => Promise.reject(new Error('broken')) };
      expect((await importFile(broken, job)).summary).toMatchObject({ created: 1, failed: 1 });

      await writeFile(file, fileOf({ 2: 'A', 1: 'L' }));
      const disable = tenant.client.disableUser;
      const disableUser = async (id: string) => {
        const answer = when === 'after' ? await disable(id) : undefined;
        cpSync(job.jobDirectory, killed, { recursive: true });
        if (!answer) throw new Error('killed before');
        return answer;
      };
      await importFile({ ...tenant, disableUser }, { ...job, mode: 'only failed' });

      const next = { ...job, jobDirectory: killed, mode: 'only failed' as const };
      expect((await importFile(tenant, next)).summary).toMatchObject({ created: 2, codes: {} });
      expect(tenant.sent).toHaveLength(2);
      expect(await disabledIn(tenant)).toEqual(['1']);
    });
  },
);

test('a user who was there before is not disabled by a corrected file, although a row of the job had no answer', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const job = { file, jobDirectory: join(directory, 'job'), recipe: await recipeBy('user_name') };
    const tenant = await startTenant();
    await writeFile(file, fileOf({ ann: 'A', zoe: 'A', bob: 'A' }));
    const importHashedUser: Tenant['importHashedUser'] = async (user) => {
      // She registers just before her row is sent.
      if (user.user_name === 'zoe') await tenant.client.createUser({ user_name: 'zoe' });
      return tenant.importHashedUser(user);
    };
    const first = await importFile({ ...tenant, importHashedUser }, { ...job, concurrency: 1 });
    expect(first.summary).toMatchObject({ created: 2, existing: 1 });
    await forgetOutcomes(job.jobDirectory, 2);
    const killed = join(directory, 'killed');
    const cutOff: Tenant['getUserByUserName'] = (name) =>
      tenant.getUserByUserName(name).finally(() => cpSync(job.jobDirectory, killed, { recursive: true }));
    const again = async (zoe: string, jobDirectory = job.jobDirectory) => {
      await writeFile(file, fileOf({ ann: 'A', zoe, bob: 'A' }));
      const client = { ...tenant, getUserByUserName: cutOff };
      return (await importFile(client, { ...job, jobDirectory, mode: 'only failed' })).summary;
    };
    const sent = tenant.sent.length;
    const left = await again('L');
    expect(left).toMatchObject({ created: 2, existing: 0, failed: 1, codes: { NOT_DISABLED: 1 } });
    expect([await disabledIn(tenant), tenant.sent.length]).toEqual([[], sent]);
    expect(await again('A')).toMatchObject({ created: 2, existing: 1, codes: {} });
    expect(await again('A', killed)).toMatchObject({ created: 2, existing: 1, codes: {} });
  });
});

test.each([
  { what: 'the status', later: 'L', more: '', back: { existing: 0, codes: { NOT_DISABLED: 1 } } },
  {
    what: 'the recipe',
    later: 'A',
    more: ', pwd_must_modify: { value: false }',
    back: { existing: 1, codes: {} },
  },
])(
  'a user who was there before and has another name now is not created again if $what has changed',
  async ({ later, more, back }) => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'users.csv');
      const job = { file, jobDirectory: join(directory, 'job') };
      const tenant = await startTenant();
      const { user_id: id } = await tenant.client.createUser({ user_name: 'ann' });
      await writeFile(file, fileOf({ ann: 'A', bob: 'A' }));
      const first = await importFile(tenant, { ...job, recipe: await recipeBy('user_name') });
      expect(first.summary).toMatchObject({ created: 1, existing: 1 });
      const sent = tenant.sent.length;
      await tenant.client.updateUser(id, { user_name: 'ann.lee' });
      await writeFile(file, fileOf({ ann: later, bob: 'A', cid: 'A' }));
      const again = async () => {
        const options = { ...job, recipe: await recipeBy('user_name', more), mode: 'only failed' as const };
        return (await importFile(tenant, options)).summary;
      };
      for (const _ of ['with the corrected file', 'with the same file again']) {
        const summary = await again();
        expect(summary).toMatchObject({ created: 2, existing: 0, conflict: 1, codes: { OTHER_NAMES: 1 } });
        expect(summary.without_row).toBeUndefined();
        const [text, ...more] = adviseNext(summary, undefined).map((step) => step.text);
        expect(text).toBe(
          'Look at the 1 row whose user was there before and cannot be found now (OTHER_NAMES in failures.csv). No rerun creates anybody for it.',
        );
        expect(more.join()).not.toContain('only failed');
        const failures = await readFile(join(job.jobDirectory, 'failures.csv'), 'utf8');
        expect(failures).toContain('give the user the identifiers and the name of the row');
        expect(failures).toContain(`import the row as a file of its own.",${id},user_name=ann\n`);
        expect(failures).not.toContain('--key external_id');
      }
      expect((await tenant.client.listUsers({ offset: 0, limit: 10 })).total).toBe(3);
      await tenant.client.updateUser(id, { user_name: 'ann' });
      expect(await again()).toMatchObject({ created: 2, conflict: 0, ...back });
      expect([await disabledIn(tenant), tenant.sent.length]).toEqual([[], sent + 1]);
    });
  },
);

test('a user who was there before and cannot be looked up is not reached: nothing was sent', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const recipe = await recipeBy('user_name', ', pwd_must_modify: { value: false }');
    const job = { file, jobDirectory: join(directory, 'job') };
    const tenant = await startTenant();
    await tenant.client.createUser({ user_name: 'ann' });
    await writeFile(file, fileOf({ ann: 'A', bob: 'A' }));
    const first = await importFile(tenant, { ...job, recipe: await recipeBy('user_name') });
    expect(first.summary).toMatchObject({ created: 1, existing: 1 });
    const sent = tenant.sent.length;
    await writeFile(file, fileOf({ ann: 'A', bob: 'A', cid: 'A' }));
    const getUserByUserName = () => Promise.reject(new ApiError('SVC.ODD.1', 'odd', 400));
    const { summary } = await importFile(
      { ...tenant, getUserByUserName },
      { ...job, recipe, mode: 'only failed' },
    );
    expect(summary).toMatchObject({ created: 2, failed: 1, unknown: 0, codes: { NOT_REACHED: 1 } });
    const failures = await readFile(join(job.jobDirectory, 'failures.csv'), 'utf8');
    expect(failures).toContain('the user could not be read: odd (SVC.ODD.1)');

    // By the same command without --only failed, too: she is still known to have been there before.
    const again = await importFile(tenant, { ...job, recipe });
    expect(again.summary).toMatchObject({ created: 2, existing: 1, failed: 0 });
    expect(tenant.sent.length).toBe(sent + 1);
  });
});

test('somebody who registers while a user stays enabled is not taken for a user of the job', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const job = { file, jobDirectory: join(directory, 'job'), recipe: await recipeBy('user_name') };
    const tenant = await startTenant();
    await writeFile(file, fileOf({ ann: 'A', bob: 'L' }));
    const disableUser = () => Promise.reject(new Error('broken'));
    const first = await importFile({ ...tenant, disableUser }, job);
    expect(first.summary).toMatchObject({ created: 1, codes: { NOT_DISABLED: 1 } });
    await tenant.client.createUser({ user_name: 'zoe' });
    await writeFile(file, fileOf({ ann: 'A', bob: 'L', zoe: 'L' }));
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 2, failed: 1, codes: { NOT_DISABLED: 1 } });
    expect(await disabledIn(tenant)).toEqual(['bob']);
  });
});

test('a user whom a killed run of the corrected file created is not taken for somebody who was there before', async () => {
  await inDirectory(async (directory) => {
    const [file, killed] = [join(directory, 'users.csv'), join(directory, 'killed')];
    const withIds = await recipeOf(`
fields: { user_name: { column: name }, external_id: { column: id } }
password: { column: hash, algorithm: { value: md5 } }
disable: { where: { column: status, in: [L] } }
`);
    const job = { file, jobDirectory: join(directory, 'job'), recipe: withIds };
    const tenant = await startTenant();
    const write = (id: string, status: string) =>
      writeFile(file, `name,id,status,hash\nann,${id},${status},${goodHashes.md5}\n`);
    await write('1', 'A');
    await importFile(tenant, job);
    const { users } = await tenant.client.listUsers({ offset: 0, limit: 10 });
    await tenant.client.updateUser(users[0]?.user_id ?? '', { user_name: 'ann.old' });

    await write('9', 'L');
    const again = { ...job, accept: ['KEY_CHANGED' as const], mode: 'only failed' as const };
    const importHashedUser: Tenant['importHashedUser'] = async (user) => {
      const answer = await tenant.importHashedUser(user);
      cpSync(job.jobDirectory, killed, { recursive: true });
      return answer;
    };
    const disableUser = () => Promise.reject(new Error('killed before'));
    await importFile({ ...tenant, importHashedUser, disableUser }, again);

    const { summary } = await importFile(tenant, { ...again, jobDirectory: killed });
    expect([summary.failed, summary.codes]).toEqual([0, {}]);
    expect(await disabledIn(tenant)).toEqual(['9']);
  });
});

test('a row without an answer of which only the status has changed is looked up, and nobody is disabled', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const job = { file, jobDirectory: join(directory, 'job'), recipe: await recipeBy('user_name') };
    const tenant = await startTenant();
    await writeFile(file, fileOf({ ann: 'A', bob: 'A' }));
    await importFile(tenant, job);
    await forgetOutcomes(job.jobDirectory, 1);
    await writeFile(file, fileOf({ ann: 'A', bob: 'L' }));
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 2, existing: 0, codes: { DISABLE: 1 } });
    expect(tenant.sent).toHaveLength(2);
    expect(await disabledIn(tenant)).toEqual([]);
  });
});
