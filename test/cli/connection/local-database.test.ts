import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { withDatabase } from '../../../src/service/storage/open-database.ts';
import { startWorld } from '../../world.ts';
import { startLoggedIn } from '../process/start-logged-in.ts';

const commands = [
  ['keys', 'list'],
  ['keys', 'reset', '--yes'],
  ['apps', 'list'],
  ['apps', 'create'],
  ['sessions', 'end', 'ann', '--yes'],
  ['tenant', 'show'],
  ['audit'],
];

test('commands on a local database refuse a service elsewhere that is named, and leave the default database alone', async () => {
  const { directory, logIn, runWith } = await startLoggedIn();
  await logIn('--profile', 'prod');
  const named: [option: string, args: string[], env: Record<string, string>][] = [
    ['--profile', ['--profile', 'prod'], {}],
    ['--base-url', ['--base-url', 'https://id.example.com'], {}],
    ['TENANT_USERS_PROFILE', [], { TENANT_USERS_PROFILE: 'prod' }],
    ['TENANT_USERS_BASE_URL', [], { TENANT_USERS_BASE_URL: 'https://id.example.com' }],
  ];
  for (const command of commands) {
    for (const [option, args, env] of named) {
      const ended = await runWith({ env }, ...command, ...args);
      expect(ended, `${command.join(' ')} with ${option}`).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringMatching(
          command[0] === 'audit'
            ? /and a service elsewhere have no audit log on this machine\n/
            : new RegExp(
                `service only, and ${option} names a service elsewhere\n.*instead of ${option}\\.\n$`,
              ),
        ),
      });
    }
  }
  expect(existsSync(join(directory, 'local.db'))).toBe(false);
});

test.each(['missing', 'of another program'])('a database that is %s gets no audit log', async (kind) => {
  const { directory, runWith } = await startLoggedIn();
  const database = join(directory, 'named', 'other.db');
  mkdirSync(join(directory, 'named'));
  const isMissing = kind === 'missing';
  if (!isMissing) new DatabaseSync(database).exec('CREATE TABLE notes (note TEXT)');
  for (const command of [
    ...[
      ['apps', 'revoke', 'a', '--yes'],
      ['apps', 'rotate-secret', 'a'],
      ['keys', 'rotate', '--yes'],
    ],
    ...commands.filter(([word]) => word !== 'tenant'),
  ])
    expect(await runWith({ env: {} }, ...command, '--local', database), command.join(' ')).toMatchObject({
      exitCode: 3,
      stdout: '',
    });
  expect(readdirSync(join(directory, 'named'))).toEqual(isMissing ? [] : ['other.db']);
  const initial = await runWith({ env: {} }, 'apps', 'create');
  expect(initial.stderr).toContain('there is no service in this database yet');
});

test('they use the database of a local profile, and the default one beside a remote profile that is only current', async () => {
  const { directory, tell, runWith } = await startLoggedIn();
  const own = join(directory, 'own.db');
  await tell('login', '--profile', 'rehearsal', '--local', own);
  const target = async (env: Record<string, string>, ...args: string[]) =>
    (await runWith({ env }, 'keys', 'reset', '--yes', ...args)).stderr.split('\n')[0];
  const initial = `Target: database ${join(directory, 'local.db')}`;
  await tell('list', '--local');
  expect(await target({}, '--profile', 'rehearsal')).toBe(`Target: database ${own}`);
  expect(await target({ TENANT_USERS_PROFILE: 'rehearsal' })).toBe(`Target: database ${own}`);
  expect(await target({})).toBe(initial);
  // The address of a serve on this machine.
  expect(await target({ TENANT_USERS_BASE_URL: 'http://127.0.0.1:8080' })).toBe(initial);
  expect(await target({ TENANT_USERS_PROFILE: 'default' }, '--local', own)).toBe(`Target: database ${own}`);
});

test('a command with --local leaves no access token in the database', async () => {
  const { directory, runWith } = await startLoggedIn();
  const database = join(directory, 'own.db');
  for (const command of ['list', 'status'])
    expect(await runWith({ env: {} }, command, '--local', database)).toMatchObject({ exitCode: 0 });
  const tokens = 'SELECT count(*) AS stored FROM tokens';
  expect(await withDatabase(database, (opened) => opened.query(tokens, []))).toEqual([{ stored: 0 }]);
});

test.skipIf(process.platform === 'win32')(
  'a database that other accounts can read is warned of, by what uses it through the service and by what does not',
  async () => {
    const { directory, run } = await startWorld();
    const database = join(directory, 'tenant.db');
    const use = ['create', '--user-name', 'ann', '-q', '--local', database];
    expect(await run(...use)).toMatchObject({ exitCode: 0, stderr: '' });
    await chmod(database, 0o666);
    const warning = `Warning: ${database} is readable by other users; fix it with: chmod 600 ${database}\n`;
    const listed = await run('list', '--local', database);
    expect(listed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(warning) });
    const apps = await run('apps', 'list', '--local', database);
    expect(apps).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(warning) });
  },
);
