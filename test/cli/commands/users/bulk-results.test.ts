import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bulk, usersOf, worldOf } from './bulk-world.ts';

test('a command that changes nobody says of each row why, and leaves the results of a run', async () => {
  const { world, file } = await worldOf(0, ['email', 'lost@x.example']);
  const ended = await world.run('disable', '--csv', file, '--to', `${file}.disable`, '--key', 'email');
  expect(ended).toMatchObject({ exitCode: 7, stdout: expect.stringMatching(/UNKNOWN_USER +│ 1/) });
  const failures = join(`${file}.disable`, 'failures.csv');
  expect(ended.stderr).toContain(`1 row was left alone. Details: ${failures}\n`);
  expect(await readFile(failures, 'utf8')).toMatch(
    /^1,2,.*UNKNOWN_USER,.*"Correct the row, or leave it out if the person has no user\.",,email=lost@x\.example$/m,
  );
  const status = await world.run('import-hashes', 'status', `${file}.disable`, '--json');
  expect(status).toMatchObject({ exitCode: 7, stderr: '' });
  expect(JSON.parse(status.stdout)).toMatchObject({ state: 'finished', rows: 1, failed: 1 });
});

test.each([
  ['create', /status looks like a status, and the import ignores it: people .* would come back enabled/],
  ['update', undefined],
  [
    'disable',
    /status looks like a status, and disable ignores it: every user whom the file names is disabled/,
  ],
])('%s says of an ignored status what becomes of these people', async (command, warning) => {
  const named = command === 'create' ? 'u2' : 'u1';
  const { world, file } = await worldOf(1, ['user_name,name,status', `${named},Ann,inactive`]);
  const { exitCode, stderr } = await bulk(world, command, file, '--key', 'user_name', '--ignore-unknown');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringContaining('Columns ignored: status.'),
  });
  if (warning) expect(stderr).toMatch(warning);
  else expect(stderr).not.toContain('looks like');
  expect(stderr.match(/come back enabled/g)?.length ?? 0).toBe(command === 'create' ? 1 : 0);
});

test('disable warns that it ignores a column whose values may say who may not log in, whatever it is called', async () => {
  const rows = ['user_name,gesperrt', 'u1,nein', 'u2,nein', 'u3,ja'];
  const { world, file } = await worldOf(3, rows);
  const { exitCode, stderr } = await bulk(world, 'disable', file, '--key', 'user_name', '--ignore-unknown');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringContaining(
      'gesperrt has values that may say who may not log in, and disable ignores it: every user whom the file names is disabled. Remove the rows of people who stay.\n',
    ),
  });
});

test.each(['create', 'update', 'disable'])(
  '%s refuses a --key that no column of the file has: every row would be about somebody else',
  async (command) => {
    const { world, file } = await worldOf(1, ['mail,name', 'u1@x.example,Ann']);
    const read = ['--key', 'email', '--map', 'name=name', '--ignore-unknown'];
    expect(await bulk(world, command, file, ...read)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /staff\.csv: the file has no column email, which --key names\n.*--map email=COLUMN/,
      ),
    });
    const mapped = await bulk(world, command, file, ...read, '--map', 'email=mail', '--json');
    expect(mapped).toMatchObject({ stdout: expect.stringContaining('"rows":1,') });
  },
);

test('with --quiet, a command for a file prints the ids of its users, and what is left to do', async () => {
  const { world, file } = await worldOf(2, ['email', 'u1@x.example', 'u2@x.example', 'lost@x.example']);
  const ids = (await usersOf(world)).map(({ user_id }) => `${user_id}\n`).join('');
  for (const directory of ['disable', 'disable-2'])
    expect(await bulk(world, 'disable', file, '--key', 'email', '--quiet')).toEqual({
      exitCode: 7,
      stdout: ids,
      stderr: `tenant-users: Look at the 1 row in failures.csv, which says what to do about each. Directory: ${file}.${directory}\n`,
    });
});

test('with --quiet, create prints no id of a user who was there before', async () => {
  const { world, file } = await worldOf(1, ['user_name,email', 'u1,u1@x.example', 'new,new@x.example']);
  const ended = await bulk(world, 'create', file, '--quiet');
  const [, created] = await usersOf(world);
  expect(ended).toMatchObject({ exitCode: 0, stdout: `${created?.user_id}\n` });
  expect(await bulk(world, 'create', file, '--quiet')).toMatchObject({ exitCode: 0, stdout: '' });
});

test('update --csv changes a disabled user as update does, and leaves one who is as the file says', async () => {
  const { world, file } = await worldOf(2, ['email,name', 'u1@x.example,', 'u2@x.example,New']);
  for (const { user_id } of await usersOf(world)) await world.client.disableUser(user_id);
  const ended = await bulk(world, 'update', file, '--key', 'email', '--json');
  expect(ended.exitCode).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ existing: 1, updated: 1, failed: 0 });
  expect(await usersOf(world)).toMatchObject([{ disabled: true }, { disabled: true, name: 'New' }]);
});

test('with --quiet, a command for a file says that users were updated in part', async () => {
  const { world, file } = await worldOf(0, ['user_name,external_id,name', 'pa,E1,Pa', 'pb,E2,Pb']);
  const quiet = (command: string, ...more: string[]) =>
    bulk(world, command, file, '--key', 'user_name', '--quiet', ...more);
  await quiet('create');
  await writeFile(file, 'user_name,external_id,name\npa,E9,PaNew\npb,E2,PbNew\n');
  const ids = (await usersOf(world)).map(({ user_id }) => `${user_id}\n`).join('');
  expect(await quiet('update')).toEqual({
    exitCode: 7,
    stdout: ids,
    stderr: `tenant-users: 1 user was updated only in part: the API cannot change every field of an existing user. plan show --action cannot lists what is left. Directory: ${file}.update\n`,
  });
});

test.each(['update', 'disable'])(
  '%s --csv names the codes of rows that cannot be sent, and the plan that has more options',
  async (name) => {
    const { world, file } = await worldOf(2, [
      'email,name',
      'u1@x.example,Tom',
      'u2@x.example,Tom &amp; Ann',
    ]);
    const ended = await bulk(world, name, file, '--key', 'email');
    expect(ended.exitCode).toBe(7);
    const [, command = ''] =
      new RegExp(
        `which ${name} does not have, make a plan instead, and apply that:\n {2}tenant-users (.*)\n`,
      ).exec(ended.stderr) ?? [];
    // Until then there is no failures.csv: the codes are those of the plan.
    const shown = `1 row cannot be sent; for the codes, see\n  tenant-users plan show ${file}.${name} --action invalid\n`;
    expect(ended.stderr).toContain(shown);
    const to = ['--to', `${file}.plan`];
    const made = await world.run(...command.split(' '), '--accept', 'ESCAPED', ...to, '--json');
    expect(JSON.parse(made.stdout)).toMatchObject({ totals: { same: 1, [name]: 1, invalid: 0 } });
  },
);
