import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { runCommand, temporaryDirectory } from '../../world.ts';
import { bin, credentials } from './start-program.ts';
import { startTerminal, terminalTest } from './start-terminal.ts';

const legacy = 'user_name,algorithm,hash\nann,md5,e52d98c459819a11775936d8dfbb7929\nbob,md5,x\n';

/** More than a command has to print, and far less than an endless loop prints. */
const mostCharacters = 20_000;

terminalTest.each([0, 1])('on a terminal of %d columns an import ends', async (columns) => {
  const cwd = await temporaryDirectory();
  await writeFile(join(cwd, 'legacy.csv'), legacy);
  // The pseudo-terminal itself does not accept 0.
  const line = `stty cols ${columns}; exec "$0" "${bin}" import-hashes legacy.csv --dry-run`;
  const terminal = await startTerminal([], { cwd, command: ['sh', '-c', line, process.execPath] });
  expect(await terminal.exited).toEqual({ exitCode: 7, signal: 0 });
  expect(await terminal.leftovers()).toEqual([]);
  expect(terminal.raw().length).toBeLessThan(mostCharacters);
});

terminalTest.each([0, 1])(
  'on a terminal of %d columns a prompt can be answered and interrupted',
  async (columns) => {
    const { baseUrl, client } = await startTestService();
    const { user_id } = await client.createUser({ user_name: 'eve' });
    const env = { ...credentials, TENANT_USERS_BASE_URL: baseUrl };
    const line = `stty cols ${columns}; "$0" "${bin}" disable ${user_id}`;
    for (const [keys, exitCode, disabled] of [
      ['\x03', 130, false],
      ['y\r', 0, true],
    ] as const) {
      const terminal = await startTerminal([], { env, command: ['sh', '-c', line, process.execPath] });
      const letters = () => stripVTControlCharacters(terminal.raw()).replace(/\W/g, '');
      await expect.poll(letters, { timeout: 10_000 }).toContain('yN');
      terminal.type(keys);
      expect(await terminal.exited).toEqual({ exitCode, signal: 0 });
      expect((await client.getUser(user_id)).disabled).toBe(disabled);
      expect(terminal.raw().length).toBeLessThan(mostCharacters);
    }
  },
);

/** `script` of util-linux, which gives a program a terminal of 0 columns if it has no terminal itself, as in CI. */
function hasScript(): boolean {
  const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return (stdout ?? '').includes('util-linux');
}

test.skipIf(!hasScript())(
  'under script -qec, as in CI, an import ends and its exit code is kept',
  async () => {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, 'legacy.csv'), legacy);
    const line = `"${process.execPath}" "${bin}" import-hashes legacy.csv --local own.db`;
    const { PATH = '' } = process.env;
    const { status, stdout } = spawnSync('script', ['-qec', line, '/dev/null'], {
      cwd,
      env: { PATH, HOME: cwd },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(status).toBe(7);
    expect(stdout).toContain('2 rows: 1 created, 1 invalid');
    expect(stdout.length).toBeLessThan(mostCharacters);
  },
);

/** The stdout of a command on the database `own.db` of a directory, which is run in this process and ends well. */
async function outputOf(directory: string, ...args: string[]): Promise<string> {
  const local = ['--local', join(directory, 'own.db')];
  const ended = await runCommand([...args, ...local], { env: {}, configDirectory: directory });
  expect(ended).toMatchObject({ exitCode: 0 });
  return ended.stdout;
}

/** Commands with a stream that is closed, or cannot be written, and their exit codes. */
const lines: readonly [line: string, redirection: string, exitCode: number][] = [
  ['--version', '>&-', 0],
  ['--version', '>/dev/full', 1],
  ['enable bob', '2>&-', 2],
  ['list --local own.db', '>&- 2>&- <&-', 0],
  ['list --local own.db', '>/dev/full', 1],
  ['import-hashes legacy.csv --dry-run', '<&- 2>/dev/full', 7],
];

test.skipIf(!existsSync('/dev/full'))(
  'with closed and full streams, a lost result exits with 1, and no stack trace is printed',
  async () => {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, 'legacy.csv'), legacy);
    const script = lines.map(([line, how]) => `"$0" "${bin}" ${line} ${how}; echo $? >> codes`).join('\n');
    const { PATH = '' } = process.env;
    const options = { cwd, env: { PATH, HOME: cwd }, encoding: 'utf8' } as const;
    const { stderr } = spawnSync('sh', ['-c', script, process.execPath], options);
    const codes = (await readFile(join(cwd, 'codes'), 'utf8')).trim().split('\n').map(Number);
    expect(lines.map(([line, how], at) => [line, how, codes[at]])).toEqual(lines);
    const lost = 'tenant-users: cannot write the output (ENOSPC)\n';
    expect(stderr).toBe(`${lost}${lost}Free some space, then run the command again.\n`);
  },
);

test.skipIf(!existsSync('/dev/full'))(
  'a lost result of a change says what was changed and how to see it; with --json, as an error in JSON',
  async () => {
    const cwd = await temporaryDirectory();
    const { PATH = '' } = process.env;
    const run = (line: string) => {
      const script = `"$0" "${bin}" ${line}`;
      const options = { cwd, env: { PATH, HOME: cwd }, encoding: 'utf8' } as const;
      return spawnSync('sh', ['-c', script, process.execPath], options);
    };
    const json = run('create --user-name ann --json --local own.db >/dev/full');
    const { user_id } = JSON.parse(await outputOf(cwd, 'get', '--by-user-name', 'ann', '--json'));
    const seen = `The command had created user ${user_id}: check that before you repeat it.\nTo see it: tenant-users log`;
    expect(json).toMatchObject({ status: 1 });
    expect(JSON.parse(json.stderr)).toEqual({
      error: {
        ...{ code: 'OUTPUT', message: 'cannot write the output (ENOSPC)', status: null, retryable: false },
        hint: seen,
      },
    });
    const brief = run(`disable ${user_id} --quiet --local own.db >/dev/full`);
    const lost = 'tenant-users: cannot write the output (ENOSPC)\n';
    expect(brief).toMatchObject({ status: 1, stderr: `${lost}${seen.replace('created', 'disabled')}\n` });
    const made = run('apps create --quiet --local own.db >/dev/full');
    const [app] = JSON.parse(await outputOf(cwd, 'apps', 'list', '--json')).applications;
    expect(made.stderr).toBe(
      `${lost}The command had changed database own.db, given application ${app.client_id} a new secret: check that before you repeat it.\n` +
        'To see it: tenant-users --local own.db audit\n' +
        `The secret is lost. To replace it: tenant-users --local own.db apps rotate-secret ${app.client_id} --lost\n`,
    );
    const rotated = run(`apps rotate-secret ${app.client_id} --quiet --local own.db >/dev/full`);
    expect(rotated.stderr).toMatch(
      /The secret is lost; the old one is valid until 2\S+Z\. To replace it: .* rotate-secret \w+ --lost\n$/,
    );
    await outputOf(cwd, 'apps', 'rotate-secret', app.client_id, '--lost', '--yes');
  },
);

test('a result that nobody reads does not change the exit code', async () => {
  const cwd = await temporaryDirectory();
  await writeFile(join(cwd, 'legacy.csv'), legacy);
  const { PATH = '' } = process.env;
  // The reader has closed the pipe before anything is written.
  const line = `mkfifo gone; (exec <gone) & exec 3>gone; wait; "$0" "${bin}" import-hashes legacy.csv --local own.db >&3`;
  const { status, stderr } = spawnSync('sh', ['-c', line, process.execPath], {
    cwd,
    env: { PATH, HOME: cwd },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 7, stderr: expect.not.stringContaining('EPIPE') });
});

test.skipIf(!existsSync('/dev/full'))(
  'a service whose new secret cannot be printed says how to replace it; a known one needs no reader',
  async () => {
    const cwd = await temporaryDirectory();
    const { PATH = '' } = process.env;
    const run = (script: string) =>
      spawnSync('sh', ['-c', script, process.execPath], { cwd, env: { PATH, HOME: cwd }, encoding: 'utf8' });
    const serve = `"$0" "${bin}" serve --port 0 --database own.db`;
    const gone = 'rm -f gone own.db*; mkfifo gone; (exec <gone) & exec 3>gone; wait;';
    for (const unread of [`${serve} >/dev/full`, `${gone} ${serve} >&3`]) {
      const { status, stderr } = run(unread);
      const replace = /To replace it: tenant-users (apps rotate-secret (\w+) --lost --local own\.db)\n$/;
      const [, command, client_id] = replace.exec(stderr) ?? [];
      expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringContaining('is lost') });
      const applications = JSON.parse(await outputOf(cwd, 'apps', 'list', '--json'));
      expect(applications).toMatchObject({ applications: [{ client_id }] });
      expect(run(`"$0" "${bin}" ${command} --json`)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('client_secret'),
      });
    }
    // Half a second after the first line, other commands without a reader have ended.
    const known = run(
      `TENANT_USERS_CLIENT_ID=a TENANT_USERS_CLIENT_SECRET=b; export TENANT_USERS_CLIENT_ID TENANT_USERS_CLIENT_SECRET
      ${gone} ${serve} >&3 &
      until [ -s own.db.audit.jsonl ]; do sleep 0.1; done; sleep 1; kill -TERM $!; wait $!`,
    );
    expect(known).toMatchObject({ status: 0, stderr: expect.stringContaining('Stopped; all open requests') });
  },
);
