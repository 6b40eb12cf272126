import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownDirectories } from '../../../src/cli/context/directories.ts';
import { startTestService } from '../../test-service.ts';
import { environmentFor, runCommand, temporaryDirectory } from '../../world.ts';

const nobody = (): string => {
  throw new Error('no such user');
};

test('the directories are those of the platform', () => {
  const linux = ownDirectories({}, () => '/home/ann', 'linux');
  expect(linux.configDirectory).toBe('/home/ann/.config/tenant-users');
  expect(linux.stateDirectory).toBe('/home/ann/.local/state/tenant-users');
  const windows = ownDirectories({ APPDATA: '/roaming' }, () => '/ann', 'win32');
  expect(windows.configDirectory).toBe('/roaming/tenant-users');
  expect(windows.stateDirectory).toBe('/ann/AppData/Local/tenant-users');
  const own = ownDirectories({ XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' }, nobody, 'linux');
  expect(own).toMatchObject({ configDirectory: '/c/tenant-users', stateDirectory: '/s/tenant-users' });
});

const noHome = 'this account has no home directory with an absolute path';

test.each<[string, () => string, Record<string, string>, ofConfig: string, ofLog: string]>([
  ['no home directory', nobody, {}, noHome, noHome],
  ['an empty one', () => '', {}, noHome, noHome],
  [
    'relative directories of its own',
    () => '/home/ann',
    { XDG_CONFIG_HOME: 'x', XDG_STATE_HOME: 'y' },
    'XDG_CONFIG_HOME is not an absolute path',
    'XDG_STATE_HOME is not an absolute path',
  ],
])('an account with %s needs --config to log in, and its changes are not in the log', async (...given) => {
  const [, home, variables, ofConfig, ofLog] = given;
  const { baseUrl } = await startTestService();
  const directories = ownDirectories(variables, home, 'linux');
  const config = join(await temporaryDirectory(), 'config.json');
  const surroundings = {
    env: environmentFor(baseUrl),
    get configDirectory() {
      return directories.configDirectory;
    },
    get stateDirectory() {
      return directories.stateDirectory;
    },
  };
  const run = (...args: string[]) => runCommand(args, surroundings);
  const database = `${config}.db`;
  for (const args of [
    ['list', '--local'],
    ['login', '--local', database],
  ])
    expect(await run(...args)).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: `tenant-users: there is no place for the configuration: ${ofConfig}\nName the file with --config, or set XDG_CONFIG_HOME to an absolute path.\n`,
    });
  expect((await run('list')).exitCode).toBe(0);
  expect(await run('list', '--local', database)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining(`New empty database: ${database}\n`),
  });
  expect((await run('apps', 'list', '--local', database)).exitCode).toBe(0);
  expect((await run('explain', '7')).exitCode).toBe(0);
  expect(await run('list', '--config', config)).toMatchObject({ exitCode: 0 });
  const examined = await run('doctor', '--config', config, '--json');
  expect(examined).toMatchObject({ exitCode: 0, stderr: '' });
  const checks = Object.fromEntries(
    JSON.parse(examined.stdout).checks.map(({ name, status }: Record<string, string>) => [name, status]),
  );
  expect(checks).toMatchObject({ configuration: 'ok', log: 'warning', jobs: 'skipped', leftovers: 'ok' });
  const placeless = await run('doctor', '--json');
  expect(placeless.exitCode).toBe(0);
  expect(JSON.parse(placeless.stdout).checks).toContainEqual(
    expect.objectContaining({ name: 'configuration', status: 'warning' }),
  );
  const created = await run('create', '--user-name', 'ann', '--config', config);
  expect(created.exitCode).toBe(0);
  expect(created.stderr).toContain(`will not be in the log: there is no place for the log: ${ofLog}\n`);
  surroundings.env = { TENANT_USERS_LOCAL: database };
  expect((await run('list')).exitCode).toBe(0);
});
