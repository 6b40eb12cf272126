import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld } from '../../../world.ts';

/** A world, and a function that creates the users of a file in it. */
async function creating(...rows: string[]) {
  const world = await startWorld();
  const [file, to] = ['new.csv', 'create'].map((name) => join(world.directory, name)) as [string, string];
  await writeFile(file, ['user_name,Mail,algorithm,hash', ...rows].join('\n'));
  const words = ['create', '--csv', file, '--to', to, '--map', 'email=Mail'];
  return { world, create: (...more: string[]) => world.run(...words, ...more) };
}

test('create --csv lets people keep their passwords by the option that it names', async () => {
  const { create } = await creating(`ann,ann@x.example,md5,${goodHashes.md5}`, 'bob,bob@x.example,,');
  const asked = await create();
  expect(asked).toMatchObject({ exitCode: 2, stdout: '' });
  expect(asked.stderr).toContain(
    '1 user must change the password at the first login by the default of the API. To let them keep it, run create --csv again with --no-must-modify',
  );
  const created = await create('--no-must-modify', '--yes', '--json');
  expect(created).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(created.stdout)).toMatchObject({ created: 2, must_change_password: 0 });
});

test('create --csv names the command that tries known passwords, with the options for the file', async () => {
  const { world, create } = await creating(`ann,ann@x.example,md5,${goodHashes.md5}`);
  const { stderr } = await create('--no-must-modify');
  const [, command = ''] = /Try known passwords first: tenant-users (.*)/.exec(stderr) ?? [];
  expect(command).toMatch(
    /^import-hashes \S+new\.csv --map email=Mail --set pwd_must_modify=false --allow-passwordless --rehearse/,
  );
  const known = join(world.directory, 'known.csv');
  await writeFile(known, 'ann,secret\n');
  const words = command.split(' ').map((word) => (word === 'known.csv' ? known : word));
  expect(await world.run(...words, '--job', join(world.directory, 'trial'))).toMatchObject({ exitCode: 0 });
});

test('create --csv --no-must-modify leaves the choice of the file to the rows that have one', async () => {
  const world = await startWorld();
  const file = join(world.directory, 'new.csv');
  await writeFile(file, `user_name,pwd_must_modify,algorithm,hash\nann,true,md5,${goodHashes.md5}\n`);
  const words = ['create', '--csv', file, '--to', `${file}.create`, '--no-must-modify', '--yes', '--json'];
  const { exitCode, stdout } = await world.run(...words);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ created: 1, must_change_password: 1 });
});

test('create --csv that asks nobody says as a fact who must change the password, and what a second run leaves', async () => {
  const { create } = await creating(`ann,ann@x.example,md5,${goodHashes.md5}`);
  const created = await create('--yes');
  expect(created.stderr).toContain(
    '1 user must change the password at the first login by the default of the API. This cannot be changed after the import.\n',
  );
  const second = await create('--no-must-modify', '--yes');
  expect(second).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(kept) });
});

const kept =
  '1 user was there before and keeps the password and pwd_must_modify: the API cannot change them, so this run did not send the hash of the row\n';

test.each([
  ['ann', 'existing'],
  ['Ann', 'updated'],
])('update --csv says that it sends no hash, also where it changes the name to %s', async (name, result) => {
  const { world } = await creating();
  const { user_id } = await world.client.createUser({ user_name: 'ann', name: 'ann' });
  const file = join(world.directory, 'update.csv');
  await writeFile(file, `user_name,name,algorithm,hash\nann,${name},md5,${goodHashes.md5}\n`);
  const words = ['update', '--csv', file, '--to', `${file}.update`, '--key', 'user_name', '--yes'];
  const ended = await world.run(...words);
  expect(ended).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(kept) });
  expect(ended.stderr).toContain(`1 row: 1 ${result}\n`);
  expect((await world.client.getUser(user_id)).name).toBe(name);
});
