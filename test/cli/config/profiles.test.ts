import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProfiles } from '../../../src/cli/config/profiles.ts';
import type { CommandContext } from '../../../src/cli/context/context.ts';
import { application } from '../../test-service.ts';
import { startWorld, temporaryDirectory } from '../../world.ts';
import { startLoggedIn } from '../process/start-logged-in.ts';

const { client_id, client_secret } = application;

async function startWithThree() {
  const world = await startLoggedIn();
  await world.logIn('--profile', 'acme');
  const local = join(world.directory, 'own.db');
  await world.tell('login', '--profile', 'rehearsal', '--local', local);
  return { ...world, local };
}

test('profiles list shows the profiles and no secret', async () => {
  const { tell, baseUrl, local, file } = await startWithThree();
  const json = await tell('profiles', 'list', '--json');
  const remote = {
    base_url: baseUrl,
    local: null,
    client_id,
    logged_in: true,
    token: { expires_at: expect.stringMatching(/Z$/), scope: 'all' },
  };
  expect(JSON.parse(json.stdout)).toEqual({
    current: 'default',
    profiles: [
      { name: 'default', current: true, ...remote },
      { name: 'acme', current: false, ...remote },
      {
        name: 'rehearsal',
        current: false,
        base_url: null,
        local,
        client_id: null,
        logged_in: true,
        token: null,
      },
    ],
  });
  const table = await tell('profiles', 'list');
  expect({ exitCode: table.exitCode, stderr: table.stderr }).toEqual({
    exitCode: 0,
    stderr: `Configuration ${file}\n`,
  });
  expect(table.stdout).toMatch(/default +│ http\S+ +│ test-application +│ \* +│ until \S+Z/);
  expect(table.stdout).toMatch(/rehearsal +│ embedded service on \S+ +│ +│ +│ not needed/);
  const { access_token } = JSON.parse(await readFile(file, 'utf8')).profiles.default.token;
  for (const secret of [client_secret, access_token]) {
    expect(json.stdout + table.stdout).not.toContain(secret);
  }
});

test('a profile that is typed means its tenant, whatever the environment says', async () => {
  const { runWith, tell, baseUrl, local } = await startWithThree();
  const elsewhere = { TENANT_USERS_BASE_URL: 'https://other.example.com', TENANT_USERS_CLIENT_ID: 'x' };
  for (const env of [elsewhere, { TENANT_USERS_LOCAL: local }]) {
    const { stdout } = await runWith({ env }, 'status', '--profile', 'acme', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ base_url: baseUrl, client_id, local: null });
  }
  const { stdout } = await runWith({ env: elsewhere }, 'status', '--profile', 'rehearsal', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ local });
  expect((await tell('list', '--profile', 'acme')).exitCode).toBe(0);
});

test.each([
  ['its own base URL', { TENANT_USERS_BASE_URL: 'https://other.example.com' }],
  ['its own client id', { TENANT_USERS_CLIENT_ID: 'other' }],
])('a typed profile without a secret does not get that of an environment with %s', async (_, other) => {
  const { runWith, tell, baseUrl } = await startWithThree();
  await tell('logout', '--profile', 'acme');
  const secret = { TENANT_USERS_CLIENT_SECRET: client_secret };
  const refused = await runWith({ env: { ...secret, ...other } }, 'list', '--profile', 'acme');
  expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
  expect(refused.stderr).toContain(`no client secret is configured for ${baseUrl}`);
  expect(refused.stderr).toContain('TENANT_USERS_CLIENT_SECRET is for another tenant');
  expect(refused.stderr).not.toContain(client_secret);
  const same = { TENANT_USERS_BASE_URL: `${baseUrl}/`, TENANT_USERS_CLIENT_ID: client_id };
  for (const env of [secret, { ...secret, ...same }])
    expect(await runWith({ env }, 'list', '--profile', 'acme')).toMatchObject({ exitCode: 0 });
});

test('profiles list without a profile says how to make one', async () => {
  const { run } = await startWorld();
  const { exitCode, stdout, stderr } = await run('profiles', 'list');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  expect(stderr).toContain('create one with: tenant-users login');
  expect((await run('profiles', 'list', '--json')).stdout).toBe('{"profiles":[],"current":null}\n');
});

test('profiles use makes another profile the current one', async () => {
  const { tell, runWith } = await startWithThree();
  expect(await tell('profiles', 'use', 'acme')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'Profile "acme" is current\n',
  });
  expect(JSON.parse((await tell('status', '--json')).stdout).profile).toBe('acme');
  const env = { TENANT_USERS_PROFILE: 'acme' };
  const overruled = await runWith({ env }, 'profiles', 'use', 'default');
  expect(overruled.stderr).toContain('Notice: TENANT_USERS_PROFILE is set to "acme"');
  for (const variable of ['TENANT_USERS_BASE_URL', 'TENANT_USERS_LOCAL']) {
    const { stderr } = await runWith({ env: { [variable]: '1' } }, 'profiles', 'use', 'acme');
    expect(stderr).toContain(
      `Notice: ${variable} is set and takes precedence. To use this profile, unset it,`,
    );
  }
  expect((await tell('profiles', 'use', 'acme', '--json')).stdout).toBe('{"current":"acme"}\n');
});

test.each([
  ['profiles', 'use', 'akme'],
  ['profiles', 'remove', 'akme', '--yes'],
  ['list', '--profile', 'akme'],
])('%s %s %s ends with exit code 3, the list of profiles and a suggestion', async (...args) => {
  const { tell } = await startWithThree();
  const { exitCode, stdout, stderr } = await tell(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  expect(stderr).toContain('Did you mean "acme"?\nAvailable: "default", "acme", "rehearsal".\n');
});

test('profiles remove asks first, and removes nothing else', async () => {
  const { tell, file } = await startWithThree();
  const refused = await tell('profiles', 'remove', 'acme');
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('Run:\n  tenant-users profiles remove acme --yes\n');
  expect(await tell('profiles', 'remove', 'acme', '--yes')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'Removed profile "acme"\n',
  });
  const stored = JSON.parse(await readFile(file, 'utf8'));
  expect(Object.keys(stored.profiles)).toEqual(['default', 'rehearsal']);
  expect(stored.current).toBe('default');
});

test('after the current profile is removed, no other one becomes current by itself', async () => {
  const { tell, logIn } = await startWithThree();
  await tell('profiles', 'use', 'acme');
  const removed = await tell('profiles', 'remove', 'acme', '--yes');
  expect(removed.stderr).toBe('Removed profile "acme"\nProfile "default" is now current\n');
  expect((await tell('profiles', 'remove', 'default', '--yes', '--json')).stdout).toBe(
    '{"removed":"default","current":null}\n',
  );
  const list = await tell('list');
  expect(list.exitCode).toBe(3);
  expect(list.stderr).toContain('Select one with: tenant-users profiles use NAME (available: "rehearsal")');
  expect((await tell('list', '--profile', 'rehearsal')).exitCode).toBe(0);
  expect(JSON.parse((await tell('profiles', 'list', '--json')).stdout).current).toBeNull();
  await logIn('--profile', 'new');
  expect(JSON.parse((await tell('profiles', 'list', '--json')).stdout).current).toBe('new');
  await tell('profiles', 'remove', 'new', '--yes');
  const last = await tell('profiles', 'remove', 'rehearsal', '--yes');
  expect(last.stderr).toContain('No profiles are left; create one with: tenant-users login');
});

test('a renewed token does not make its profile the current one', async () => {
  const { tell, logIn, file } = await startLoggedIn();
  await logIn('--profile', 'acme');
  await tell('profiles', 'remove', 'default', '--yes');
  const stored = JSON.parse(await readFile(file, 'utf8'));
  stored.profiles.acme.token.expires_at = 0;
  await writeFile(file, JSON.stringify(stored));
  expect((await tell('list', '--profile', 'acme')).exitCode).toBe(0);
  const { current, profiles } = JSON.parse(await readFile(file, 'utf8'));
  expect(profiles.acme.token.expires_at).toBeGreaterThan(Date.now());
  expect(current).toBeUndefined();
});

test.each(['__proto__', 'constructor', 'two words', "it's", 'a.b'])(
  'a profile may have the name %s',
  async (name) => {
    const { tell, logIn } = await startLoggedIn();
    expect((await logIn('--profile', name)).exitCode).toBe(0);
    expect((await tell('list', '--profile', name)).exitCode).toBe(0);
    expect((await tell('profiles', 'use', name)).exitCode).toBe(0);
    expect(JSON.parse((await tell('profiles', 'list', '--json')).stdout).current).toBe(name);
    expect((await tell('profiles', 'remove', name, '--yes')).exitCode).toBe(0);
    expect((await tell('profiles', 'use', name)).exitCode).toBe(3);
  },
);

test('profiles list cuts no address to make room for a less important column', async () => {
  const { runWith, tell, file } = await startWithThree();
  await tell('profiles', 'remove', 'rehearsal', '--yes');
  const base_url = 'https://identity.example.com/a/tenant';
  const written = JSON.parse(await readFile(file, 'utf8'));
  written.profiles.acme.base_url = base_url;
  await writeFile(file, JSON.stringify(written));
  const env = { NO_COLOR: '1', TENANT_USERS_CONFIG: file };
  const usual = await runWith({ env, terminal: 80 }, 'profiles', 'list');
  expect(usual.stdout).toContain(`│ acme    │ ${base_url} │`);
  const narrow = await runWith({ env, terminal: 44 }, 'profiles', 'list');
  expect(narrow.stdout).toMatch(/│ acme +│ https:\S+… │ +│\n/);
  expect(narrow.stderr).toContain('Columns hidden to fit: client_id, token (use');
});

test('a profile that is named by an option must exist, even if the environment has every value', async () => {
  const { run } = await startWorld();
  const { exitCode, stdout, stderr } = await run('list', '--profile', 'nobody');
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  expect(stderr).toContain('there is no profile "nobody" (named by --profile)');
});

test('each command reads the configuration once', async () => {
  const config = join(await temporaryDirectory(), 'config.json');
  const write = (name: string) => writeFile(config, JSON.stringify({ current: name }));
  // The properties of a context that the profiles use.
  const context = () => ({ options: { config }, env: {} }) as Partial<CommandContext> as CommandContext;
  const [first, second] = [context(), context()];
  await write('acme');
  expect(openProfiles(first).current).toBe('acme');
  await write('other');
  expect(openProfiles(first)).toBe(openProfiles(first));
  expect(openProfiles(first).current).toBe('acme');
  expect(openProfiles(second).current).toBe('other');
});
