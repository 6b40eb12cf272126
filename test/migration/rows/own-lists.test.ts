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
