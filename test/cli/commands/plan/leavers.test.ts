import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

/** A tenant with the users of Monday's file, and a plan of Tuesday's file, in which bob and cid are missing. */
async function tuesday(...more: string[]) {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (name: string, ...users: string[]) =>
    writeFile(within(name), `user_name\n${users.map((user) => `${user}\n`).join('')}`);
  await write('monday.csv', 'ann', 'bob', 'cid');
  await write('tuesday.csv', 'ann');
  const words = [within('monday.csv'), '--job', within('job'), '--allow-passwordless'];
  await world.run('import-hashes', ...words);
  const plan = (to: string, since: string, ...options: string[]) => {
    const how = ['--to', within(to), '--since', within(since), '--at-most', 'disable=100%', ...options];
    return world.run('plan', within('tuesday.csv'), '--allow-passwordless', ...how);
  };
  expect(await plan('tuesday', 'job', ...more)).toMatchObject({ exitCode: 0 });
  const idOf = async (name: string) => (await world.client.getUserByUserName(name)).user_id;
  const vanished = async (of: string) =>
    (await readFile(within(`${of}/vanished.csv`), 'utf8')).split('\n').slice(1, -1);
  return { world, within, plan, idOf, vanished };
}

test('users who left before the last delta, and stayed enabled, are disabled by the next one that is asked to', async () => {
  const { world, within, plan, idOf, vanished } = await tuesday();
  expect(await world.run('apply', within('tuesday'), '--yes')).toMatchObject({ exitCode: 0 });
  await world.client.disableUser(await idOf('bob'));
  expect(await plan('wednesday', 'tuesday', '--disable-missing')).toMatchObject({ exitCode: 0 });
  expect(await vanished('wednesday')).toEqual([`,${await idOf('cid')},ABSENT`]);
  expect(await world.run('apply', within('wednesday'), '--yes', '--json')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('"disabled":1,'),
  });
  expect(await world.client.getUserByUserName('cid')).toMatchObject({ disabled: true });
  expect(await plan('thursday', 'wednesday', '--disable-missing')).toMatchObject({ exitCode: 0 });
  expect(await vanished('thursday')).toEqual([]);
});

test('a leaver who was changed after the plan, and was not disabled, is missing in the next delta', async () => {
  const { world, within, plan, idOf, vanished } = await tuesday('--disable-missing');
  await world.client.updateUser(await idOf('bob'), { name: 'Bob' });
  const applied = await world.run('apply', within('tuesday'), '--yes', '--accept-drift', '1');
  expect(applied).toMatchObject({ exitCode: 7 });
  expect(await plan('wednesday', 'tuesday', '--disable-missing')).toMatchObject({ exitCode: 0 });
  expect(await vanished('wednesday')).toEqual([`,${await idOf('bob')},ABSENT`]);
});

test('a leaver who is in the file again is not missing any more', async () => {
  const { world, within, plan, idOf, vanished } = await tuesday();
  expect(await world.run('apply', within('tuesday'), '--yes')).toMatchObject({ exitCode: 0 });
  await writeFile(within('tuesday.csv'), 'user_name\nann\nbob\n');
  expect(await plan('wednesday', 'tuesday', '--disable-missing')).toMatchObject({ exitCode: 0 });
  expect(await vanished('wednesday')).toEqual([`,${await idOf('cid')},ABSENT`]);
});
