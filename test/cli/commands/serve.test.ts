import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCommand, startWorld, temporaryDirectory } from '../../world.ts';

const pem = (name: string) =>
  fileURLToPath(new URL(`../../../fixtures/tls/test-only-${name}.pem`, import.meta.url));
const [cert, key] = [pem('cert'), pem('key')];
const serve = ['serve', '--port', '0', '--database', ':memory:'];

/** The output of a `serve` that must not start. */
async function refusedServe(...options: string[]) {
  const { run } = await startWorld();
  return run(...serve, ...options);
}

test('a connection to PostgreSQL on another machine without TLS causes a warning', async () => {
  const { run } = await startWorld();
  const warning = 'The connection to PostgreSQL is not encrypted. Add ?sslmode=verify-full to its address.\n';
  const of = (address: string) => run('serve', '--port', '0', '--database', address);
  const plain = 'postgres://someone@database.invalid/tenants';
  expect((await of(plain)).stderr).toContain(warning);
  for (const command of ['list', 'tenant show'])
    expect((await run(...command.split(' '), '--local', plain)).stderr).toContain(warning);
  const encrypted = await of('postgres://someone@database.invalid/tenants?sslmode=verify-full');
  expect(encrypted.stderr).not.toContain(warning);
});

test('a certificate needs its key, and a key its certificate', async () => {
  expect(await refusedServe('--tls-cert', cert)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'tenant-users: --tls-key is missing\nUse --tls-cert and --tls-key together.\n',
  });
  expect(await refusedServe('--tls-key', key)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--tls-cert is missing'),
  });
});

test('the error names a faulty certificate or key', async () => {
  const { directory, run } = await startWorld();
  const other = join(directory, 'other.pem');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  writeFileSync(other, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const locked = join(directory, 'locked.pem');
  const lock = { cipher: 'aes-256-cbc', passphrase: 'secret' };
  writeFileSync(locked, privateKey.export({ type: 'pkcs8', format: 'pem', ...lock }));
  const cases = [
    [join(directory, 'none.pem'), key, /none\.pem cannot be read: it does not exist\n.*--tls-cert/],
    [cert, directory, /cannot be read: it is a directory\n.*--tls-key/],
    [key, key, /test-only-key\.pem is not a PEM certificate\n.*--tls-cert/],
    [cert, cert, /test-only-cert\.pem is not a PEM private key without a password\n.*--tls-key/],
    [cert, locked, /locked\.pem is not a PEM private key without a password\n.*--tls-key/],
    [cert, other, /other\.pem is not the key of the certificate .*test-only-cert\.pem\n.*--tls-key/],
  ] as const;
  for (const [certFile, keyFile, stderr] of cases) {
    const options = ['--tls-cert', certFile, '--tls-key', keyFile];
    expect(await run(...serve, ...options)).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringMatching(stderr),
    });
  }
});

test.each([
  ['expired', 'expired at 2021-01-01T00:00:00.000Z'],
  ['early', 'is not valid before 2099-01-01T00:00:00.000Z'],
])('a certificate that is out of its time is served with a warning: %s', async (name, what) => {
  const { runWith } = await startWorld();
  const chain = pem(`tenant-${name}`);
  const options = ['--tls-cert', chain, '--tls-key', pem('tenant-key')];
  const ended = await runWith({ env: {}, signalAtOutput: 'SIGTERM' }, ...serve, ...options);
  expect(ended).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Serving on https://'),
    stderr: `Warning: The certificate ${chain} ${what}, so clients reject it. Replace it and restart serve.\nStopped; all open requests were completed\n`,
  });
});

test('TENANT_USERS_LOCAL is refused without --database, because serve would open another database', async () => {
  const { runWith } = await startWorld();
  const env = { TENANT_USERS_LOCAL: 'own.db' };
  expect(await runWith({ env, signalAtOutput: 'SIGTERM' }, 'serve', '--port', '0')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringMatching(/serve takes --database, not TENANT_USERS_LOCAL\nName the database with/),
  });
  expect(await runWith({ env, signalAtOutput: 'SIGTERM' }, ...serve)).toMatchObject({ exitCode: 0 });
});

test('half of the credentials of an application is refused, because serve would make another one', async () => {
  const { runWith } = await startWorld();
  for (const [set, other] of [
    ['TENANT_USERS_CLIENT_ID', 'TENANT_USERS_CLIENT_SECRET'],
    ['TENANT_USERS_CLIENT_SECRET', 'TENANT_USERS_CLIENT_ID'],
  ] as const) {
    const env = { [set]: 'planted-secret' };
    expect(await runWith({ env, signalAtOutput: 'SIGTERM' }, ...serve)).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: `tenant-users: ${set} is set, but ${other} is not\nSet both, or neither: serve then uses the application that is stored, and creates one if the tenant has none.\n`,
    });
  }
});

test.each([
  ['--rate-limit', '0/s'],
  ['--rate-limit', '10'],
  ['--rate-limit', '10/m'],
  ['--rate-limit', '1.5/s'],
  ['--log-level', 'loud'],
  ['--drain-timeout', '-1'],
])('%s %s is wrong usage', async (option, value) => {
  expect(await refusedServe(option, value)).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining(option),
  });
});

test('an address that is not loopback needs TLS, and the error says how to use it', async () => {
  expect(await refusedServe('--host', '0.0.0.0')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /0\.0\.0\.0 is not a loopback address, and TLS is not configured\n.*--tls-cert and --tls-key/,
    ),
  });
});

test.each([
  [[], /^Id tokens name http:\/\/0\.0\.0\.0:\d+ as their issuer\. Where callers .* --public-url\.\nStopped/],
  [['--public-url', 'https://users.example.com'], /^Stopped/],
])('on an address that is not loopback, serve prints the issuer of id tokens: %j', async (more, stderr) => {
  const { runWith } = await startWorld();
  const stopped = { env: {}, signalAtOutput: 'SIGTERM' } as const;
  const ended = await runWith(stopped, ...serve, '--host', '0.0.0.0', '--insecure-http', ...more);
  expect(ended).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(stderr) });
});

test('a signal ends serve with exit code 0, and with --json only the first line is printed', async () => {
  const { runWith } = await startWorld();
  const [ended, same] = await Promise.all(
    [['--json'], ['-o', 'json']].map((as) =>
      runWith({ env: {}, signalAtOutput: 'SIGTERM' }, ...serve, ...as),
    ),
  );
  expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
  expect(Object.keys(JSON.parse(same?.stdout ?? ''))).toEqual(['base_url', 'tenants']);
  for (const as of [
    ['-o', 'csv'],
    ['--columns', 'base_url'],
  ])
    expect(await runWith({ env: {} }, ...serve, ...as)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('serve has no result for --'),
    });
  expect(JSON.parse(ended?.stdout ?? '')).toMatchObject({
    base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    tenants: [{ tenant_id: 'default' }],
  });
});

test('a signal ends serve also during its start', async () => {
  const { runWith } = await startWorld();
  const stop = new AbortController();
  const stdin = new PassThrough();
  const ended = runWith({ env: {}, signal: stop.signal, stdin }, ...serve, '--tenant', '-');
  while (stdin.listenerCount('readable') === 0) await setImmediate();
  stop.abort('SIGINT');
  expect(await ended).toEqual({ exitCode: 130, stdout: '', stderr: '' });
});

test('a first start that is interrupted makes no application, and one whose output nobody reads names it', async () => {
  const configDirectory = await temporaryDirectory();
  const surroundings = { env: {}, configDirectory };
  const database = join(configDirectory, 'new.db');
  const first = ['serve', '--port', '0', '--database', database, '--json'];
  const stop = new AbortController();
  const now = () => {
    stop.abort('SIGINT');
    return Date.now();
  };
  expect(await runCommand(first, { ...surroundings, signal: stop.signal, now })).toMatchObject({
    exitCode: 130,
  });
  const applications = async () => {
    const { stdout } = await runCommand(['apps', 'list', '--local', database, '--json'], surroundings);
    return JSON.parse(stdout).applications;
  };
  // The start goes on after the command has ended.
  const audit = () => readFileSync(`${database}.audit.jsonl`, 'utf8');
  await expect.poll(audit, { timeout: 10_000 }).toContain('"stopService"');
  expect(await applications()).toEqual([]);

  const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  const stdout = new Writable({ write: (_chunk, _encoding, done) => done(gone) }).on('error', () => {});
  const unread = await runCommand(first, { ...surroundings, stdout });
  const [{ client_id }] = await applications();
  expect(unread).toMatchObject({ exitCode: 3, stdout: '' });
  expect(JSON.parse(unread.stderr).error).toMatchObject({
    message: 'the secret of a new application could not be printed, and is lost (write EPIPE)',
    hint: `Give serve a reader.\nTo replace it: tenant-users apps rotate-secret ${client_id} --lost --local ${database}`,
  });
});

test('serve warns of credentials in the environment that the database has with another secret, and keeps its own', async () => {
  const configDirectory = await temporaryDirectory();
  const database = join(configDirectory, 'known.db');
  const serving = (env: Record<string, string>) => {
    const words = ['serve', '--port', '0', '--database', database];
    return runCommand(words, { env, configDirectory, signalAtOutput: 'SIGTERM' });
  };
  const [, id = '', secret = ''] =
    /client id: (\S+)\n +client secret: (\S+)/.exec((await serving({})).stdout) ?? [];
  const env = { TENANT_USERS_CLIENT_ID: id };
  const right = await serving({ ...env, TENANT_USERS_CLIENT_SECRET: secret });
  expect(right.stderr).toBe('Stopped; all open requests were completed\n');
  const wrong = await serving({ ...env, TENANT_USERS_CLIENT_SECRET: 'planted-secret' });
  expect(wrong.exitCode).toBe(0);
  expect(wrong.stdout).toContain(`client id: ${id}\n`);
  expect(wrong.stdout).not.toContain('planted-secret');
  expect(wrong.stderr).toBe(
    'Warning: The application of TENANT_USERS_CLIENT_ID cannot log in with TENANT_USERS_CLIENT_SECRET: the database has it with another secret, or for a tenant that is not served. What is stored is valid. Correct both variables, or unset them.\nStopped; all open requests were completed\n',
  );
});

test('a service without a new secret runs although nobody reads its output', async () => {
  const configDirectory = await temporaryDirectory();
  const surroundings = { env: {}, configDirectory };
  const serve = ['serve', '--port', '0', '--database', join(configDirectory, 'known.db')];
  await runCommand(serve, { ...surroundings, signalAtOutput: 'SIGTERM' });

  const stop = new AbortController();
  const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  const stdout = new Writable({
    write(_chunk, _encoding, done) {
      done(gone);
      stop.abort('SIGTERM');
    },
  });
  const ended = await runCommand(serve, { ...surroundings, stdout, signal: stop.signal });
  expect(ended).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Stopped; all open requests') });
});
