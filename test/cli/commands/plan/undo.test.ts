import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from '../../../../src/migration/plan/document/plan-schemas.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { device } from '../../../test-service.ts';
import { startWorld, type TestWorld } from '../../../world.ts';

const md5OfPassword = '5f4dcc3b5aa765d61d8327deb882cf99';
const header = 'user_name,name,pwd_must_modify,algorithm,hash\n';
const rowOf = (name: string, shown = name) => `${name},${shown},false,md5,${md5OfPassword}\n`;

/** A world with ann and zoe as existing users, and a job that created these users; ann is in its file as well. */
async function imported(...names: string[]) {
  const time = { passed: 0 };
  const world = await startWorld({ now: () => Date.now() + time.passed });
  await world.client.createUser({ user_name: 'ann', name: 'ann' });
  await world.client.createUser({ user_name: 'zoe', name: 'Zoe' });
  const file = join(world.directory, 'legacy.csv');
  const job = join(world.directory, 'job');
  await writeFile(file, header + ['ann', ...names].map((name) => rowOf(name)).join(''));
  expect(await world.run('import-hashes', file, '--job', job)).toMatchObject({ exitCode: 0 });
  const to = join(world.directory, 'undo');
  const undo = (...more: string[]) => world.run('undo', job, '--to', to, ...more);
  return { world, time, file, job, to, undo };
}

async function disabledOf(world: TestWorld): Promise<string[]> {
  const { users } = await world.client.listUsers({ offset: 0, limit: 100 });
  return users.flatMap(({ user_name: name, disabled }) => (disabled ? [name] : [])).sort();
}

/** Changes a user a minute later, since the tenant shows times in seconds. */
async function changeName(
  { world, time }: Pick<Awaited<ReturnType<typeof imported>>, 'world' | 'time'>,
  name: string,
) {
  const { user_id: id } = await world.client.getUserByUserName(name);
  time.passed += 60_000;
  await world.client.updateUser(id, { name: 'Another' });
}

test('exactly the users that the job created are disabled, and the plan contains no names', async () => {
  const { world, to, undo } = await imported('bob', 'cyd');
  const { exitCode, stdout, stderr } = await undo('--yes', '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ rows: 2, disabled: 2, created: 0, conflict: 0, pending: 0 });
  expect(await disabledOf(world)).toEqual(['bob', 'cyd']);
  for (const name of ['plan.json', 'actions.jsonl', 'plan.html', 'users.csv', 'report.html']) {
    expect(await readFile(join(to, name), 'utf8')).not.toMatch(/bob|cyd/);
  }
  const again = await undo('--yes');
  expect(again).toMatchObject({ exitCode: 3, stdout: '' });
  expect(again.stderr).toMatch(/job was undone at \S+Z by this plan\nNobody is left to disable\./);
  // All of them are disabled already, so nothing is left to do.
  const other = await world.run('undo', join(world.directory, 'job'), '--to', `${to}2`, '--yes', '--json');
  expect(other).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(other.stdout)).toMatchObject({
    totals: { disable: 0, same: 2 },
    reasons: { IS_DISABLED: 2 },
  });
});

test('without consent no user is disabled, and the preview says that it cannot be undone', async () => {
  const { world, to, undo } = await imported('bob');
  const { exitCode, stdout, stderr } = await undo();
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/^Target: /);
  expect(stderr).toContain(
    '1 user will be disabled, which the API cannot take back: their names stay taken.',
  );
  expect(stderr).toContain('No login of any of them is known: a tenant that does not count logins');
  expect(stderr).toContain('nothing was sent: to disable 1 user without a prompt, add --yes');
  expect(stderr).toMatch(/Run:\n {2}tenant-users undo \S+ --to \S+ --yes\n/);
  expect(await disabledOf(world)).toEqual([]);
  expect(existsSync(join(to, 'journal.db'))).toBe(false);
});

test('users who logged in or changed since are left out and counted, unless --with-active is given', async () => {
  const { world, time, job, to, undo } = await imported('bob', 'cyd', 'dan');
  await world.client.logIn('bob', 'password', device);
  await changeName({ world, time }, 'cyd');
  const { exitCode, stdout, stderr } = await undo('--dry-run');
  expect(exitCode).toBe(7);
  expect(stdout).toMatch(/│ 1 +│ 2 +│ 0 +│ 0 +│\n/);
  expect(stderr).toContain(
    'Warning: 1 user has logged in since and is left out. --with-active disables them too.',
  );
  expect(stderr).toContain('Warning: 1 user was changed since and is left out.');
  expect(stderr).toContain('Nobody was disabled yet. Next:\n');
  expect(await disabledOf(world)).toEqual([]);
  const applied = await undo('--yes');
  expect(applied).toMatchObject({ exitCode: 7 });
  expect(applied.stderr).toContain('2 rows were left alone. Details: ');
  expect(await disabledOf(world)).toEqual(['dan']);
  const failures = await readFile(join(to, 'failures.csv'), 'utf8');
  const { user_id: bob } = await world.client.getUserByUserName('bob');
  const lines = `,hint,user_id,key\n,,,,LOGGED_IN,.*,${bob},\n,,,,CHANGED,.*,\\d[^,]+,\n$`;
  expect(failures).toMatch(new RegExp(lines));
  const all = await world.run('undo', job, '--to', `${to}2`, '--with-active', '--yes');
  expect(all).toMatchObject({ exitCode: 0 });
  expect(all.stderr).toContain('2 of them have logged in or were changed since.');
  expect(await disabledOf(world)).toEqual(['bob', 'cyd', 'dan']);
});

test('a user who logs in after the plan was made is not disabled, and stops the run', async () => {
  const { world, to, undo } = await imported('bob', 'cyd');
  expect(await undo('--dry-run', '-q')).toMatchObject({ exitCode: 0 });
  await world.client.logIn('bob', 'password', device);
  const { exitCode, stderr } = await world.run('apply', to, '--yes', '--json');
  expect(exitCode).toBe(8);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'DRIFT' } });
  expect(await world.run('apply', to, '--yes', '--accept-drift', '1')).toMatchObject({ exitCode: 7 });
  expect(await disabledOf(world)).toEqual(['cyd']);
});

test('plan diff shows which users of an undo have another action now', async () => {
  const { world, job, to, undo } = await imported('bob', 'cyd', 'dan');
  await undo('--dry-run', '-q');
  await world.client.logIn('bob', 'password', device);
  await world.run('undo', job, '--to', `${to}2`, '--dry-run', '-q');
  const diff = await world.run('plan', 'diff', to, `${to}2`, '--json');
  const { user_id: bob } = await world.client.getUserByUserName('bob');
  expect(JSON.parse(diff.stdout)).toMatchObject({
    totals: { disable: { before: 3, after: 2 }, conflict: { before: 0, after: 1 } },
    changes: [
      { row: null, user_id: bob, before: `disable, CREATED, ${bob}`, after: `conflict, LOGGED_IN, ${bob}` },
    ],
  });
  const shown = await world.run('plan', 'diff', to, `${to}2`);
  expect(shown).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('\n1 action changed\n') });
});

test('with --with-active a login after the plan was made has no effect', async () => {
  const { world, to, undo } = await imported('bob');
  expect(await undo('--dry-run', '--with-active', '-q')).toMatchObject({ exitCode: 0 });
  await world.client.logIn('bob', 'password', device);
  expect(await world.run('apply', to, '--yes')).toMatchObject({ exitCode: 0 });
  expect(await disabledOf(world)).toEqual(['bob']);
});

test('for a plan that was applied, only the users whom it created are disabled', async () => {
  const world = await startWorld();
  await world.client.createUser({ user_name: 'ann', name: 'Ann' });
  const file = join(world.directory, 'legacy.csv');
  const [plan, to] = [join(world.directory, 'plan'), join(world.directory, 'undo')];
  await writeFile(file, header + rowOf('ann', 'Ann Lee') + rowOf('bob'));
  await world.run('plan', file, '--to', plan, '--key', 'user_name', '--update');
  expect(await world.run('apply', plan, '--yes')).toMatchObject({ exitCode: 0 });
  const { exitCode, stderr } = await world.run('undo', plan, '--to', to, '--yes');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('1 user whom the job updated or disabled stays so.');
  expect(await disabledOf(world)).toEqual(['bob']);
});

test('users of the file as it was before its correction belong to the job, too', async () => {
  const { world, file, job, undo } = await imported('bob', 'cyd');
  await writeFile(file, header + rowOf('dan'));
  const options = ['--only', 'failed', '--accept', 'KEY_CHANGED'];
  const again = await world.run('import-hashes', file, '--job', job, ...options);
  expect(again).toMatchObject({ exitCode: 7, stderr: expect.stringMatching('3 users of this job have no') });
  expect(await undo('--yes')).toMatchObject({ exitCode: 0 });
  expect(await disabledOf(world)).toEqual(['bob', 'cyd', 'dan']);
});

test('rows that may have been sent and have no answer are reported, and looked up without being sent', async () => {
  const { world, file, job, to, undo } = await imported('bob', 'cyd');
  // Of ann, bob and cyd the outcome of the third is unknown.
  await forgetOutcomes(job, 2);
  const { exitCode, stderr } = await undo('--yes');
  expect(exitCode).toBe(7);
  expect(stderr).toContain('At most 1 row of the job may have been sent and has no answer: their users, if');
  expect(stderr).toContain('run the import, or apply of the plan, with --only unanswered, which sends');
  expect(await disabledOf(world)).toEqual(['bob']);
  const found = await world.run('import-hashes', file, '--job', job, '--only', 'unanswered', '--json');
  expect(found).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(found.stdout)).toMatchObject({ created: 2, found_by_look_up: 1, pending: 0 });
  const rest = await world.run('undo', job, '--to', `${to}2`, '--yes', '--json');
  expect(rest).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(rest.stdout)).toMatchObject({ disabled: 1, existing: 1 });
  expect(await disabledOf(world)).toEqual(['bob', 'cyd']);
});

test.each([
  ['a directory without a job', async () => {}, [], 3, /it contains no journal of an import/],
  [
    'a dry run',
    async ({ world, file, job }) => {
      await world.run('import-hashes', file, '--job', `${job}-none`, '--dry-run');
    },
    [],
    3,
    /it is the job of a dry run, which created no users/,
  ],
  [
    'too many',
    async ({ world, file, job }) => {
      await writeFile(file, header + rowOf('eve') + rowOf('fay'));
      await world.run('import-hashes', file, '--job', `${job}-none`);
    },
    ['--at-most', 'disable=1'],
    8,
    /the plan would disable 2 of 5 users, and at most 1 \(1\) are allowed/,
  ],
] as [string, (place: Awaited<ReturnType<typeof imported>>) => Promise<void>, string[], number, RegExp][])(
  '%s is refused, and nothing is sent',
  async (_, prepare, more, expected, message) => {
    const place = await imported('bob');
    await prepare(place);
    const { world, job, to } = place;
    const { exitCode, stdout, stderr } = await world.run('undo', `${job}-none`, '--to', to, '--yes', ...more);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: expected,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
    expect(await disabledOf(world)).toEqual([]);
  },
);

test('the error names a job of another tenant', async () => {
  const { job, to } = await imported('bob');
  const other = await startWorld();
  const { exitCode, stderr } = await other.run('undo', job, '--to', to, '--yes', '--json');
  expect(exitCode).toBe(3);
  expect(JSON.parse(stderr)).toMatchObject({
    error: {
      code: 'PLAN_TARGET',
      message: expect.stringContaining(`${job}: the job went to another tenant: base_url was`),
    },
  });
});

test('an undo that was begun can be resumed, and another one is refused', async () => {
  const { world, time, to, undo } = await imported('bob', 'cyd', 'dan');
  await changeName({ world, time }, 'bob');
  expect(await undo('--yes', '-q')).toMatchObject({ exitCode: 7 });
  const plan: Plan = JSON.parse(await readFile(join(to, 'plan.json'), 'utf8'));
  expect(plan).toMatchObject({ reasons: { CHANGED: 1, CREATED: 2 }, undoes: { with_active: false } });
  const { exitCode, stderr } = await undo('--yes', '--with-active');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('without --with-active, which was begun');
  expect((await undo('--yes', '--with-values')).stderr).toContain('without --with-values, which was begun');
  const limited = await undo('--yes', '--at-most', 'disable=1');
  expect(limited).toMatchObject({
    exitCode: 8,
    stderr: expect.stringMatching(/would disable 2 of 5 users.*\nIs this what you want\? If so, allow more/),
  });
});
