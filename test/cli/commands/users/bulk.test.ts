import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';
import { bulk, usersOf, worldOf } from './bulk-world.ts';

test('update changes every user of a file by e-mail address, creates nobody, and lists users who were not found', async () => {
  const { world, file } = await worldOf(3, [
    'email,nick_name',
    'u1@x.example,One',
    'U2@X.example,Two',
    'no@x.example,No',
  ]);
  const first = await bulk(
    world,
    'update',
    file,
    '--key',
    'email',
    '--map',
    'attr_nick_name=nick_name',
    '--json',
  );
  expect(first).toMatchObject({ exitCode: 7, stderr: '' });
  expect(JSON.parse(first.stdout)).toMatchObject({
    rows: 3,
    updated: 2,
    created: 0,
    failed: 1,
    codes: { UNKNOWN_USER: 1 },
  });
  const users = await usersOf(world);
  expect(users.map(({ user_name, attr_nick_name }) => [user_name, attr_nick_name ?? ''])).toEqual([
    ['u1', 'One'],
    ['u2', 'Two'],
    ['u3', ''],
  ]);
  const again = await bulk(world, 'update', file, '--key', 'email', '--map', 'attr_nick_name=nick_name');
  expect(again).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('Nobody is changed.') });
  const json = await bulk(
    world,
    'update',
    file,
    '--key',
    'email',
    '--map',
    'attr_nick_name=nick_name',
    '--json',
  );
  expect(json).toMatchObject({ exitCode: 7, stderr: '' });
  expect(JSON.parse(json.stdout)).toMatchObject({
    updated: 0,
    existing: 2,
    failed: 1,
    codes: { UNKNOWN_USER: 1 },
  });
  expect((await readdir(world.directory)).filter((name) => name.includes('.update'))).toEqual([
    'staff.csv.update',
    'staff.csv.update-2',
    'staff.csv.update-3',
  ]);
});

test('disable disables every user of a file, even all users of a tenant, and nobody the second time', async () => {
  const { world, file } = await worldOf(2, ['email,name', 'u1@x.example,Another', 'u2@x.example,']);
  const first = await bulk(world, 'disable', file, '--key', 'email');
  expect(first).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('disable 2') });
  expect((await usersOf(world)).map(({ disabled }) => disabled)).toEqual([true, true]);
  const again = await bulk(world, 'disable', file, '--key', 'email', '--json');
  expect(again).toMatchObject({ exitCode: 0, stderr: '' });
  const nothing = { rows: 2, disabled: 0, existing: 2, failed: 0, codes: {} };
  expect(JSON.parse(again.stdout)).toMatchObject(nothing);
  // The document has the same fields, whether there was something to do or not.
  expect(Object.keys(JSON.parse(again.stdout)).sort()).toEqual(
    Object.keys(JSON.parse(await readFile(join(`${file}.disable`, 'summary.json'), 'utf8'))).sort(),
  );
  const chosen = await bulk(world, 'disable', file, '--key', 'email', '--columns', 'disabled', '-o', 'csv');
  expect(chosen.stdout).toBe('disabled\n0\n');
});

test('create creates missing users, and does not change existing ones', async () => {
  const { world, file } = await worldOf(1, ['user_name,email', 'u1,u1@x.example', 'u2,u2@x.example']);
  const first = await bulk(world, 'create', file, '--json');
  expect(JSON.parse(first.stdout)).toMatchObject({ rows: 2, created: 1 });
  expect(first).toMatchObject({ exitCode: 0, stderr: '' });
  const again = await bulk(world, 'create', file);
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Nobody is changed.') });
  expect(await usersOf(world)).toHaveLength(2);
});

test('an interrupted command can be resumed only with the same options', async () => {
  const count = 40;
  const rows = Array.from({ length: count }, (_, at) => `u${at + 1}@x.example,Nick ${at + 1},Other`);
  const { world, file } = await worldOf(count, ['email,nick,other', ...rows]);
  const stop = new AbortController();
  const to = `${file}.update`;
  const named = ['--csv', file, '--to', to, '--rate', '400/s', '--yes'];
  const [key, map, ignored] = ['--key=email', '--map=attr_nick_name=nick', '--ignore-unknown'];
  const words = ['update', ...named, key, map, ignored];
  const running = world.runWith({ signal: stop.signal }, ...words);
  while (!existsSync(join(to, 'journal.db'))) await new Promise((resolve) => setTimeout(resolve, 2));
  stop.abort('SIGINT');
  expect(await running).toMatchObject({ exitCode: 130 });
  for (const [other, fault] of [
    [['update', ...named, '--key=user_name', map, ignored], 'with another --key'],
    [['update', ...named, key, '--map=attr_nick_name=other', ignored], 'with another --map'],
    [['update', ...named, key, map, '--map=name=other', ignored], 'with another --map'],
    [['update', ...named, key, map], 'with another --ignore-unknown'],
  ] as const) {
    expect(await world.run(...other)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`holds an interrupted run ${fault}`),
    });
  }
  const content = await readFile(file);
  await writeFile(file, 'email,nick,other\nu1@x.example,New,\n');
  expect(await world.run(...words)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringMatching(
      /the file was changed after the plan was made\nAn interrupted run read staff\.csv as it was before: \d+ rows of it have no outcome\. To finish it, restore that file, or name it where it is now:\n {2}tenant-users apply \S+\.update --file FILE\nTo leave .*\(--to\)/,
    ),
  });
  await writeFile(file, content);
  expect(await world.run(...words)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(
      /This run goes on with an earlier one, which was agreed to: \d+ of \d+ rows have outcomes\. It does not ask again\.\n(?:.*\n)*User ids: \S+users\.csv\n/,
    ),
  });
  const names = (await usersOf(world)).map(({ attr_nick_name }) => attr_nick_name);
  expect(names).toEqual(rows.map((row) => row.split(',')[1]));
  expect(await readFile(join(to, 'users.csv'), 'utf8')).toContain(`${count},`);
});

test('a command that a changed user stopped goes on with the others, by the command that it prints', async () => {
  const rows = Array.from({ length: 100 }, (_, at) => `u${at + 1}@x.example,Nick`);
  const { world, file } = await worldOf(100, ['email,attr_nick_name', ...rows]);
  const [stop, to] = [new AbortController(), `${file}.update`];
  const words = ['update', '--csv', file, '--key', 'email', '--to', to, '--rate', '400/s'];
  const running = world.runWith({ signal: stop.signal }, ...words, '--yes');
  while (!existsSync(join(to, 'journal.db'))) await new Promise((resolve) => setTimeout(resolve, 2));
  stop.abort('SIGINT');
  expect(await running).toMatchObject({ exitCode: 130 });
  const changed = (await usersOf(world)).findIndex((user) => user.attr_nick_name === undefined);
  const { user_id: id } = await world.client.getUserByUserName(`u${changed + 1}`);
  await world.client.updateUser(id, { attr_nick_name: 'Own' });
  const stopped = await world.run(...words);
  expect(stopped).toMatchObject({
    exitCode: 8,
    stderr: expect.stringContaining('go on with --accept-drift 1'),
  });
  const again = ['tenant-users', ...words, '--accept-drift', '1'];
  expect(stopped.stderr).toContain(`\n  ${again.join(' ')}\n`);
  expect(await world.run(...again.slice(1))).toMatchObject({ exitCode: 7 });
  const names = (await usersOf(world)).map(({ attr_nick_name }) => attr_nick_name);
  expect(names).toEqual(rows.map((_, at) => (at === changed ? 'Own' : 'Nick')));
});

test.each([
  [['update', 'u-1'], 'a user id cannot be used with --csv'],
  [['update', '--by-email', 'a@x.example'], '--by-email cannot be used with --csv'],
  [['update', '--name', 'Ann'], '--name cannot be used with --csv'],
  [['disable', '--from', '-'], '--from cannot be used with --csv'],
  [['create', '--password-stdin'], '--password-stdin cannot be used with --csv'],
])('%j is for one user or a list of ids, and is refused together with --csv', async (words, message) => {
  const { run } = await startWorld();
  expect(await run(...words, '--csv', 'staff.csv')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(message),
  });
});

test.each([
  '--to=x',
  '--key=email',
  '--map=a=b',
  '--rate=5/s',
  '--max-failures=1',
  '--accept-drift=1',
  '--ignore-unknown',
])('%s without --csv is refused', async (option) => {
  const { run } = await startWorld();
  expect(await run('update', 'u-1', '--name', 'Ann', option)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('requires --csv'),
  });
});

test('--columns selects fields of the summary with --csv, and of a user without', async () => {
  const { world, file } = await worldOf(1, ['user_name', 'u2']);
  const { exitCode, stdout } = await bulk(world, 'create', file, '--columns', 'rows,created', '-o', 'csv');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'rows,created\n1,1\n' });
  expect(await bulk(world, 'create', file, '--columns', 'user_id')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /unknown column "user_id"\nAvailable: job, target, rows, in_no_row, created/,
    ),
  });
  expect(await world.run('create', '--user-name', 'u3', '--columns', 'rows')).toMatchObject({ exitCode: 2 });
  expect((await usersOf(world)).map(({ user_name }) => user_name)).toEqual(['u1', 'u2']);
});

test('a hash that the API does not accept is not an issue of a row whose user is only changed', async () => {
  const lines = ['user_name,email,hash', 'u1,new@x.example,{SSHA}MTIzNDU2Nzg5MDEyMzQ1Njc4OTBzYWx0'];
  const { world, file } = await worldOf(1, lines);
  for (const [command, ...more] of [['update', '--key', 'user_name'], ['disable']] as const) {
    const { exitCode, stdout } = await bulk(world, command, file, ...more, '--json');
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: 0,
      [`${command}d`]: 1,
      invalid: 0,
    });
  }
  expect(await usersOf(world)).toMatchObject([{ email: 'new@x.example', disabled: true }]);
});
