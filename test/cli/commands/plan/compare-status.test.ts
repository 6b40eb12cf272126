import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

/** A tenant with ann, bob and cid, of whom bob is disabled. */
async function worldOfThree() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  for (const name of ['ann', 'bob', 'cid']) await world.client.createUser({ user_name: name });
  const idOf = async (name: string) => (await world.client.getUserByUserName(name)).user_id;
  await world.client.disableUser(await idOf('bob'));
  const compare = (...words: string[]) =>
    world.run('compare', within('users'), '--to', within('lists'), '--ignore-unknown', ...words);
  const differs = () => readFile(within('lists/differs.csv'), 'utf8');
  return { world, within, idOf, compare, differs };
}

test('an export of the tenant is equal to it: who is disabled is compared, too', async () => {
  const { world, within, idOf, compare, differs } = await worldOfThree();
  for (const format of ['csv', 'jsonl']) {
    const { stdout } = await world.run('list', '--all', '-o', format);
    await writeFile(within('users'), stdout);
    const equal = await compare();
    expect(equal).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('Columns not compared: user_id'),
    });
    expect(equal.stderr).not.toMatch(/not compared: [^\n]*\bdisabled\b|Warning/);
  }
  await world.client.disableUser(await idOf('cid'));
  expect(await compare()).toMatchObject({
    exitCode: 7,
    stderr: expect.stringContaining('Fields that differ: disabled (1)'),
  });
  expect(await differs()).toContain(`\n3,3,${await idOf('cid')},disabled,`);
});

test('a word in the column disabled that is neither true nor false does not count as enabled', async () => {
  const { within, compare } = await worldOfThree();
  await writeFile(within('users'), 'user_name,disabled\nann,\nbob,1\ncid,false\n');
  expect(await compare('--json')).toMatchObject({
    exitCode: 7,
    stdout: expect.stringMatching(/"same":2,.*"invalid":1,"disabled_unknown":1,/),
  });
  expect(await readFile(within('lists/invalid.csv'), 'utf8')).toContain(
    '2,3,bob,,VALUE_UNKNOWN,disabled: nothing says what this value means\n',
  );
});

test('rows with another word are not said to be read otherwise than by the job, but what to do is', async () => {
  const { world, within, compare } = await worldOfThree();
  await writeFile(within('users'), 'user_name,name,disabled\nxan,,0\nyan,,0\nzed, Z,1\n');
  const job = ['--job', within('job')];
  const options = [...job, '--allow-passwordless', '--ignore-unknown'];
  expect(await world.run('import-hashes', within('users'), ...options)).toMatchObject({ exitCode: 7 });
  const { exitCode, stderr } = await compare(...job);
  expect(exitCode).toBe(7);
  expect(stderr).toContain(
    'Warning: 3 rows failed the checks, and could not be compared\nWarning: In 2 of these rows only the column disabled is the fault: it says neither true nor false. Write one of these, or say in a recipe who is disabled (disable:), and compare with --recipe\n',
  );
  expect(stderr).not.toContain('failed them in');
});

test('somebody whom only the column disabled of the file calls disabled differs', async () => {
  const { within, idOf, compare, differs } = await worldOfThree();
  await writeFile(within('users'), 'user_name,disabled\nann,TRUE\nbob,true\ncid,false\n');
  expect(await compare()).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('disabled (1)') });
  expect(await differs()).toContain(`\n1,2,${await idOf('ann')},disabled,`);
});

test('another status is not compared, and compare says so', async () => {
  const { within, compare } = await worldOfThree();
  await writeFile(within('users'), 'user_name,status,grade\nann,active,1\nbob,blocked,2\ncid,active,3\n');
  expect(await compare()).toMatchObject({
    exitCode: 7,
    stderr: expect.stringContaining(
      'Columns not compared: status, grade\nWarning: status looks like a status, and nothing says what it means: every user who is disabled in the tenant differs (disabled). Say in a recipe who is disabled (disable:), and compare with --recipe\n',
    ),
  });
});
