import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

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
  const plan = (name: string, ...more: string[]) =>
    world.run('plan', within(name), '--to', within('plan'), '--allow-passwordless', ...more);
  expect(await plan('tuesday.csv', '--since', job)).toMatchObject({ exitCode: 0 });
  const list = () => readFile(within('plan/vanished.csv'), 'utf8');
  const vanished = await list();
  expect(vanished).toMatch(/^row,user_id\n3,.+\n$/);

  const tooMany = await plan('wednesday.csv', '--since', job, '--disable-missing', '--at-most', 'disable=1');
  expect(tooMany).toMatchObject({ exitCode: 8, stdout: '' });
  expect(await list()).toBe(vanished);
  expect(await plan('wednesday.csv', '--since', job)).toMatchObject({ exitCode: 0 });
  expect(await list()).toMatch(/^row,user_id\n2,.+\n3,.+\n$/);
  expect(await plan('tuesday.csv')).toMatchObject({ exitCode: 0 });
  expect(existsSync(within('plan/vanished.csv'))).toBe(false);
});
