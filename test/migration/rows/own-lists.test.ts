import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';

test.each([
  ['create', '--csv', '--ignore-unknown', '--yes'],
  ['plan', '--allow-passwordless', '--ignore-unknown'],
  ['plan', '--only=create', '--allow-passwordless', '--ignore-unknown'],
])('the list of the users whom a job created creates nobody by %s %s', async (command, ...options) => {
  const world = await startWorld();
  const file = join(world.directory, 'users.csv');
  await writeFile(file, 'row,user_name,user_id,result,found_by_look_up\n1,ann,u1,created,\n');
  const [first = '', ...rest] = options;
  const words = first === '--csv' ? [command, first, file, ...rest] : [command, file, ...options];
  expect(await world.run(...words)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('this is the users.csv of a job, not a file of users'),
  });
});

test('the names of people whom a comparison misses create nobody', async () => {
  const world = await startWorld();
  const [file, to] = [join(world.directory, 'legacy.csv'), join(world.directory, 'compared')];
  await writeFile(file, 'user_name,name\nann,Ann\n');
  await world.run('compare', file, '--to', to);
  for (const words of [
    ['create', '--csv', join(to, 'missing.csv'), '--ignore-unknown', '--yes'],
    ['import-hashes', join(to, 'missing.csv'), '--ignore-unknown', '--allow-passwordless', '--yes'],
  ])
    expect(await world.run(...words)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        'this is the missing.csv of a comparison, not a file of users\nNothing was sent. It has no other values of these people: make a plan with the file that was compared.',
      ),
    });
  expect(await world.client.listUsers({ offset: 0, limit: 10 })).toMatchObject({ total: 0 });
});

test('whom it lists may be disabled', async () => {
  const world = await startWorld();
  const { user_id } = await world.client.createUser({ user_name: 'ann' });
  const file = join(world.directory, 'users.csv');
  await writeFile(file, `row,user_name,user_id,result,found_by_look_up\n1,ann,${user_id},created,\n`);
  const to = join(world.directory, 'gone');
  const ended = await world.run('disable', '--csv', file, '--ignore-unknown', '--to', to, '--yes');
  expect(ended.exitCode).toBe(0);
  expect((await world.client.getUser(user_id)).disabled).toBe(true);
});
