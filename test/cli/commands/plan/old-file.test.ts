import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

/** A tenant with the users of Monday's file, and a plan of Tuesday's file, which has one user more and is made since then. */
async function twoDays() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const names = Array.from({ length: 20 }, (_, at) => `user${at}`);
  const write = (name: string, users: readonly string[]) =>
    writeFile(within(name), `user_name\n${users.map((user) => `${user}\n`).join('')}`);
  await write('monday.csv', names);
  await write('tuesday.csv', [...names, 'new']);
  const word = '--allow-passwordless';
  await world.run('import-hashes', within('monday.csv'), '--job', within('monday'), word);
  const plan = (file: string, since: string, to: string, ...more: string[]) =>
    world.run('plan', within(file), '--since', within(since), '--to', within(to), word, ...more);
  const apply = (name: string) => world.run('apply', within(name), '--yes');
  await plan('tuesday.csv', 'monday', 'tuesday');
  return { world, within, write, names, plan, apply };
}

test('the file of an earlier day is recognised: nobody is disabled who came since then, unless that is allowed', async () => {
  const { within, write, names, plan, apply } = await twoDays();
  await apply('tuesday');
  const monday = `The file is that of the job in ${within('monday')}`;
  const refused = await plan('monday.csv', 'tuesday', 'wrong', '--disable-missing');
  expect(refused).toEqual({
    exitCode: 8,
    stdout: '',
    stderr: expect.stringContaining('the plan would disable 1 of 21 users, and at most 0 (0%) are allowed\n'),
  });
  expect(refused.stderr).toContain(`${monday}, an older one. Is this what you want? If so,`);
  const allowed = await plan('monday.csv', 'tuesday', 'meant', '--disable-missing', '--at-most', 'disable=1');
  expect(allowed).toMatchObject({ exitCode: 0 });
  expect(allowed.stderr).toContain(
    `Warning: ${monday}, before the one of ${within('tuesday')}: users who came since then count as no longer in it`,
  );
  expect((await plan('tuesday.csv', 'tuesday', 'same')).stderr).not.toContain(' is that of ');
  await write('wednesday.csv', names.slice(1));
  expect(await plan('wednesday.csv', 'tuesday', 'other', '--disable-missing')).toMatchObject({ exitCode: 0 });
});

test('a plan is not applied once a newer one since the same job was', async () => {
  const { within, plan, apply } = await twoDays();
  await plan('monday.csv', 'monday', 'old');
  expect(await apply('tuesday')).toMatchObject({ exitCode: 0 });
  const old = await apply('old');
  expect(old).toMatchObject({ exitCode: 3, stdout: '' });
  expect(old.stderr).toContain(
    `another plan since ${within('monday')} was applied after this one was made: ${within('tuesday')}`,
  );
  expect(old.stderr).toContain(`make a new plan with --since ${within('tuesday')}`);
  // Whoever plans now knows what that one did.
  await plan('tuesday.csv', 'monday', 'again');
  expect(await apply('again')).toMatchObject({ exitCode: 0 });
});

test('two plans since the same job are recognised whichever way leads to it', async () => {
  const { world, within, plan, apply } = await twoDays();
  await symlink(world.directory, within('link'));
  await plan('monday.csv', 'link/monday', 'old');
  expect(await apply('tuesday')).toMatchObject({ exitCode: 0 });
  expect(await apply('old')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('was applied after this one was made'),
  });
});
