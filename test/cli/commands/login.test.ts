import { execFileSync } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { embeddedService } from '../../../src/cli/connection/embedded-service.ts';
import { application, startTestService } from '../../test-service.ts';
import { startWorld, temporaryDirectory } from '../../world.ts';
import { startLoggedIn } from '../process/start-logged-in.ts';

const { client_id, client_secret } = application;

test('login stores a profile that later commands use and only its owner can read', async () => {
  const { ended, file, baseUrl, runWith } = await startLoggedIn();
  expect(ended).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: `Logged in to ${baseUrl}; stored as profile "default" in ${file}\n`,
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const list = await runWith({ env: {} }, 'list', '--json');
  expect({ exitCode: list.exitCode, total: JSON.parse(list.stdout).total }).toEqual({
    exitCode: 0,
    total: 0,
  });
});

test('a later command uses the stored token instead of getting another', async () => {
  const { file, runWith } = await startLoggedIn();
  const before = await readFile(file, 'utf8');
  await runWith({ env: {} }, 'list');
  expect(await readFile(file, 'utf8')).toBe(before);
});

test('profiles keep several tenants apart', async () => {
  const { directory, baseUrl, runWith } = await startLoggedIn();
  const other = ['login', '--profile', 'other.tenant', '--base-url', baseUrl, '--client-id', client_id];
  const secretFile = join(directory, 'secret.txt');
  await writeFile(secretFile, client_secret);
  const login = await runWith(
    { env: {} },
    ...other,
    '--client-secret-file',
    secretFile,
    '--auth-style',
    'basic',
  );
  expect(login.exitCode).toBe(0);

  const status = await runWith({ env: { TENANT_USERS_PROFILE: 'other.tenant' } }, 'status', '--json');
  expect(JSON.parse(status.stdout).profile).toBe('other.tenant');
  const unknown = await runWith({ env: {} }, 'list', '--profile', 'nobody');
  expect(unknown.exitCode).toBe(3);
  expect(unknown.stderr).toContain('Create it with: tenant-users login --profile nobody');
});

test('login stores nothing if the secret is wrong', async () => {
  const { baseUrl, directory, runWith } = await startWorld();
  const args = ['login', '--base-url', baseUrl, '--client-id', client_id, '--client-secret-stdin'];
  const ended = await runWith({ stdin: 'wrong', env: {} }, ...args);
  expect(ended).toEqual({
    exitCode: 4,
    stdout: '',
    stderr:
      'tenant-users: Bad client credentials (invalid_client)\nNothing was stored. Check the client id and the secret, and log in again.\n',
  });
  await expect(stat(join(directory, 'config.json'))).rejects.toThrow('ENOENT');
});

test('when not on a terminal, login asks no question and names the option instead', async () => {
  const { baseUrl, runWith } = await startWorld();
  const ended = await runWith({ env: {} }, 'login', '--base-url', baseUrl);
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toContain('Use --client-id.');
});

test('login can make a profile for the embedded service', async () => {
  const { directory, runWith } = await startWorld();
  const database = join(directory, 'own.db');
  expect((await runWith({ env: {} }, 'login', '--local', database)).exitCode).toBe(0);
  expect((await runWith({ env: {} }, 'create', '--user-name', 'ann')).exitCode).toBe(0);
  const list = await runWith({ env: {} }, 'list', '--json');
  expect(JSON.parse(list.stdout).total).toBe(1);
  expect((await stat(database)).mode & 0o777).toBe(0o600);
});

test('login warns of a configuration that others can read, and refuses one that is broken', async () => {
  const { file, runWith } = await startLoggedIn();
  await chmod(file, 0o644);
  expect((await runWith({ env: {} }, 'list')).stderr).toContain(
    `Warning: ${file} is readable by other users`,
  );
  const shown = await runWith({ env: {}, terminal: 100 }, 'list');
  expect(shown.stderr).toContain(`\x1b[33mWarning: ${file}`);
  await writeFile(file, '{ "profiles": ');
  const broken = await runWith({ env: {} }, 'list');
  expect(broken.exitCode).toBe(3);
  expect(broken.stderr).toContain(`the configuration file ${file} cannot be read: it is not JSON`);
});

test('a configuration that an editor of Windows saved is read, and written without its byte order mark', async () => {
  const { file, runWith } = await startLoggedIn();
  await writeFile(file, `\uFEFF${await readFile(file, 'utf8')}`);
  expect(await runWith({ env: {} }, 'list')).toMatchObject({ exitCode: 0 });
  expect(await runWith({ env: {} }, 'logout')).toMatchObject({ exitCode: 0 });
  expect((await readFile(file, 'utf8'))[0]).toBe('{');
});

test('the credentials of a profile are sent to its own address only', async () => {
  const { runWith } = await startLoggedIn();
  const other = await startTestService();
  for (const [env, args] of [
    [{}, ['--base-url', other.baseUrl]],
    [{ TENANT_USERS_BASE_URL: other.baseUrl }, []],
  ] as const) {
    const { exitCode, stderr } = await runWith({ env }, 'list', ...args);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`no client id is configured for ${other.baseUrl}`);
  }
});

test('a renewed token never undoes a change of the profile', async () => {
  const { file, runWith } = await startLoggedIn();
  const stored = JSON.parse(await readFile(file, 'utf8'));
  stored.profiles.default.token.expires_at = 0;
  await writeFile(file, JSON.stringify(stored));
  expect((await runWith({ env: { TENANT_USERS_CLIENT_SECRET: 'wrong' } }, 'list')).exitCode).toBe(4);
  expect((await runWith({ env: {} }, 'list')).exitCode).toBe(0);
  const renewed = JSON.parse(await readFile(file, 'utf8')).profiles.default;
  expect(renewed.token.expires_at).toBeGreaterThan(Date.now());
  expect(renewed).toMatchObject({ client_id, client_secret });
});

const ours = 'it is not a configuration of this program';

test.each([
  ['{"profiles":"x"}', ours],
  ['{"current":5}', ours],
  ['{"profiles":{"default":3}}', 'profile "default" is not an object'],
  ['{"profiles":{"default":{"base_url":5}}}', 'base_url of profile "default" is not valid'],
  ['{"profiles":{"x":{"local":{}}}}', 'local of profile "x" is not valid'],
  ['{"profiles":{"default":{"client_secret":["planted"]}}}', 'client_secret of profile "default" is'],
  ['{"profiles":{"default":{"auth_style":"planted"}}}', 'auth_style of profile "default" is not valid'],
  ['{"profiles":{"default":{"token":"planted"}}}', 'token of profile "default" is not valid'],
  ['{"profiles":{"default":{"token":{"access_token":"planted"}}}}', 'token of profile "default" is not'],
])('a configuration with a wrong structure is reported as such: %s', async (text, reason) => {
  const { file, runWith } = await startLoggedIn();
  await writeFile(file, text);
  for (const command of ['list', 'status', 'profiles list', 'logout --all']) {
    const { exitCode, stderr } = await runWith({ env: {} }, ...command.split(' '));
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`the configuration file ${file} cannot be read: ${reason}`);
    expect(stderr).not.toContain('planted');
  }
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('after a change of the address only the name of the old profile is kept', async () => {
  const { file, tell, runWith } = await startLoggedIn();
  const other = await startTestService();
  await tell('logout');
  const refused = await tell('login', '--base-url', other.baseUrl);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('Use --client-id.');
  const args = ['login', '--base-url', other.baseUrl, '--client-id', client_id, '--client-secret-stdin'];
  expect((await runWith({ stdin: client_secret, env: {} }, ...args, '--auth-style', 'form')).exitCode).toBe(
    0,
  );
  const { base_url, auth_style } = JSON.parse(await readFile(file, 'utf8')).profiles.default;
  expect({ base_url, auth_style }).toEqual({ base_url: other.baseUrl, auth_style: 'form' });
});

test('a second profile is stored beside the current one, and login says how to use it', async () => {
  const { logIn, tell } = await startLoggedIn();
  const { exitCode, stderr } = await logIn('--profile', 'other');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('tenant-users profiles use other\n');
  expect(JSON.parse((await tell('status', '--json')).stdout).profile).toBe('default');
});

test('the command that login prints is safe to copy, whatever the name of the profile', async () => {
  const { logIn } = await startLoggedIn();
  const name = `$(echo run) "; echo 'run' \``;
  const { stderr } = await logIn('--profile', name);
  const [, words = ''] = /: tenant-users (profiles use .*)$/m.exec(stderr) ?? [];
  expect(execFileSync('sh', ['-c', `printf '%s\\n' ${words}`], { encoding: 'utf8' })).toBe(
    `profiles\nuse\n${name}\n`,
  );
});

test.each([
  ['a\nb', 'contains control characters'],
  ['--prod', 'begins with a dash, as an option does'],
])('login refuses a profile name that a terminal or a shell could not take: %j', async (name, fault) => {
  const { logIn } = await startLoggedIn();
  const { exitCode, stderr } = await logIn('--profile', name);
  const said = `tenant-users: the profile name ${fault}\nChoose another with --profile.\n`;
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: said });
});

test('a password in the address of a database is refused, and printed nowhere', async () => {
  const { runWith, directory } = await startWorld();
  const database = 'postgres://admin:planted-password@127.0.0.1:1/none';
  expect(await runWith({ env: {} }, 'login', '--local', database)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('set PGPASSWORD or use ~/.pgpass'),
  });
  await expect(stat(join(directory, 'config.json'))).rejects.toThrow('ENOENT');
  expect(embeddedService(database)).toBe('embedded service on postgres://127.0.0.1:1/none');
});

test.each([['--client-id=x'], ['--client-secret-stdin'], ['--client-secret-file=x'], ['--auth-style=form']])(
  'login to the embedded service refuses %s, which would have no effect',
  async (option) => {
    const { runWith } = await startWorld();
    const { exitCode, stderr } = await runWith({ env: {} }, 'login', '--local', ':memory:', option);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${option.split('=')[0]} is for a service with credentials`);
  },
);

test('login refuses an empty client id, which an unset shell variable leaves', async () => {
  const { run } = await startWorld();
  const { exitCode, stderr } = await run('login', '--client-id', '');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('is a shell variable unset?');
});

test('a profile for a local database means the same database in every working directory', async () => {
  const { tell, runWith, file } = await startLoggedIn();
  const database = relative(process.cwd(), join(await temporaryDirectory(), 'own.db'));
  expect((await runWith({ env: {} }, 'login', '--local', database, '--profile', 'own')).exitCode).toBe(0);
  expect(JSON.parse(await readFile(file, 'utf8')).profiles.own.local).toBe(resolve(database));
  expect((await tell('list', '--profile', 'own')).exitCode).toBe(0);
});
