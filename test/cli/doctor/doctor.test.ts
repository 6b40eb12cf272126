import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { variables } from '../../../src/cli/config/variables.ts';
import { json, startPeer, tokenAnswer } from '../../client/start-peer.ts';
import { application } from '../../test-service.ts';
import { type Ended, startWorld } from '../../world.ts';
import { credentials } from '../process/start-program.ts';

/** The checks by their names, as `status: message`. */
function checksOf({ stdout }: Ended): Record<string, string> {
  const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; message: string }[] };
  return Object.fromEntries(checks.map(({ name, status, message }) => [name, `${status}: ${message}`]));
}

test('if all is well, doctor says so with a line for each check, and exits with 0', async () => {
  const { run, baseUrl } = await startWorld();
  const { exitCode, stdout, stderr } = await run('doctor');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const names = stdout
    .split('\n')
    .flatMap((line) => /^(?:ok|skipped) +(\S+(?: \S+)*) {2}/.exec(line)?.[1] ?? []);
  expect(names).toEqual([
    ...['program', 'configuration', 'environment', 'extra certificates'],
    ...['log', 'jobs', 'leftovers', 'compiled code', 'profile'],
    ...['proxy', 'host name', 'connection', 'TLS', 'service', 'clock', 'token', 'users'],
  ]);
  expect(stdout).toContain(`base URL ${baseUrl} (environment)`);
  expect(stdout).toContain(
    `client id ${application.client_id} (environment), client secret set (environment)`,
  );
  expect(stdout).toContain('the tenant has 0 users');
  expect(stdout).not.toContain(application.client_secret);
});

test('without any configuration, doctor says how to begin: exit code 3', async () => {
  const { runWith } = await startWorld();
  const ended = await runWith({ env: {} }, 'doctor', '--json');
  expect(ended).toMatchObject({ exitCode: 3, stderr: '' });
  const { checks, ok } = JSON.parse(ended.stdout);
  expect(ok).toBe(false);
  const failed = checks.filter(({ status }: { status: string }) => status === 'failed');
  expect(failed).toEqual([
    expect.objectContaining({ name: 'profile', hint: expect.stringContaining('tenant-users login') }),
  ]);
  expect(checksOf(ended).service).toMatch(/^skipped/);
});

test('a log that cannot be read is a warning, since commands go on without it, and log says what to do', async () => {
  const { run, directory } = await startWorld();
  await mkdir(join(directory, 'state'), { mode: 0o700 });
  const log = join(directory, 'state', 'log');
  await symlink(log, log);
  const ended = await run('doctor', '--json');
  expect(ended.exitCode).toBe(0);
  const message = `the log ${log} cannot be read: it is a link, which is not followed`;
  expect(checksOf(ended)).toMatchObject({
    log: `warning: ${message}`,
    jobs: expect.stringMatching(/^skipped/),
  });
  expect(await run('log')).toMatchObject({
    exitCode: 3,
    stderr: `tenant-users: ${message}\nCheck the path, or name another one.\n`,
  });
});

test('the commands that doctor proposes use the same configuration file, and are quoted', async () => {
  const { runWith, directory } = await startWorld();
  const file = join(directory, 'my files', 'config.json');
  await mkdir(dirname(file), { mode: 0o700 });
  await writeFile(file, '{}', { mode: 0o644 });
  const { stdout } = await runWith({ env: {} }, 'doctor', '--config', file);
  expect(stdout).toContain(`chmod 600 '${file}'`);
  expect(stdout).toContain(`tenant-users --config '${file}' doctor --fix`);
  expect(stdout).toContain(`tenant-users --config '${file}' login`);
});

test('doctor names every variable that the program reads, and shows no path, secret or key of one', async () => {
  const { runWith } = await startWorld();
  const names = variables.flatMap((variable) => variable.names).filter((name) => /^\w+$/.test(name));
  const set = names.filter((name) => !['TENANT_USERS_PROFILE', 'TENANT_USERS_CONFIG'].includes(name));
  const env = Object.fromEntries(set.map((name) => [name, 'planted']));
  const { environment = '' } = checksOf(await runWith({ env }, 'doctor', '--json'));
  for (const name of set) expect(environment).toContain(name);
  const hidden = ['CLIENT_ID', 'CLIENT_SECRET', 'LOCAL', 'KEY_FILE', 'NO_LOG'].map(
    (name) => `TENANT_USERS_${name}`,
  );
  for (const name of [...hidden, 'PGPASSWORD']) expect(environment).toContain(`${name} (set)`);
});

test('a base URL without credentials is checked nevertheless', async () => {
  const { runWith, baseUrl } = await startWorld();
  const ended = await runWith({ env: {} }, 'doctor', '--base-url', baseUrl, '--json');
  expect(ended.exitCode).toBe(3);
  expect(checksOf(ended)).toMatchObject({
    profile: expect.stringMatching(/^failed: no client id is configured/),
    connection: expect.stringMatching(/^ok: 127\.0\.0\.1:\d+ connected/),
    service: expect.stringMatching(/^skipped/),
  });
});

test('a broken configuration file and an unknown profile end with exit code 3', async () => {
  const { runWith, directory } = await startWorld();
  await writeFile(join(directory, 'config.json'), '{');
  const broken = await runWith({ env: {} }, 'doctor', '--json');
  expect(broken.exitCode).toBe(3);
  expect(checksOf(broken).configuration).toContain('it is not JSON');
  await writeFile(join(directory, 'config.json'), '{}');
  const unknown = await runWith({ env: {} }, 'doctor', '--profile', 'nobody', '--json');
  expect(unknown.exitCode).toBe(3);
  expect(checksOf(unknown)).toMatchObject({
    configuration: expect.stringMatching(/^warning: .*chmod 600/),
    profile: expect.stringContaining('nobody'),
  });
});

test('a configuration directory that cannot be entered is a failed check among the others', async () => {
  const { runWith, directory } = await startWorld();
  const loop = join(directory, 'loop');
  await symlink(loop, loop);
  const file = join(loop, 'config.json');
  const ended = await runWith({ env: {} }, 'doctor', '--config', file, '--json');
  expect(ended).toMatchObject({ exitCode: 3, stderr: '' });
  const checks = checksOf(ended);
  expect(checks.configuration).toMatch(/^failed: .*config\.json/);
  expect(checks.leftovers).toMatch(/^ok/);
});

test('with rejected credentials the check of the token fails with 4, and names no secret even if the server repeats it', async () => {
  const secret = 'planted/secret 93';
  const error_description = `no such secret: ${secret} or ${encodeURIComponent(secret)}`;
  const peer = await startPeer({ token: json(400, { error: 'invalid_client', error_description }) });
  const { runWith } = await startWorld();
  const env = { TENANT_USERS_CLIENT_ID: 'app', TENANT_USERS_CLIENT_SECRET: secret };
  const ended = await runWith({ env }, 'doctor', '--base-url', peer.baseUrl, '--json', '--verbose');
  expect(ended.exitCode).toBe(4);
  expect(checksOf(ended)).toMatchObject({
    service: expect.stringMatching(/^ok/),
    token: 'failed: no such secret: [hidden] or [hidden]',
    users: expect.stringMatching(/^skipped/),
  });
  expect(ended.stderr).toContain('POST /api/v2/tenant/token?');
  expect(ended.stdout + ended.stderr).not.toMatch(/planted|secret.93/);
});

test.each([
  [-90, /^warning: this machine is (89|90|91) seconds ahead of the service$/],
  [3600, /^warning: this machine is (3599|3600|3601) seconds behind the service$/],
  [0, /^ok: within 30 seconds/],
])('doctor reports a clock that differs by %d s', async (seconds, expected) => {
  const date = new Date(Date.now() + seconds * 1000).toUTCString();
  const body = { access_token: 'token-1', expires_in: 1800, scope: 'all' };
  const peer = await startPeer({
    token: json(200, body, { date }),
    call: json(200, { users: [], total: 4 }),
  });
  const { runWith } = await startWorld();
  const ended = await runWith({ env: credentials }, 'doctor', '--base-url', peer.baseUrl, '--json');
  expect(ended.exitCode).toBe(0);
  expect(checksOf(ended).clock).toMatch(expected);
  expect(checksOf(ended).users).toBe('ok: the tenant has 4 users');
  expect(ended.stdout).not.toContain('token-1');
});

test.each([
  [404, 9, /^failed: .*is not one of the tenant user API/],
  [401, 4, /^ok: it answers in \d+ ms$/],
])('doctor does not call a server the API that answers %d without a code', async (status, code, said) => {
  const peer = await startPeer({ token: json(status, { hello: 'world' }) });
  const { runWith } = await startWorld();
  const ended = await runWith({ env: credentials }, 'doctor', '--base-url', peer.baseUrl, '--json');
  expect(ended.exitCode).toBe(code);
  expect(checksOf(ended).service).toMatch(said);
});

test('a rejected page of users ends with the exit code of its error', async () => {
  const refused = json(400, { error_code: 'SVC.TENANT.COM.0003', error_msg: 'no' });
  const peer = await startPeer({ token: tokenAnswer(1), call: refused });
  const { runWith } = await startWorld();
  const ended = await runWith({ env: credentials }, 'doctor', '--base-url', peer.baseUrl, '--json');
  expect(ended.exitCode).toBe(6);
  expect(checksOf(ended).users).toBe('failed: no');
});

test('doctor names a closed port, a wrong proxy and unreadable certificates, without the password of the proxy', async () => {
  const { runWith, directory } = await startWorld();
  const url = 'http://127.0.0.1:1';
  const dead = await runWith({ env: credentials }, 'doctor', '--base-url', url, '--json');
  expect(dead.exitCode).toBe(9);
  expect(checksOf(dead).connection).toBe(`failed: ${url}: the connection to 127.0.0.1:1 was refused`);

  const proxied = { ...credentials, NODE_EXTRA_CA_CERTS: join(directory, 'none.pem') };
  for (const [HTTPS_PROXY, check] of [
    ['socks5://user:planted@127.0.0.1:1', 'proxy'],
    ['http://user:planted@127.0.0.1:1', 'connection'],
    ['user:planted@', 'proxy'],
  ] as const) {
    const env = { ...proxied, HTTPS_PROXY };
    const ended = await runWith(
      { env },
      'doctor',
      '--base-url',
      'https://tenant.test',
      '--json',
      '--verbose',
    );
    expect(ended.exitCode).toBe(check === 'proxy' ? 3 : 9);
    expect(checksOf(ended)[check]).toMatch(
      /^failed: .*(HTTPS_PROXY|the proxy http:\/\/127\.0\.0\.1:1 cannot be used)/,
    );
    expect(checksOf(ended)['extra certificates']).toMatch(
      /^warning: .*none\.pem cannot be read: it does not exist$/,
    );
    expect(ended.stdout + ended.stderr).not.toMatch(/planted|user:/);
  }
});

test('with --local, doctor checks the database, its tenants and the service on it, and creates nothing', async () => {
  const { run, directory } = await startWorld();
  const database = join(directory, 'x.db');
  const none = await run('doctor', '--local', database, '--json');
  expect(none.exitCode).toBe(0);
  expect(checksOf(none).database).toContain('does not exist yet');
  expect(checksOf(await run('doctor', '--local', database, '--json')).database).toContain(
    'does not exist yet',
  );

  await run('create', '--user-name', 'ann', '--local', database);
  const there = await run('doctor', '--local', database, '--json');
  expect(there).toMatchObject({ exitCode: 0, stderr: '' });
  expect(checksOf(there)).toMatchObject({
    database: `ok: ${database} opens and is intact`,
    tenants: 'ok: default',
    users: 'ok: the tenant has 1 user',
  });

  const broken = join(directory, 'broken.db');
  await writeFile(broken, 'this is no database, however long it is looked at');
  const ended = await run('doctor', '--local', broken, '--json');
  expect(ended.exitCode).toBe(3);
  expect(checksOf(ended).database).toMatch(/^failed: .*broken\.db/);
});

test('on a narrow terminal a hint begins at the left margin, below its check', async () => {
  const { runWith } = await startWorld();
  const { stdout } = await runWith({ env: { NO_COLOR: '1' }, terminal: 40 }, 'doctor');
  expect(stdout).toMatch(/\n {2}→ Run: tenant-users login /);
  expect(Math.max(...stdout.split('\n').map((line) => (/^ */.exec(line)?.[0] ?? '').length))).toBe(2);
});
