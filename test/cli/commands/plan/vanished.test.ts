import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld } from '../../../world.ts';
import { writeKeys } from '../../../write-keys.ts';

test('the list of vanished users is that of the plan beside it: a plan that was not made does not replace it', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (name: string, ...users: string[]) =>
    writeFile(within(name), `user_name\n${users.map((user) => `${user}\n`).join('')}`);
  await write('monday.csv', 'ann', 'bob', 'cid');
  await write('tuesday.csv', 'ann', 'bob');
  await write('wednesday.csv', 'ann');
  const job = within('job');
  await world.run('import-hashes', within('monday.csv'), '--job', job, '--allow-passwordless');
  const plan = async (name: string, ...more: string[]) => {
    await copyFile(within(name), within('staff.csv'));
    return world.run('plan', within('staff.csv'), '--to', within('plan'), '--allow-passwordless', ...more);
  };
  expect(await plan('tuesday.csv', '--since', job)).toMatchObject({ exitCode: 0 });
  const list = () => readFile(within('plan/vanished.csv'), 'utf8');
  const vanished = await list();
  expect(vanished).toMatch(/^row,user_id,reason\n3,.+,VANISHED\n$/);

  const tooMany = await plan('wednesday.csv', '--since', job, '--disable-missing', '--at-most', 'disable=1');
  expect(tooMany).toMatchObject({ exitCode: 8, stdout: '' });
  expect(await list()).toBe(vanished);
  expect(await plan('wednesday.csv', '--since', job)).toMatchObject({ exitCode: 0 });
  expect(await list()).toMatch(/^row,user_id,reason\n2,.+\n3,.+\n$/);
  expect(await plan('tuesday.csv')).toMatchObject({ exitCode: 0 });
  expect(existsSync(within('plan/vanished.csv'))).toBe(false);
});

test('a list of vanished users that is not that of the plan, and another key, are neither signed nor verified', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (users: string) => writeFile(within('staff.csv'), `user_name\n${users}`);
  await write('ann\nbob\n');
  const words = [within('staff.csv'), '--allow-passwordless'];
  await world.run('import-hashes', ...words, '--job', within('job'));
  await write('ann\n');
  await world.run('plan', ...words, '--since', within('job'), '--to', within('plan'));
  await writeKeys(world.directory);
  const sign = () => world.run('plan', 'sign', within('plan'), within('key.pem'));
  const verify = () => world.run('plan', 'verify', within('plan'), within('key.pub'));
  expect([(await sign()).exitCode, (await verify()).exitCode]).toEqual([0, 0]);
  const ids = await Promise.all(
    ['ann', 'bob'].map(async (name) => (await world.client.getUserByUserName(name)).user_id),
  );
  for (const [name, before, after, fault] of [
    ['vanished.csv', ids[1], ids[0], 'vanished.csv: this is not the list of the plan'],
    ['plan.key', /^./, '.', 'plan.key: the key of the plan is not what it was'],
  ] as const) {
    const path = within(`plan/${name}`);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(before ?? '', after ?? ''));
    const refused = { exitCode: 3, stdout: '', stderr: expect.stringContaining(fault) };
    expect(await verify()).toMatchObject(refused);
    expect(await sign()).toMatchObject(refused);
    await rm(path);
    expect(await verify()).toMatchObject({ exitCode: 0 });
    await writeFile(path, text);
  }
  expect(await verify()).toMatchObject({ exitCode: 0 });
});

test('no list of vanished users is written while nobody knows whom a row that fails the checks is about', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (...rows: string[]) =>
    writeFile(within('staff.csv'), `user_name,external_id,email\n${rows.map((row) => `${row}\n`).join('')}`);
  await write('ann,x-1,', 'bob,x-2,', 'cid,x-3,', 'dan,x-4,', 'eve,x-5,wrong');
  const words = [within('staff.csv'), '--allow-passwordless'];
  await world.run('import-hashes', ...words, '--job', within('job'));
  const plan = () => world.run('plan', ...words, '--since', within('job'), '--to', within('plan'));
  // The row of ann has her first identifier, that of bob his external ID, cid is gone, and eve was never imported.
  await write('ann,,wrong', '"b\u0007b",x-2,', 'dan,x-4,', 'eve,x-5,wrong');
  expect(await plan()).toMatchObject({ exitCode: 7 });
  expect(await readFile(within('plan/vanished.csv'), 'utf8')).toMatch(
    /^row,user_id,reason\n3,.+,VANISHED\n$/,
  );
  // The cells of a row have moved: it may be about ann, bob or cid.
  await write('x,ann,x-1,', 'bob,x-2,', 'dan,x-4,');
  const { exitCode, stderr } = await plan();
  expect({ exitCode, stderr }).toEqual({
    exitCode: 7,
    stderr: expect.stringContaining(
      'users no longer in the file are not listed: 1 row, invalid or KEY_CHANGED, may be about some of them',
    ),
  });
  expect(stderr).toContain('2 rows unchanged, at most 2 users no longer in the file');
  expect(existsSync(within('plan/vanished.csv'))).toBe(false);
  const page = await readFile(within('plan/plan.html'), 'utf8');
  expect(page).toContain('at most 2 users no longer in the file');
  // Nothing sends people to a list that is not there; the next plan still knows these users.
  expect(stderr).toContain('PERHAPS_VANISHED (2)');
  expect(stderr).not.toContain(' VANISHED');
  await world.run('apply', within('plan'), '--yes');
  await write('bob,x-2,', 'dan,x-4,');
  const next = await world.run('plan', ...words, '--since', within('plan'), '--to', within('next'));
  expect(next.stderr).toContain('2 rows unchanged, 2 users no longer in the file');
});

test('a row that fails its checks hides no other user, by whatever identifier the earlier file knew the user', async () => {
  const world = await startWorld();
  const [first, second] = ['monday.csv', 'tuesday.csv'].map((name) => join(world.directory, name));
  const row = (name: string, hash: string) => `${name}@example.com,${name},md5,${hash}\n`;
  const head = 'email,name,algorithm,hash\n';
  await writeFile(first ?? '', head + row('ann', goodHashes.md5) + row('bob', goodHashes.md5));
  await writeFile(second ?? '', head + row('ann', goodHashes.md5) + row('bob', 'cut'));
  const job = join(world.directory, 'job');
  expect((await world.run('import-hashes', first ?? '', '--job', job)).exitCode).toBe(0);
  const to = join(world.directory, 'delta');
  await world.run('plan', second ?? '', '--since', job, '--to', to);
  expect(await readFile(join(to, 'vanished.csv'), 'utf8')).toBe('row,user_id,reason\n');
});

test('a row without a person, or with the header again, hides nobody who is gone', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (...rows: string[]) =>
    writeFile(within('staff.csv'), `user_name,external_id,email\n${rows.map((row) => `${row}\n`).join('')}`);
  await write('ann,x-1,', 'bob,x-2,', 'cid,x-3,');
  const words = [within('staff.csv'), '--allow-passwordless'];
  await world.run('import-hashes', ...words, '--job', within('job'));
  await write('ann,x-1,', 'user_name,external_id,email', 'bob,x-2,', ',,');
  const made = await world.run('plan', ...words, '--since', within('job'), '--to', within('plan'));
  expect(made.exitCode).toBe(7);
  expect(made.stderr).toContain('2 rows unchanged, 1 user no longer in the file');
  expect(made.stderr).not.toContain('PERHAPS_VANISHED');
  expect(await readFile(within('plan/vanished.csv'), 'utf8')).toMatch(
    /^row,user_id,reason\n3,.+,VANISHED\n$/,
  );
});

test('the command of the guide disables whoever is gone, and nobody who may be in a row under another identifier', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (name: string, ...rows: string[]) =>
    writeFile(within(name), `user_name,external_id\n${rows.map((row) => `${row}\n`).join('')}`);
  await write('monday.csv', 'ann,x-1', 'bob,x-2', 'cid,x-3');
  await world.run('import-hashes', within('monday.csv'), '--allow-passwordless', '--job', within('job'));
  // Only the external ID of cid was corrected.
  await write('tuesday.csv', 'ann,x-1', 'cid,x-33');
  const plan = ['--since', within('job'), '--to', within('tuesday.plan'), '--key', 'external_id'];
  await world.run('plan', within('tuesday.csv'), '--allow-passwordless', ...plan, '--with-values');
  const [command = ''] = (await readFile('docs/guide/plans.md', 'utf8')).match(/^awk .*> gone\.txt$/m) ?? [];
  execFileSync('sh', ['-c', command], { cwd: world.directory });
  const { user_id: bob } = await world.client.getUserByUserName('bob');
  expect(await readFile(within('gone.txt'), 'utf8')).toBe(`${bob}\n`);
  const { user_id: cid } = await world.client.getUserByUserName('cid');
  expect(await readFile(within('tuesday.plan/vanished.csv'), 'utf8')).toContain(`3,${cid},VANISHED_OWNER,`);
});
