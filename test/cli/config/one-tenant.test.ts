import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownVariables } from '../../../src/cli/config/variables.ts';
import { startPeer } from '../../client/start-peer.ts';
import { application } from '../../test-service.ts';
import { environmentFor, startWorld } from '../../world.ts';
import { startLoggedIn } from '../process/start-logged-in.ts';

const { client_id, client_secret } = application;

test('login --profile means the service of the profile, whatever the environment says', async () => {
  const { baseUrl, directory, file, logIn, runWith, tell } = await startLoggedIn();
  await logIn('--profile', 'acme');
  await tell('login', '--profile', 'own', '--local', join(directory, 'own.db'));
  const other = await startPeer();
  const env = {
    TENANT_USERS_BASE_URL: other.baseUrl,
    TENANT_USERS_CLIENT_ID: 'other',
    TENANT_USERS_CLIENT_SECRET: 'planted',
  };
  const before = JSON.parse(await readFile(file, 'utf8')).profiles;
  const secretFile = join(directory, 'secret.txt');
  await writeFile(secretFile, client_secret);
  const stored = { exitCode: 0, stderr: '' };
  const again = ['login', '--json', '--profile'];
  const acme = await runWith({ env }, ...again, 'acme', '--client-secret-file', secretFile);
  expect(acme).toMatchObject(stored);
  expect(JSON.parse(acme.stdout)).toMatchObject({ base_url: baseUrl, client_id });
  expect(await runWith({ env }, ...again, 'acme')).toMatchObject({ exitCode: 2 });
  expect(await runWith({ env }, ...again, 'own')).toMatchObject(stored);
  expect(other.tokenCalls).toEqual([]);
  const { token: _, ...kept } = JSON.parse(await readFile(file, 'utf8')).profiles.acme;
  expect(before.acme).toMatchObject(kept);
  expect(JSON.parse(await readFile(file, 'utf8')).profiles.own).toEqual(before.own);
  expect(await runWith({ env }, ...again, 'new', '--client-secret-file', secretFile)).toMatchObject(stored);
  expect(JSON.parse(await readFile(file, 'utf8')).profiles.new).toMatchObject({ client_id: 'other' });
});

test('login with the profile of a database that is gone makes no other one', async () => {
  const { directory, runWith, tell } = await startLoggedIn();
  const database = join(directory, 'own.db');
  await tell('login', '--profile', 'own', '--local', database);
  await rm(database);
  const gone = { exitCode: 3, stderr: expect.stringContaining('does not exist') };
  expect(await runWith({ env: {} }, 'login', '--profile', 'own')).toMatchObject(gone);
  expect((await tell('login', '--profile', 'own', '--local', database)).exitCode).toBe(0);
});

test('login makes no profile for a database that ends with the command', async () => {
  const { file, runWith } = await startLoggedIn();
  const before = await readFile(file, 'utf8');
  expect(await runWith({ env: {} }, 'login', '--local', ':temporary:')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'tenant-users: the database :temporary: ends with the command, so no profile can be for it\nName a file, such as --local tenant.db.\n',
  });
  expect(await readFile(file, 'utf8')).toBe(before);
});

test('two spellings of one base URL are one tenant', async () => {
  const { baseUrl, file, logIn, runWith, tell } = await startLoggedIn();
  const port = new URL(baseUrl).port;
  await logIn('--base-url', `HTTP://127.0.0.1:0${port}/`, '--profile', 'acme');
  expect(JSON.parse(await readFile(file, 'utf8')).profiles.acme.base_url).toBe(baseUrl);
  const stored = JSON.parse(await readFile(file, 'utf8'));
  stored.profiles.acme.base_url = `${baseUrl}/`;
  await writeFile(file, JSON.stringify(stored));
  const { stdout } = await tell('status', '--profile', 'acme', '--base-url', baseUrl, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ base_url: baseUrl, sources: { client_secret: 'profile' } });
  const env = { TENANT_USERS_BASE_URL: `HTTP://127.0.0.1:${port}`, TENANT_USERS_PROFILE: 'acme' };
  expect(await runWith({ env }, 'list')).toMatchObject({ exitCode: 0 });
});

test('status names the default as the source of an auth style if that of the profile is for another address', async () => {
  const { logIn, runWith, baseUrl } = await startLoggedIn();
  await logIn('--auth-style', 'form');
  const own = await runWith({ env: {} }, 'status');
  expect(own.stdout).toMatch(/auth style +│ form \(profile\)/);
  const env = environmentFor(baseUrl.replace('127.0.0.1', 'localhost'));
  const other = await runWith({ env }, 'status');
  expect(other.stdout).toMatch(/auth style +│ query \(default\)/);
});

test.each(ownVariables.flatMap((name) => ['', ' ', '\n'].map((value) => [name, value] as const)))(
  'the variable %s without a value, %j, is refused as an option is: it would mean another tenant',
  async (name, value) => {
    const { file, logIn, runWith } = await startLoggedIn();
    await logIn('--profile', 'acme');
    const before = await readFile(file, 'utf8');
    expect(await runWith({ env: { [name]: value } }, 'create', '--user-name', 'ann', '--yes')).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: `tenant-users: ${name} is empty: is a shell variable unset?\nGive it a value, or unset it.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe(before);
  },
);

test.each(['\n', '\r\n'])(
  'a secret of the environment may end with a line break, as one of a file: %j',
  async (end) => {
    const { run, runWith, baseUrl } = await startWorld();
    const env = environmentFor(baseUrl);
    const secret = `${env.TENANT_USERS_CLIENT_SECRET}${end}`;
    const ended = await runWith({ env: { ...env, TENANT_USERS_CLIENT_SECRET: secret } }, 'list', '--json');
    expect(ended).toEqual(await run('list', '--json'));
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
  },
);
