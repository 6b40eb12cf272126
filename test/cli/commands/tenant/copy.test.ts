import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyTenants } from '../../../../src/service/admin/copy-tenants.ts';
import { runCommand, temporaryDirectory } from '../../../world.ts';

test('a database is copied into a new one, which then has the same users', async () => {
  const directory = await temporaryDirectory();
  const database = join(directory, 'tenant.db');
  const run = (...args: string[]) => runCommand(args, { env: {}, configDirectory: directory });
  const to = `${database}.copy`;
  expect(await run('tenant', 'copy', to, '--local', database)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('there is no service in this database yet'),
  });
  expect([to, `${to}.audit.jsonl`].filter((path) => existsSync(path))).toEqual([]);
  expect(await run('tenant', 'copy', ':memory:', '--local', database)).toMatchObject({ exitCode: 2 });
  await run('create', '--user-name', 'ann', '--local', database);
  const { stdout, stderr, exitCode } = await run('tenant', 'copy', to, '--local', database);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
  expect(stderr).toMatch(
    /\nCopied \d+ rows of default to .+\.copy, and compared them\nWhat is written to .+\.db from now on is not in the copy\n$/,
  );
  const found = await run('get', '--by-user-name', 'ann', '--local', to, '--json');
  expect(JSON.parse(found.stdout)).toMatchObject({ user_name: 'ann' });
  const again = await run('tenant', 'copy', to, '--local', database);
  expect(again).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('the database to copy to is not empty\nCopy into a new database.\n'),
  });
  const onDirectory = await run('tenant', 'copy', directory, '--local', database);
  expect(onDirectory).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('\nCopy into another database.\n'),
  });
  const { events } = JSON.parse((await run('audit', '--local', to, '--json')).stdout);
  expect(events).toContainEqual(expect.objectContaining({ event: 'copyTenants', outcome: 'done' }));
});

test('a command on a copy that was cut off says so, and to copy again', async () => {
  const directory = await temporaryDirectory();
  const [database, half] = [join(directory, 'tenant.db'), join(directory, 'half.db')];
  const run = (...args: string[]) => runCommand(args, { env: {}, configDirectory: directory });
  await run('create', '--user-name', 'ann', '--local', database);
  const copying = copyTenants(database, half, () => {
    throw new Error('cut off');
  });
  await expect(copying).rejects.toThrow('cut off');
  const why = 'a copy into it was not finished\nDrop this database, and copy again.\n';
  for (const command of ['tenant show', 'apps list', 'apps create --scope all', 'tenant copy other.db']) {
    const { exitCode, stdout, stderr } = await run(...command.split(' '), '--local', half);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toContain(`tenant-users: the database ${half} cannot be used: ${why}`);
  }
  expect(await run('list', '--local', half)).toMatchObject({
    exitCode: 3,
    stderr: `tenant-users: the service cannot start on ${half}: ${why}`,
  });
});

test.each<[string, number, string]>([
  [
    'tpyo/x.db',
    3,
    'tenant-users: there is no directory tpyo for the database tpyo/x.db\nCorrect its name, or run: mkdir -p tpyo\n',
  ],
  [
    'sqlite:x.db',
    2,
    'tenant-users: sqlite: begins no address of a database that can be opened\nName the file itself, such as tenant.db.\n',
  ],
  ['users.csv', 2, 'tenant-users: users.csv has the name of a file of data, not of a database\n'],
  [
    'postgres://ann:secret@localhost/x',
    2,
    'tenant-users: the database URL contains a password, which other users of this machine could read\n',
  ],
])('a database %s to copy to is refused, and nothing is made', async (to, exitCode, reason) => {
  const directory = await temporaryDirectory();
  const database = join(directory, 'tenant.db');
  const run = (...args: string[]) => runCommand(args, { env: {}, configDirectory: directory });
  await run('create', '--user-name', 'ann', '--local', database);
  const found = await run('tenant', 'copy', to, '--local', database);
  expect(found).toEqual({ exitCode, stdout: '', stderr: expect.stringContaining(reason) });
  expect(found.stderr).not.toMatch(/^Target/m);
  expect(['tpyo', `${to}.audit.jsonl`].filter((path) => existsSync(path))).toEqual([]);
});
