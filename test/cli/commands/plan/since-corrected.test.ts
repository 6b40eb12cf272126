import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

const [one, other] = ['one', 'other'].map((text) => createHash('md5').update(text).digest('hex'));

test('if earlier rows of a corrected file changed, too, the delta reports what the tenant does not have', async () => {
  const world = await startWorld();
  await world.client.createUser({ user_name: 'eve', name: 'Somebody Else' });
  const file = join(world.directory, 'legacy.csv');
  const job = join(world.directory, 'job');
  const write = (...rows: string[]) =>
    writeFile(file, `user_name,name,external_id,algorithm,hash\n${rows.map((row) => `${row}\n`).join('')}`);
  await write(`ann,Ann,x-1,md5,${one}`, `bob,Bob,x-2,md5,${one}`, `cid,Cid,x-3,md5,${one}`, 'eve,Eve,x-4,,');
  const args = ['import-hashes', file, '--job', job, '--allow-passwordless'];
  expect((await world.run(...args)).exitCode).toBe(7);
  const corrected = [
    'evelyn,Eve,x-4,,',
    `cid,Cid,x-3,md5,${other}`,
    `ann,Ann,x-1,md5,${one}`,
    `bob,Robert,x-2,md5,${one}`,
  ];
  await write(...corrected);
  const retried = await world.run(...args, '--only', 'failed', '--json');
  expect(retried.exitCode).toBe(7);
  expect(JSON.parse(retried.stdout)).toMatchObject({ created: 4, codes: { HASH_CHANGED: 1 } });
  const to = join(world.directory, 'delta');
  const delta = ['--since', job, '--to', to, '--key', 'external_id', '--update', '--allow-passwordless'];
  await world.run('plan', file, ...delta);
  expect(JSON.parse(await readFile(join(to, 'plan.json'), 'utf8'))).toMatchObject({
    since: { unchanged: 2, vanished: 0 },
    totals: { create: 0, same: 2, update: 1, disable: 0, conflict: 0, cannot: 1 },
    reasons: { UNCHANGED: 2, DIFFERS: 1, HASH_CHANGED: 1 },
  });
});

test('a delta of a corrected job does not ask for the options that were given', async () => {
  const world = await startWorld();
  const [file, job, to] = ['legacy.csv', 'job', 'delta'].map((name) => join(world.directory, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(file, `user_name,algorithm,hash\nann,md5,${one}\nbob,md5,${one}\n`);
  expect(await world.run('import-hashes', file, '--job', job)).toMatchObject({ exitCode: 0 });
  const keep = ['--set', 'pwd_must_modify=false'];
  const corrected = await world.run('import-hashes', file, '--job', job, '--only', 'failed', ...keep);
  expect(corrected).toMatchObject({ exitCode: 7, stdout: expect.stringContaining('MUST_MODIFY_CHANGED') });
  const plan = (since: string, directory: string, ...more: string[]) =>
    world.run('plan', file, '--since', since, '--to', directory, ...more);
  const same = await plan(job, to, ...keep);
  expect(same).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('0 rows unchanged') });
  expect(same.stderr).not.toContain('every row differs');
  const other = await plan(job, `${to}2`, ...keep, '--set', 'name=Somebody');
  expect(other.stderr).toContain('Warning: every row differs from the file of');
  await world.run('apply', to, '--yes');
  const next = await plan(to, `${to}3`, ...keep);
  expect(next.stderr).toContain('0 rows unchanged');
  expect(next.stderr).not.toContain('every row differs');
});

test('a delta of another file, read with the same options, says that it may be the wrong one', async () => {
  const world = await startWorld();
  const [file, job, to] = ['legacy.csv', 'job', 'delta'].map((name) => join(world.directory, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(file, `user_name,algorithm,hash\nann,md5,${one}\nbob,md5,${one}\n`);
  await world.run('import-hashes', file, '--job', job);
  await writeFile(file, `user_name,algorithm,hash\ncid,md5,${one}\n`);
  const ended = await world.run('plan', file, '--since', job, '--to', to);
  // Its first row could be the first user under another name.
  expect(ended).toMatchObject({ exitCode: 7, stdout: expect.stringContaining('create') });
  expect(ended.stderr).toContain(
    `Warning: every row differs from the file of ${job}, and users of it are not in this one. If that is not expected, check that this is the right file\n`,
  );
});
