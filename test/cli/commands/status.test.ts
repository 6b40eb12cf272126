import { chmod, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { jumpingClock } from '../../clocks.ts';
import { application } from '../../test-service.ts';
import { environmentFor, startWorld } from '../../world.ts';
import { proxyCredentials, startProxy } from '../connection/start-proxy.ts';
import { startLoggedIn } from '../process/start-logged-in.ts';
import { faultsBy, printedSchema } from '../schemas/validate.ts';

const { client_id, client_secret } = application;

test('status shows the origin of each value, and no secret', async () => {
  const { file, baseUrl, tell } = await startLoggedIn();
  const { token } = JSON.parse(await readFile(file, 'utf8')).profiles.default;
  const table = await tell('status');
  expect(table.exitCode).toBe(0);
  for (const line of [
    /profile +│ default \(default\)/,
    /base URL +│ http\S+ \(profile\)/,
    /client id +│ test-application \(profile\)/,
    /client secret +│ \[hidden\] \(profile\)/,
    /token +│ until \S+Z \(profile\)/,
    /configuration +│ \S+config\.json \(mode 0600\)/,
  ]) {
    expect(table.stdout).toMatch(line);
  }
  expect(table.stderr).toBe('The token is accepted; the tenant has 0 users.\n');

  const json = await tell('status', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    profile: 'default',
    base_url: baseUrl,
    client_id,
    token: { expires_at: new Date(token.expires_at).toISOString(), scope: 'all' },
    local: null,
    auth_style: 'query',
    sources: { profile: 'default', base_url: 'profile', client_id: 'profile', client_secret: 'profile' },
    configuration: { file, mode: '0600', warnings: [] },
  });
  expect(json.stderr).toBe('');
  for (const text of [table.stdout, json.stdout]) {
    expect(text).not.toContain(client_secret);
    expect(text).not.toContain(token.access_token);
  }
});

test('status distinguishes options and environment from the profile', async () => {
  const { run, baseUrl } = await startWorld();
  const { stdout } = await run('status', '--base-url', baseUrl, '--json');
  expect(JSON.parse(stdout).sources).toEqual(
    expect.objectContaining({ base_url: 'flag', client_id: 'environment', client_secret: 'environment' }),
  );
  expect(JSON.parse(stdout).configuration.mode).toBeNull();
});

test('if the service rejects the credentials, status shows what is known, and fails', async () => {
  const { runWith, baseUrl } = await startWorld();
  const env = {
    TENANT_USERS_BASE_URL: baseUrl,
    TENANT_USERS_CLIENT_ID: client_id,
    TENANT_USERS_CLIENT_SECRET: 'planted-secret',
  };
  const { exitCode, stdout, stderr } = await runWith({ env }, 'status');
  expect(exitCode).toBe(4);
  expect(stdout).toMatch(/client secret +│ \[hidden\] \(environment\)/);
  expect(stdout).not.toContain('token');
  // Every value came from the environment.
  expect(stdout).toMatch(/│ profile +│ \(none used\) +│/);
  expect(stderr).toContain('invalid_client');
  expect(stdout + stderr).not.toContain('planted-secret');
  const json = await runWith({ env }, 'status', '--json');
  expect(json.exitCode).toBe(4);
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'invalid_client' } });
  expect(JSON.parse(json.stdout)).toMatchObject({ base_url: baseUrl, client_id, token: null });
  expect(json.stdout).not.toContain('planted-secret');
});

test('every value that --json promises is there without a service too, null where it is not known', async () => {
  const world = await startWorld();
  const schema = await printedSchema(world, 'status');
  const baseUrl = 'http://127.0.0.1:1';
  const cases: [Record<string, string>, number, object][] = [
    [environmentFor(baseUrl), 9, { base_url: baseUrl, client_id, token: null, pace: null }],
    [{}, 3, { base_url: null, client_id: null, token: null, sources: { base_url: null } }],
    [{ ...environmentFor(baseUrl), http_proxy: 'socks://127.0.0.1:1' }, 3, { proxy: null }],
  ];
  for (const [env, exitCode, values] of cases) {
    const ended = await world.runWith({ env, clock: jumpingClock() }, 'status', '--json');
    expect(ended.exitCode).toBe(exitCode);
    expect(JSON.parse(ended.stdout)).toMatchObject(values);
    expect(faultsBy(schema, JSON.parse(ended.stdout))).toEqual([]);
  }
});

test('status shows what is missing after a logout', async () => {
  const { tell } = await startLoggedIn();
  await tell('logout');
  const { exitCode, stdout, stderr } = await tell('status');
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(/client secret +│ \(none\)/);
  expect(stderr).toContain('no client secret is configured');
});

test('for an embedded service, status shows neither application nor secret', async () => {
  const { runWith, directory } = await startWorld();
  const local = join(directory, 'own.db');
  const { stdout } = await runWith({ env: {} }, 'status', '--local', local, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    base_url: `embedded service on ${local}`,
    client_id: null,
    local,
    sources: { base_url: 'flag', client_id: null, client_secret: null },
  });
});

test('loose permissions of the file and of its directory are reported, and the proposed command corrects them', async () => {
  const { file, tell } = await startLoggedIn();
  const directory = dirname(file);
  await chmod(file, 0o640);
  await chmod(directory, 0o777);
  const warnings = [
    `${file} is readable by other users; fix it with: chmod 600 ${file}`,
    `${directory} is writable by other users; fix it with: chmod 700 ${directory}`,
  ];
  const { exitCode, stderr } = await tell('list');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: `${warnings.map((warning) => `Warning: ${warning}\n`).join('')}0 of 0 users\n`,
  });
  expect((await tell('list', '--json')).stderr).toBe('');
  expect(JSON.parse((await tell('status', '--json')).stdout).configuration.warnings).toEqual(warnings);
  expect((await tell('status')).stdout).toContain('too permissive');
  const doctor = await tell('doctor');
  expect(doctor.stderr).toBe('');
  expect(doctor.stdout.split('\n').filter((line) => line.includes(file))).toEqual([
    `warning  configuration       ${warnings.join('; ')}`,
  ]);

  await chmod(file, 0o600);
  await chmod(directory, 0o1777);
  expect((await tell('list')).stderr).toBe('0 of 0 users\n');
});

test('status names the proxy and its variable, without its credentials', async () => {
  const { baseUrl, runWith } = await startWorld();
  const proxy = await startProxy({ credentials: true });
  const env = {
    TENANT_USERS_BASE_URL: baseUrl,
    TENANT_USERS_CLIENT_ID: client_id,
    TENANT_USERS_CLIENT_SECRET: client_secret,
    http_proxy: proxy.urlWithCredentials,
  };
  const json = await runWith({ env }, 'status', '--json');
  expect(JSON.parse(json.stdout).proxy).toEqual({ address: proxy.url, variable: 'http_proxy' });
  const table = await runWith({ env }, 'status');
  expect(table.stdout).toMatch(/proxy +│ http:\/\/127\.0\.0\.1:\d+ \(http_proxy\)/);
  expect(json.stdout + table.stdout).not.toContain(proxyCredentials.username);
  const without = await runWith({ env: { ...env, NO_PROXY: '*' } }, 'status');
  expect(without.stdout).toMatch(/proxy +│ \(none\) \(NO_PROXY\)/);
});

test('status names no profile if every value comes from the environment', async () => {
  const { run, runWith, baseUrl } = await startWorld();
  const ended = await run('status', '--json');
  expect(ended.exitCode).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    profile: null,
    sources: { profile: null, base_url: 'environment', client_secret: 'environment' },
  });
  expect((await run('status')).stdout).toMatch(/│ profile +│ \(none used\) +│/);
  const env = {
    ...environmentFor(baseUrl),
    TENANT_USERS_PROFILE: 'prod',
  };
  expect(JSON.parse((await runWith({ env }, 'status', '--json')).stdout).profile).toBeNull();
});

test('a token of the embedded service does not belong to a profile', async () => {
  const { directory, runWith } = await startWorld();
  const { stdout } = await runWith({ env: {} }, 'status', '--local', ':memory:');
  expect(stdout).toMatch(/│ profile +│ \(none used\) +│/);
  expect(stdout).toMatch(/│ token +│ until \S+Z +│/);
  await runWith({ env: {} }, 'login', '--profile', 'own', '--local', join(directory, 'own.db'));
  const own = await runWith({ env: {} }, 'status');
  expect(own.stdout).toMatch(/│ profile +│ own \(default\) +│/);
  expect(own.stdout).toMatch(/│ token +│ until \S+Z +│/);
});

test('on a narrow terminal the values are wrapped and none is cut off', async () => {
  const { runWith } = await startWorld();
  const baseUrl = 'http://127.0.0.1:1/identity/of/the-customers-in-the-north';
  const env = { TENANT_USERS_CLIENT_ID: client_id, TENANT_USERS_CLIENT_SECRET: client_secret, NO_COLOR: '1' };
  const { stdout } = await runWith({ env, terminal: 40 }, 'status', '--base-url', baseUrl);
  const lines = stdout.trimEnd().split('\n');
  expect(new Set(lines.map((line) => line.length))).toEqual(new Set([lines[0]?.length]));
  expect(lines[0]?.length).toBeLessThanOrEqual(40);
  const cells = lines.map((line) => line.split('│').map((cell) => cell.trim()));
  const at = cells.findIndex(([, name]) => name === 'base URL');
  const next = cells.findIndex(([, name], line) => line > at && name !== '');
  expect(
    cells
      .slice(at, next)
      .map(([, , value]) => value)
      .join(''),
  ).toBe(`${baseUrl} (flag)`);
  expect(stdout).not.toContain('…');
});
