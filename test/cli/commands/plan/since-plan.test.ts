import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

async function planned() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  for (const name of ['ann', 'bob']) await world.client.createUser({ user_name: name });
  await writeFile(within('staff.csv'), 'user_name,name\nann,Ann\nbob,Bob\ncid,Cid\n');
  const words = [within('staff.csv'), '--allow-passwordless', '--key', 'user_name', '--update'];
  const plan = (to: string, ...more: string[]) => world.run('plan', ...words, '--to', within(to), ...more);
  expect(await plan('first')).toMatchObject({ exitCode: 0 });
  return { world, within, plan };
}

test('a plan whose actions were changed is no base for --since', async () => {
  const { world, within, plan } = await planned();
  expect(await world.run('apply', within('first'), '--yes')).toMatchObject({ exitCode: 0 });
  const path = within('first/actions.jsonl');
  await writeFile(path, (await readFile(path, 'utf8')).replace('"name"', '"mobile"'));
  expect(await plan('second', '--since', within('first'))).toMatchObject({
    exitCode: 3,
    stdout: '',
    stderr: expect.stringContaining('the actions were changed after the plan was made'),
  });
});

test('a plan that was applied only in part is no base for --since until the rest is done', async () => {
  const { world, within, plan } = await planned();
  const { user_id: ann } = await world.client.getUserByUserName('ann');
  await world.client.updateUser(ann, { name: 'Own' });
  const apply = (...more: string[]) => world.run('apply', within('first'), '--yes', ...more);
  expect(await apply('--rate', '1/s')).toMatchObject({ exitCode: 8 });
  const since = ['--since', within('first')];
  expect(await plan('second', ...since)).toMatchObject({
    exitCode: 3,
    stdout: '',
    stderr: expect.stringMatching(
      /its plan was applied only in part\nFirst carry out the rest: tenant-users apply .*first/,
    ),
  });
  expect(await apply('--accept-drift', '1')).toMatchObject({ exitCode: 7 });
  const { stderr } = await plan('second', ...since);
  expect(stderr).toContain('2 rows unchanged');
});

test('--only update updates every field that differs', async () => {
  const { world, within } = await planned();
  const words = ['plan', within('staff.csv'), '--allow-passwordless', '--key', 'user_name', '--json'];
  const { stdout } = await world.run(...words, '--to', within('updates'), '--only', 'update');
  expect(JSON.parse(stdout)).toMatchObject({
    totals: { update: 2, cannot: 1 },
    options: { only: 'update', update: 'all' },
  });
});

test('a plan with --since that changes nobody says why it is applied all the same', async () => {
  const { world, within, plan } = await planned();
  expect(await world.run('apply', within('first'), '--yes')).toMatchObject({ exitCode: 0 });
  const { exitCode, stderr } = await plan('second', '--since', within('first'));
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    `It changes nobody. Apply it all the same: the next --since can name only an applied plan.
Next:
  tenant-users plan show ${within('second')}
  tenant-users apply ${within('second')}\n`,
  );
  expect(await plan('third', '--since', within('second'))).toMatchObject({ exitCode: 3 });
  expect(await world.run('apply', within('second'), '--yes')).toMatchObject({ exitCode: 0 });
  expect(await plan('third', '--since', within('second'))).toMatchObject({ exitCode: 0 });
});

test('users who are in no row of the file are not called rows of it', async () => {
  const { world, within, plan } = await planned();
  await world.run('apply', within('first'), '--yes');
  await writeFile(within('staff.csv'), 'user_name,name\nbob,Bob\ndan,Dan\n');
  await plan('second', '--since', within('first'));
  const applied = await world.run('apply', within('second'), '--yes');
  const counts = '2 rows and 2 users in no row';
  expect(applied).toMatchObject({ exitCode: 0 });
  expect(applied.stderr).toContain(`${counts}: 1 created, 3 existing\n`);
  const status = await world.run('import-hashes', 'status', within('second'), '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({ rows: 4, in_no_row: 2, existing: 3 });
  const report = await readFile(within('second/report.html'), 'utf8');
  expect(report).toContain(`${counts} = 1 created + 3 existing`);
  expect(report).toContain('Rows of the file, and users in no row, by result');
  expect(report).not.toContain('all identifiers and the name match');
  await world.run('evidence', within('second'), '--to', within('evidence'));
  const verified = await world.run('evidence', 'verify', within('evidence'));
  expect(verified.stderr).toContain(`complete and unchanged: ${counts} of the job of `);
});
