import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { runCommand, temporaryDirectory } from '../../world.ts';
import { bin, runProgram, startProgram } from './start-program.ts';

/** Runs the built program as an account that permissions restrict, which root is not. */
function runBound(args: string[], env: Record<string, string>) {
  const { PATH = '' } = process.env;
  const isRoot = process.getuid?.() === 0;
  const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath];
  const [file, before] = isRoot ? ['setpriv', nobody] : [process.execPath, []];
  return new Promise<{ exitCode: number; stderr: string }>((resolve) => {
    const child = execFile(file, [...before, bin, ...args], { env: { PATH, ...env } }, (failure, _, stderr) =>
      resolve({ exitCode: failure === null ? 0 : Number(failure.code), stderr }),
    );
    child.stdin?.end();
  });
}

const legacy = 'user_name,algorithm,hash\nann,md5,e10adc3949ba59abbe56e057f20f883e\n';
const elsewhere = 'Name a database elsewhere: --local FILE, or --database FILE for serve.';
const ownDatabase =
  'It and its directory must be readable and writable for this account. Use another one with --database or --local.';

/**
 * A home directory in which the configuration directory cannot be created: a file has its name, which stops root, too.
 */
async function homeWithoutConfiguration() {
  const home = await temporaryDirectory();
  await writeFile(join(home, '.config'), '');
  return { home, directory: join(home, '.config', 'tenant-users') };
}

test.each([[['list', '--local']], [['login', '--local']], [['serve', '--port', '0']]])(
  '%j without a place for the default database ends with exit code 3 and names another place',
  async (args) => {
    const { home, directory } = await homeWithoutConfiguration();
    const { exitCode, stdout, stderr } = await runProgram(args, { HOME: home });
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toBe(
      `tenant-users: the directory ${directory} of the database cannot be made: a part of its path is not a directory\n${elsewhere}\n`,
    );
  },
);

test.runIf(existsSync('/dev/full'))('a database on a full disk is not said to lack permissions', async () => {
  const home = await temporaryDirectory();
  const stderr = `tenant-users: the service cannot start on /dev/full: no space is left on the disk
Free some space, then run the command again.\n`;
  for (const args of [
    ['serve', '--port', '0', '--database', '/dev/full'],
    ['list', '--local', '/dev/full'],
  ])
    expect(await runProgram(args, { HOME: home })).toEqual({ exitCode: 3, stdout: '', stderr });
  expect((await runProgram(['apps', 'list', '--local', '/dev/full'], { HOME: home })).stderr).toContain(
    'no space is left on the disk\nFree some space',
  );
});

test.runIf(existsSync('/proc/self'))(
  'a home in which the system makes no directory ends a command at once',
  async () => {
    const directory = await temporaryDirectory();
    const [database, file] = [join(directory, 'x.db'), join(directory, 'legacy.csv')];
    await writeFile(file, legacy);
    const inProc = (...args: string[]) => runProgram(args, { HOME: '/proc' });
    expect(await inProc('login', '--local', database)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('/proc/.config/tenant-users/config.json cannot be written: ENOENT'),
    });
    expect(await inProc('create', '--user-name', 'eve', '--local', database)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(
        '/proc/.local/state/tenant-users/log cannot be written: it does not exist',
      ),
    });
    expect((await inProc('list', '--local')).exitCode).toBe(3);
    const to = ['--local', database, '--job', '/proc/job'];
    expect(await inProc('import-hashes', file, ...to)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('/proc/job: the job records cannot be written there (ENOENT)'),
    });
    expect(await inProc('plan', file, '--local', database, '--to', '/proc/plan')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('/proc/plan: nothing can be written there (ENOENT)'),
    });
  },
);

test('login without a place for the configuration ends with exit code 3 and names another place', async () => {
  const { home } = await homeWithoutConfiguration();
  const database = join(await temporaryDirectory(), 'x.db');
  const { exitCode, stderr } = await runProgram(['login', '--local', database], { HOME: home });
  expect(exitCode).toBe(3);
  expect(stderr).toContain('or use another file with --config.');
});

test.each([0o600, 0o644])(
  "another account's database of mode %o ends with exit code 3, and no port is opened",
  async (mode) => {
    const directory = await temporaryDirectory();
    const database = join(directory, 'x.db');
    expect((await runProgram(['list', '--local', database])).exitCode).toBe(0);
    await chmod(database, process.getuid?.() === 0 ? mode : mode & 0o444 & ~0o200);
    await chmod(directory, 0o755);
    for (const args of [
      ['list', '--local', database],
      ['serve', '--port', '0', '--database', database],
    ]) {
      expect(await runBound(args, { HOME: directory })).toEqual({
        exitCode: 3,
        stderr: `tenant-users: the service cannot start on ${database}: permission denied\n${ownDatabase}\n`,
      });
    }
  },
);

test('a database in a directory that cannot be written to ends with exit code 3 and says so', async () => {
  const directory = await temporaryDirectory();
  const database = join(directory, 'x.db');
  expect((await runProgram(['list', '--local', database])).exitCode).toBe(0);
  await chmod(database, 0o666);
  await chmod(directory, 0o555);
  const reason =
    'its directory cannot be written to, where SQLite keeps two more files (-wal, -shm) beside it';
  for (const args of [
    ['list', '--local', database],
    ['serve', '--port', '0', '--audit', 'stderr', '--database', database],
  ])
    expect(await runBound(args, { HOME: directory })).toEqual({
      exitCode: 3,
      stderr: `tenant-users: the service cannot start on ${database}: ${reason}\n${ownDatabase}\n`,
    });
  expect(await runBound(['apps', 'list', '--local', database], { HOME: directory })).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(`${database} cannot be used: ${reason}\n`),
  });
  await chmod(directory, 0o700);
});

test('a port in use ends with exit code 3 and names host and port', async () => {
  const { baseUrl } = await startTestService();
  const { host, port } = new URL(baseUrl);
  expect(await runProgram(['serve', '--port', port, '--database', ':memory:'])).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: `tenant-users: the service cannot listen on ${host}: the port is in use by another program\nStop that program, or use another --port or --metrics-port; 0 takes a free one.\n`,
  });
});

test('a rehearsal that is killed leaves no hash, and needs no directory for temporary files', async () => {
  const directory = await temporaryDirectory();
  const file = join(directory, 'legacy.csv');
  const rows = Array.from(
    { length: 20_000 },
    (_, row) => `user${row},md5,e10adc3949ba59abbe56e057f20f883e\n`,
  );
  await writeFile(file, `user_name,algorithm,hash\n${rows.join('')}`);
  const [job, temporary] = [join(directory, 'job'), join(directory, 'temporary')];
  await mkdir(temporary);
  const running = await startProgram(['import-hashes', file, '--rehearse', '--job', job], {
    TMPDIR: temporary,
  });
  const ended = once(running, 'exit');
  const log = join(job, 'journal.db-wal');
  while ((await stat(log).catch(() => ({ size: 0 }))).size < 100_000) await setTimeout(5);
  running.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(await readdir(temporary)).toEqual([]);
  for (const name of await readdir(job))
    expect(await readFile(join(job, name), 'latin1')).not.toContain('e10adc3949ba59abbe56e057f20f883e');

  await writeFile(file, legacy);
  const again = await runProgram(['import-hashes', file, '--rehearse', '--job', job], { TMPDIR: file });
  expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/\b1 +│ +1 /) });
});

test.each(['18.20.8', '20.18.0', '12.22.0'])(
  'Node %s is too old: exit code 3, before anything else',
  async (old) => {
    const preload = join(await temporaryDirectory(), 'old.cjs');
    await writeFile(preload, `Object.defineProperty(process.versions, 'node', { value: '${old}' });`);
    // What the file does before it loads the program does not depend on the process.
    const source = (await readFile(bin, 'utf8')).replace(/^#!.*/, '');
    const runHere = (...args: string[]) => {
      let stderr = '';
      const write = (text: string) => {
        stderr += text;
      };
      const own = { versions: { node: old }, argv: ['node', bin, ...args], stderr: { write }, exitCode: 0 };
      new Function('process', 'require', source)(own, expect.fail);
      return { exitCode: own.exitCode, stdout: '', stderr };
    };
    const tooOld = {
      exitCode: 3,
      stdout: '',
      stderr: `tenant-users: Node.js 20.19 or newer is required, and this is ${old}\nInstall a newer version of Node.js, or put it first in PATH.\n`,
    };
    expect(await runProgram(['list', '--local'], { NODE_OPTIONS: `--require=${preload}` })).toEqual(tooOld);
    for (const args of [['--version'], []]) expect(runHere(...args)).toEqual(tooOld);
  },
);

test('the file that starts the program has no syntax that Node 12 cannot read', async () => {
  expect(await readFile(bin, 'utf8')).not.toMatch(
    /\?\.|\?\?|\|\|=|&&=|\bimport\b|\bawait\b|\d_\d|#[a-z]\w*\s*[=;(]/,
  );
});

test.each([
  ['EMFILE', 'this process has too many open files', 'ulimit -n'],
  ['EROFS', 'the file system is read-only', 'another file system'],
  ['ENOSPC', 'no space is left on the disk', 'Free some space'],
  ['EACCES', 'permission denied', 'Check its owner'],
])(
  '%s from any place ends with exit code 3, without a request for a bug report',
  async (code, reason, hint) => {
    const env = new Proxy<Record<string, string>>(
      {},
      {
        get: () => {
          throw Object.assign(new Error(`${code}: open '/x'`), { code, syscall: 'open', path: '/x' });
        },
      },
    );
    const configDirectory = await temporaryDirectory();
    const { exitCode, stderr } = await runCommand(['list', '--no-color'], { env, configDirectory });
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`tenant-users: /x cannot be used: ${reason}\n`);
    expect(stderr).toContain(hint);
  },
);
