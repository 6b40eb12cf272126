import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';
import { writeKeys } from '../../../write-keys.ts';

/** A world with two files of one name and their jobs, `east/job` and `west/job`. `sign`: signs the plan of a directory. */
async function twoJobs() {
  const world = await startWorld();
  const within = (...names: string[]) => join(world.directory, ...names);
  for (const [at, users] of Object.entries({ east: 'ann\n', west: 'bob\ncid\n' })) {
    await mkdir(within(at));
    await writeFile(within(at, 'staff.csv'), `user_name\n${users}`);
    const job = ['--job', within(at, 'job'), '--allow-passwordless'];
    await world.run('import-hashes', within(at, 'staff.csv'), ...job);
  }
  await writeKeys(world.directory);
  const sign = (directory: string) => world.run('plan', 'sign', directory, within('key.pem'));
  const planOf = (directory: string) => readFile(join(directory, 'plan.json'), 'utf8');
  return { world, within, sign, planOf };
}

test('a plan of another job or file is not replaced, whose name may be the same: exit code 3', async () => {
  const { world, within, planOf } = await twoJobs();
  const to = within('job.undo');
  await world.run('undo', within('east/job'), '--dry-run', '--to', to);
  const east = await planOf(to);
  const west = await world.run('undo', within('west/job'), '--dry-run', '--to', to);
  expect(west).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: expect.stringContaining(
      `${to}: it holds the undo of ${within('east/job')}, which was not carried out\nName another directory with --to. What that one would do: tenant-users plan show ${to}\n`,
    ),
  });
  const file = await world.run('plan', within('west/staff.csv'), '--to', to, '--allow-passwordless');
  expect(file).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('it holds the undo of') });
  expect(await planOf(to)).toBe(east);

  const plan = (at: string) =>
    world.run('plan', within(at, 'staff.csv'), '--to', within('plan'), '--allow-passwordless');
  await appendFile(within('east/staff.csv'), 'dan\n');
  expect(await plan('east')).toMatchObject({ exitCode: 0 });
  const other = await plan('west');
  expect(other).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(
      `it holds the plan of ${within('east/staff.csv')}, which was not carried out`,
    ),
  });
  const { made_at: madeAt } = JSON.parse(await planOf(within('plan')));
  expect(await plan('east')).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining(`It replaces the plan of ${madeAt}, which was not applied.\n`),
  });
});

test('a plan that changes nobody gives way to one of another file without a word', async () => {
  const { world, within, sign, planOf } = await twoJobs();
  const plan = (at: string) =>
    world.run('plan', within(at, 'staff.csv'), '--to', within('nightly'), '--allow-passwordless');
  expect(await plan('east')).toMatchObject({ exitCode: 0 });
  const next = await plan('west');
  expect(next).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('replaces') });
  expect(JSON.parse(await planOf(within('nightly')))).toMatchObject({
    file: { path: within('west/staff.csv') },
  });
  expect(await sign(within('nightly'))).toMatchObject({ exitCode: 0 });
  expect(await plan('east')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('which is signed'),
  });
});

test('a signed plan is not replaced by another one of the same file or job, nor is its signature lost', async () => {
  const { world, within, sign, planOf } = await twoJobs();
  const [undo, plan] = [within('job.undo'), within('plan')];
  const commands = {
    [undo]: ['undo', within('east/job'), '--to', undo],
    [plan]: ['plan', within('east/staff.csv'), '--to', plan, '--allow-passwordless'],
  };
  for (const [to, words] of Object.entries(commands)) {
    await world.run(...words, ...(to === undo ? ['--dry-run'] : []));
    expect(await sign(to)).toMatchObject({ exitCode: 0 });
    const signed = await planOf(to);
    const again = await world.run(...words);
    expect(again).toMatchObject({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringContaining('which is signed'),
    });
    expect([await planOf(to), existsSync(join(to, 'plan.sig'))]).toEqual([signed, true]);
  }
  const { users } = await world.client.listUsers({ offset: 0, limit: 10 });
  expect(users.filter(({ disabled }) => disabled)).toEqual([]);
});

test('whoever is asked reads the whole path of the job or file', async () => {
  const { world, within } = await twoJobs();
  const to = within('job.undo');
  await world.run('undo', within('east/job'), '--dry-run', '--to', to);
  const undo = await world.run('apply', to, '--yes');
  expect(undo.stderr).toContain(`Undo of ${within('east/job')}, planned `);
  await world.run('plan', within('west/staff.csv'), '--to', within('plan'), '--allow-passwordless');
  const applied = await world.run('apply', within('plan'), '--yes');
  expect(applied.stderr).toContain(`Plan of ${within('west/staff.csv')}, made `);
});
