import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld } from '../../../world.ts';

async function worldWith(...lines: string[]) {
  const world = await startWorld();
  const file = join(world.directory, 'staff.csv');
  const write = (...rows: string[]) => writeFile(file, rows.map((row) => `${row}\n`).join(''));
  await write(...lines);
  return { world, file, write, within: (name: string) => join(world.directory, name) };
}

test('an update that leaves a changed hash is announced, listed as what cannot be done, and ends with exit code 7 when it is made and applied', async () => {
  const header = 'user_name,name,algorithm,hash';
  const [old, changed] = [goodHashes.md5, goodHashes.md5.replace(/./g, 'a')];
  const { world, file, write, within } = await worldWith(header, `ann,Ann,md5,${old}`, `bob,Bob,md5,${old}`);
  await world.run('import-hashes', file, '--job', within('job'));
  await write(header, `ann,Ann Lee,md5,${changed}`, `bob,Bob Ray,md5,${old}`);
  const to = within('plan');
  const words = ['--since', within('job'), '--update', '--key', 'user_name', '--to', to];
  const { exitCode, stderr } = await world.run('plan', file, ...words);
  expect(exitCode).toBe(7);
  const notice =
    '1 user will be updated only in part: the API cannot change the hash, pwd_must_modify or the external ID';
  expect(stderr).toContain(`Warning: ${notice}`);
  expect(await readFile(join(to, 'plan.html'), 'utf8')).toContain(notice);
  const { user_id: ann } = await world.client.getUserByUserName('ann');
  const shown = await world.run('plan', 'show', to, '--action', 'cannot', '-o', 'csv');
  expect(shown).toMatchObject({
    exitCode: 0,
    stdout: `row,reason,user_id,fields\n1,HASH_CHANGED,${ann},hash\n`,
  });
  const applied = await world.run('apply', to, '--yes');
  expect(applied).toMatchObject({ exitCode: 7, stderr: expect.stringContaining(notice) });
  const status = await world.run('import-hashes', 'status', to, '--json');
  expect(status).toMatchObject({ exitCode: 7, stderr: '' });
  expect(JSON.parse(status.stdout)).toMatchObject({ state: 'finished', updated: 2 });
  expect(await readFile(join(to, 'report.html'), 'utf8')).toContain(
    '1 user was updated only in part: the API cannot change',
  );
});

test('without --since, a partial update names only the external ID, since no other change could be seen', async () => {
  const { world, file, within } = await worldWith('user_name,name,external_id', 'ann,Ann Lee,x-2');
  await world.client.createUser({ user_name: 'ann', name: 'Ann', external_id: 'x-1' });
  const words = ['--update', '--key', 'user_name', '--allow-passwordless', '--to', within('plan')];
  const { exitCode, stderr } = await world.run('plan', file, ...words);
  expect(exitCode).toBe(7);
  expect(stderr).toContain(
    'Warning: 1 user will be updated only in part: the API cannot change the external ID of an existing user.',
  );
  const applied = await world.run('apply', within('plan'), '--yes');
  expect(applied.exitCode).toBe(7);
  expect(applied.stderr).not.toContain('pwd_must_modify');
});

test('a user who was changed meanwhile, so that nothing was updated, does not count as updated in part', async () => {
  const header = 'user_name,name,algorithm,hash';
  const [old, changed] = [goodHashes.md5, goodHashes.md5.replace(/./g, 'a')];
  const names = ['ann', 'bob', 'cid'];
  const before = names.map((name) => `${name},${name},md5,${old}`);
  const { world, file, write, within } = await worldWith(header, ...before);
  await world.run('import-hashes', file, '--job', within('job'));
  await write(header, ...names.map((name) => `${name},${name} Lee,md5,${changed}`));
  const to = within('plan');
  const words = ['--since', within('job'), '--update', '--key', 'user_name', '--to', to];
  expect(await world.run('plan', file, ...words)).toMatchObject({ exitCode: 7 });
  const { user_id: bob } = await world.client.getUserByUserName('bob');
  await world.client.updateUser(bob, { name: 'Own' });
  // The second run reads what the first one did.
  for (const drift of ['0', '1'])
    await world.run('apply', to, '--yes', '--rate', '1/s', '--accept-drift', drift);
  const status = await world.run('import-hashes', 'status', to, '--json');
  const { updated, conflict, next } = JSON.parse(status.stdout);
  expect({ updated, conflict }).toEqual({ updated: 2, conflict: 1 });
  expect(next).toEqual([
    { text: expect.stringContaining('Look at the 1 row in failures.csv') },
    { text: expect.stringContaining('2 users were updated only in part') },
  ]);
  expect(await readFile(join(to, 'summary.json'), 'utf8')).toContain('"updates_in_part": 2,');
});

test('rows without an identifier are announced, and a second plan of their file does not create them again', async () => {
  const { world, file, within } = await worldWith('user_name,name', 'ann,Ann', ',Bob', ',Cid');
  const create = (to: string) => world.run('create', '--csv', file, '--to', within(to), '--yes');
  const notice = '2 rows have no identifier, so it is not known whether the users exist';
  expect(await create('first')).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(notice) });
  for (const again of ['first', 'other']) {
    expect(await create(again)).toMatchObject({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringMatching(
        /2 rows have no identifier, and the file was imported into this tenant at .*first: their users would be created a second time\nGive these rows/,
      ),
    });
  }
  const plan = await world.run('plan', file, '--allow-passwordless', '--to', within('plan'));
  expect(plan).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`Warning: ${notice}`) });
  expect(await world.run('apply', within('plan'), '--yes')).toMatchObject({ exitCode: 3 });
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(3);
});
