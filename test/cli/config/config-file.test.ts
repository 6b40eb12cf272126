import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { chmod, link, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { application, startTestService } from '../../test-service.ts';
import { runCommand, startWorld, temporaryDirectory } from '../../world.ts';
import { firstLine, startProgram, textOf } from '../process/start-program.ts';

const { client_id, client_secret } = application;

/** A service, and a configuration whose token has expired: the next command renews and stores it. */
async function startExpired() {
  const { baseUrl } = await startTestService();
  const directory = join(await temporaryDirectory(), 'configuration');
  await mkdir(directory, { mode: 0o700 });
  const file = join(directory, 'config.json');
  const token = { access_token: 'ended', expires_at: 0, scope: 'all' };
  const profile = { base_url: baseUrl, client_id, client_secret };
  const stored = { current: 'default', profiles: { default: { ...profile, token }, spare: profile } };
  await writeFile(file, JSON.stringify(stored), { mode: 0o600 });
  const read = async () => JSON.parse(await readFile(file, 'utf8'));

  async function run(...args: string[]) {
    const program = await startProgram(args, { TENANT_USERS_CONFIG: file });
    program.stdin?.end(client_secret);
    const streams = [textOf(program.stdout), textOf(program.stderr)] as const;
    const [exitCode] = await once(program, 'close');
    return { exitCode, stdout: await streams[0], stderr: await streams[1] };
  }
  /** The same in this process. */
  const runHere = (...args: string[]) => {
    const env = { TENANT_USERS_CONFIG: file };
    return runCommand(args, { env, configDirectory: directory, stdin: client_secret });
  };
  return { baseUrl, directory, file, profile, read, run, runHere };
}

const ended = { exitCode: 0, stdout: expect.stringMatching(/^\{"users":\[\].*\}\n$/), stderr: '' };

test('twenty parallel listings in six processes that all renew the token leave one complete configuration', async () => {
  const { directory, file, profile, read, run, runHere } = await startExpired();
  const started = Array.from({ length: 20 }, (_, index) =>
    (index % 4 === 0 ? run : runHere)('list', '--json'),
  );
  const runs = await Promise.all(started);
  expect(runs).toEqual(runs.map(() => ended));
  expect(await readdir(directory)).toEqual(['config.json']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { current, profiles } = await read();
  expect({ current, profiles }).toMatchObject({
    current: 'default',
    profiles: { default: profile, spare: profile },
  });
  expect(profiles.default.token.expires_at).toBeGreaterThan(Date.now());
}, 60_000);

test('logins beside renewals are all stored', async () => {
  const { baseUrl, profile, read, run, runHere } = await startExpired();
  const names = Array.from({ length: 6 }, (_, index) => `tenant-${index}`);
  const login = ['login', '--base-url', baseUrl, '--client-id', client_id, '--client-secret-stdin', '--json'];
  const runs = await Promise.all(
    names.flatMap((name, index) => {
      const [one, other] = index % 2 ? [run, runHere] : [runHere, run];
      return [one('list', '--json'), other(...login, '--profile', name)];
    }),
  );
  expect(runs.map(({ exitCode }) => exitCode)).toEqual(runs.map(() => 0));
  const { current, profiles } = await read();
  expect(current).toBe('default');
  expect(Object.keys(profiles).sort()).toEqual(['default', 'spare', ...names]);
  for (const name of ['default', ...names]) {
    expect(profiles[name]).toMatchObject({ ...profile, token: { scope: 'all' } });
    expect(profiles[name].token.expires_at).toBeGreaterThan(Date.now());
  }
}, 60_000);

test('a process that was killed while it had the lock does not block others for long', async () => {
  const { directory, file, read, run } = await startExpired();
  const library = createRequire(import.meta.url).resolve('proper-lockfile');
  const script = `require(${JSON.stringify(library)})
    .lock(${JSON.stringify(file)}, { realpath: false })
    .then(() => { console.log('held'); setInterval(() => {}, 1000); });`;
  const holder = spawn(process.execPath, ['-e', script]);
  onTestFinished(() => void holder.kill('SIGKILL'));
  expect(await firstLine(holder)).toBe('held');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(await readdir(directory)).toEqual(['config.json', 'config.json.lock']);
  // The process was killed some time ago.
  const earlier = new Date(Date.now() - 2500);
  await utimes(`${file}.lock`, earlier, earlier);
  const start = performance.now();
  expect(await run('list', '--json')).toEqual(ended);
  expect(performance.now() - start).toBeLessThan(5500);
  expect((await read()).profiles.default.token.expires_at).toBeGreaterThan(Date.now());
  expect(await readdir(directory)).toEqual(['config.json']);
});

/** Root can write everywhere, so for root a file takes the place of the lock's directory. */
async function makeUnwritable(directory: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) {
    onTestFinished(() => chmod(directory, 0o700));
    return chmod(directory, 0o500);
  }
  await writeFile(`${file}.lock`, '');
  await utimes(`${file}.lock`, 0, 0);
}

test.skipIf(process.platform === 'win32')(
  'a token that cannot be stored is reported immediately, and the listing is complete',
  async () => {
    const { directory, file, read, run } = await startExpired();
    await makeUnwritable(directory, file);
    const start = performance.now();
    const { exitCode, stderr } = await run('list');
    expect(performance.now() - start).toBeLessThan(5000);
    expect(exitCode).toBe(0);
    const reason = `the configuration file ${file} cannot be written: `;
    expect(stderr).toMatch(/^Notice: the new token could not be stored: .*: E[A-Z]+\n0 of 0 users\n$/);
    expect(stderr).toContain(reason);
    expect(await run('list', '--json')).toEqual(ended);
    expect((await read()).profiles.default.token.access_token).toBe('ended');
    const logout = await run('logout');
    expect(logout.exitCode).toBe(3);
    expect(logout.stderr).toContain(`${reason}E`);
    expect(logout.stderr).toContain(`Check the permissions of ${directory}`);
  },
);

test('the configuration is replaced as a whole in a terminal that a Snap package opened, too', async () => {
  vi.stubEnv('SNAP', '/snap/code/1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { directory, file, read } = await startExpired();
  await link(file, `${file}.before`);
  const surroundings = { env: { TENANT_USERS_CONFIG: file }, configDirectory: directory };
  expect(await runCommand(['list'], surroundings)).toMatchObject({ exitCode: 0 });
  const before = JSON.parse(await readFile(`${file}.before`, 'utf8'));
  expect(before.profiles.default.token.access_token).toBe('ended');
  expect((await read()).profiles.default.token.access_token).not.toBe('ended');
  // Programs that this one starts need it.
  expect(process.env.SNAP).toBe('/snap/code/1');
});

test('a configuration that cannot be read while the token is renewed does not stop the command', async () => {
  const { directory, file } = await startExpired();
  const now = () => {
    // The client asks for the time just before it looks for a token that another process has stored.
    writeFileSync(file, 'damaged');
    return Date.now();
  };
  const surroundings = { env: { TENANT_USERS_CONFIG: file }, configDirectory: directory, now };
  const { exitCode, stderr } = await runCommand(['list'], surroundings);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: `Notice: the new token could not be stored: the configuration file ${file} cannot be read: it is not JSON\n0 of 0 users\n`,
  });
});

test.runIf(process.platform === 'linux')(
  'a device is refused as a configuration, and is not read',
  async () => {
    const { runWith } = await startWorld();
    const { exitCode, stderr } = await runWith({ env: {} }, 'status', '--config', '/dev/zero');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: expect.stringContaining('it is not a regular file'),
    });
  },
);
