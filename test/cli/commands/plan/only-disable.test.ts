import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

/** Creates twenty users, and makes a plan of a file that names them; the first one is `L`. */
async function planTwenty(...args: string[]) {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const names = Array.from({ length: 20 }, (_, index) => `user-${index + 10}`);
  await Promise.all(names.map((name) => world.client.createUser({ user_name: name })));
  await writeFile(within('all.csv'), `name,status\n${names.map((name) => `${name},A\n`).join('')}`);
  await writeFile(
    within('one.csv'),
    `name,status\n${names.map((name) => `${name},A\n`).join('')}`.replace('A', 'L'),
  );
  await writeFile(
    within('recipe.yaml'),
    'fields: { user_name: { column: name } }\ndisable: { where: { column: status, in: [L], known: [A] } }\n',
  );
  const options = args.map((arg) => (arg.startsWith('@') ? within(arg.slice(1)) : arg));
  const ended = await world.run('plan', '--to', within('plan'), '--allow-passwordless', '--json', ...options);
  return { ...ended, plan: ended.exitCode === 0 ? JSON.parse(ended.stdout) : undefined };
}

test('--only disable disables whom the recipe disables, and nobody else', async () => {
  const { exitCode, plan } = await planTwenty('@one.csv', '--recipe', '@recipe.yaml', '--only', 'disable');
  expect(exitCode).toBe(0);
  expect(plan.totals).toMatchObject({ disable: 1, same: 19 });
});

test('--only disable is rejected if nothing says who is disabled', async () => {
  const { exitCode, stderr } = await planTwenty(
    '@all.csv',
    '--map',
    'user_name=name',
    '--ignore-unknown',
    '--only',
    'disable',
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain('nothing in the file says who is disabled');
  expect(stderr).toContain('--disable-all');
});

test('--disable-all disables the users of all rows, and nothing else is asked of it', async () => {
  const { exitCode, plan } = await planTwenty(
    '@all.csv',
    '--map',
    'user_name=name',
    '--ignore-unknown',
    '--disable-all',
  );
  expect(exitCode).toBe(0);
  expect(plan).toMatchObject({ totals: { disable: 20 }, options: { only: 'disable', disable_all: true } });
});

test('--disable-all cannot be used with --since, which would leave those alone whose rows are as before', async () => {
  const ended = await planTwenty('@all.csv', '--disable-all', '--since', '@job');
  expect(ended).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('--disable-all and --since cannot be used together'),
  });
});
