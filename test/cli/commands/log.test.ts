import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { json, startPeer } from '../../client/start-peer.ts';
import { goodHashes } from '../../migration/hashes.ts';
import { environmentFor, runCommand, startWorld, temporaryDirectory } from '../../world.ts';

/** Tests of many commands need more time on a busy machine. */
const manyCommands = { timeout: 60_000 };

async function worldWithLog() {
  const world = await startWorld();
  const logged = async (...args: string[]) => JSON.parse((await world.run('log', '--json', ...args)).stdout);
  const within = (name: string) => join(world.directory, name);
  const idOf = ({ stdout }: { stdout: string }): string => JSON.parse(stdout).user_id;
  return { ...world, logged, within, idOf, files: within('state/log') };
}

test(
  'every change of a user is in the log with its outcome, and without personal data',
  manyCommands,
  async () => {
    const { run, logged, within, idOf, files, baseUrl, directory } = await worldWithLog();
    const ann = idOf(await run('create', '--user-name', 'ann', '--email', 'ann@example.com', '--json'));
    const bob = idOf(await run('ensure', '--user-name', 'bob', '--json'));
    await run('ensure', '--user-name', 'bob', '--name', 'Robert');
    await run('ensure', '--user-name', 'bob', '--name', 'Robert');
    await run('update', '--by-user-name', 'ann', '--name', 'Annabel');
    await run('update', '20200101000000000-0000-000000000', '--name', 'Nobody');
    await run('update', 'ann@example.com', '--name', 'Nobody');
    await writeFile(within('bob.json'), '{"name":"Bobby"}');
    await run('api', 'PUT', `users/${bob}`, '--data', within('bob.json'), '--yes');
    await run('disable', ann, bob, '--yes');
    await run('get', ann);
    const target = { base_url: baseUrl, client_id: 'test-application' };
    const { changes, total } = await logged();
    const notFound = { outcome: 'failed', code: 'SVC.TENANT.USER.0001', changed: 0 };
    expect(changes).toMatchObject([
      { command: 'disable', outcome: 'disabled', user_id: bob },
      { command: 'disable', outcome: 'disabled', user_id: ann },
      { command: 'api', outcome: 'updated', user_id: bob, code: null },
      // The text that was given as an id may be an e-mail address.
      { command: 'update', user_id: null, ...notFound },
      { command: 'update', user_id: '20200101000000000-0000-000000000', ...notFound },
      { command: 'update', outcome: 'updated', user_id: ann },
      { command: 'ensure', outcome: 'updated', user_id: bob },
      { command: 'ensure', outcome: 'created', user_id: bob },
      {
        command: 'create',
        outcome: 'created',
        user_id: ann,
        profile: null,
        target,
        directory: null,
        rows: null,
      },
    ]);
    expect(total).toBe(9);
    const commands = async (...args: string[]) =>
      (await logged(...args)).changes.map(({ command }: { command: string }) => command);
    expect(await commands('--user', ann)).toEqual(['disable', 'update', 'create']);
    expect(await commands('--command', 'ensure', '--limit', '1')).toEqual(['ensure']);
    expect(await commands('--since', '2099-01-01')).toEqual([]);
    const said = { exitCode: 0, stdout: `${bob}\n`, stderr: '' };
    expect(await run('log', '-q', '--limit', '1')).toEqual(said);
    expect(await run('log', '--all', '--limit', '1')).toMatchObject({ exitCode: 2 });

    const [name = '', ...others] = readdirSync(files);
    expect({ name, others }).toEqual({ name: '000001.jsonl', others: [] });
    if (process.platform !== 'win32') {
      expect(statSync(files).mode & 0o777).toBe(0o700);
      expect(statSync(join(files, name)).mode & 0o777).toBe(0o600);
    }
    const written = readFileSync(join(files, name), 'utf8');
    expect(written.trimEnd().split('\n')).toHaveLength(18);
    expect(written.replaceAll(directory, '')).not.toMatch(/ann|bob|robert|example\.com|secret/i);
  },
);

test(
  'a run is in the log with its directory and counts, and a command that only reads is not in it',
  manyCommands,
  async () => {
    const { run, logged, within } = await worldWithLog();
    const file = within('legacy.csv');
    await writeFile(file, `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\nbob,md5,x\n`);
    await run('import-hashes', file, '--dry-run', '--job', within('dry'));
    await run('import-hashes', file, '--rehearse', '--job', within('rehearsal'));
    await run('import-hashes', file, '--job', within('job'));
    await run('compare', file, '--to', within('compared'));
    await run('undo', within('job'), '--dry-run', '--to', within('undone'));
    await run('apply', within('undone'), '--yes');
    await writeFile(within('new.csv'), 'user_name\ncid\n');
    await run('create', '--csv', within('new.csv'), '--to', within('bulk'), '--yes');
    const { changes } = await logged();
    const ended = { outcome: 'finished', user_id: null, code: null };
    expect(changes).toMatchObject([
      { ...ended, command: 'create', changed: 1, rows: { created: 1 }, directory: within('bulk') },
      { ...ended, command: 'apply', changed: 1, rows: { disabled: 1 }, directory: within('undone') },
      {
        ...ended,
        command: 'import-hashes',
        changed: 1,
        rows: { created: 1, invalid: 1 },
        directory: within('job'),
      },
    ]);
    const ann = /,(\d{6,}-[^,]+),created/.exec(await readFile(within('job/users.csv'), 'utf8'))?.[1] ?? '';
    const ofAnn = await logged('--user', ann);
    expect(ofAnn).toMatchObject({ changes: [{ command: 'apply' }, { command: 'import-hashes' }], total: 2 });
    expect(ofAnn.unsearched_runs).toBe(0);
    await rm(within('undone/users.csv'));
    const { exitCode, stderr } = await run('log', '--user', ann);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr:
        'Warning: 1 run not searched for the user: there is no users.csv of it, because it was removed, or the run did not end\n',
    });
    const { jobs } = JSON.parse((await run('runs', '--json')).stdout);
    expect(jobs).toMatchObject([
      { command: 'create', state: 'finished', runs: 2 },
      { command: 'apply', kind: 'plan', state: 'finished', runs: 2 },
      { command: 'compare', kind: 'comparison', state: 'finished', rows: 2, done: null },
      { command: 'import-hashes', kind: 'import' },
      { kind: 'rehearsal' },
      { kind: 'dry-run' },
    ]);
  },
);

test('the line is written before the change is sent, and stays there if no answer comes', async () => {
  const configDirectory = await temporaryDirectory();
  const stop = new AbortController();
  const file = join(configDirectory, 'state/log/000001.jsonl');
  let before = '';
  const id = '20201028102749564-9082-DC8CD2722';
  const peer = await startPeer({
    call: (received, response) => {
      if (received.method === 'GET') return json(200, { user_id: id })(received, response);
      before = readFileSync(file, 'utf8');
      stop.abort('SIGINT');
    },
  });
  const env = {
    TENANT_USERS_BASE_URL: peer.baseUrl,
    TENANT_USERS_CLIENT_ID: 'a',
    TENANT_USERS_CLIENT_SECRET: 's',
  };
  const run = (signal: AbortSignal, ...args: string[]) => runCommand(args, { env, configDirectory, signal });
  expect(await run(stop.signal, 'disable', id, '--yes', '--timeout', '0.2')).toMatchObject({ exitCode: 130 });
  expect(JSON.parse(before)).toMatchObject({ command: 'disable', user_id: id });
  const idle = new AbortController().signal;
  const { changes } = JSON.parse((await run(idle, 'log', '--json')).stdout);
  expect(changes).toMatchObject([{ outcome: 'unknown', user_id: id, code: 'NETWORK', changed: null }]);
});

test('after an error of the service, the log does not say whether the change was made', async () => {
  const peer = await startPeer({ call: json(500, { error: 'x', error_description: 'broken' }) });
  const env = {
    TENANT_USERS_BASE_URL: peer.baseUrl,
    TENANT_USERS_CLIENT_ID: 'a',
    TENANT_USERS_CLIENT_SECRET: 's',
  };
  const surroundings = { env, configDirectory: await temporaryDirectory() };
  await runCommand(['create', '--user-name', 'ann'], surroundings);
  const { stdout } = await runCommand(['log', '--json'], surroundings);
  expect(JSON.parse(stdout).changes).toMatchObject([{ outcome: 'unknown', user_id: null }]);
});

test.each([500, 503])(
  'a create that got no token (%i) was not sent, and the log says that it failed',
  async (status) => {
    const answer = { error_code: 'SVC.TENANT.COM.0002', error_msg: 'System busy, please try again later' };
    const peer = await startPeer({ token: json(status, status === 500 ? answer : 'busy') });
    const surroundings = { env: environmentFor(peer.baseUrl), configDirectory: await temporaryDirectory() };
    const ended = await runCommand(['create', '--user-name', 'ann'], surroundings);
    expect(ended).toMatchObject({ exitCode: 9, stdout: '' });
    expect(ended.stderr).not.toContain('may have been carried out');
    expect(peer.calls).toEqual([]);
    const { stdout } = await runCommand(['log', '--json'], surroundings);
    expect(JSON.parse(stdout).changes).toMatchObject([{ outcome: 'failed', code: 'NETWORK' }]);
  },
);

test('a log that cannot be written causes a warning, and the change is made', async () => {
  const { run, within } = await worldWithLog();
  await writeFile(within('state'), 'a file where the directory should be');
  const { exitCode, stderr } = await run('create', '--user-name', 'ann');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringMatching(
      /^Target: .*\nWarning: what this command does will not be in the log: .*log cannot be written: a part of its path is not a directory\nCreated without a password\n$/,
    ),
  });
  expect(await run('log')).toMatchObject({ exitCode: 0, stderr: 'No changes match\n' });
});

test('--user with a user name finds nothing, and says how the id is found', async () => {
  const { run } = await worldWithLog();
  await run('create', '--user-name', 'ann');
  const form = '--user has not the form of a user id. If it is ';
  for (const [user, how] of [
    ['ann', 'a user name, tenant-users get --by-user-name NAME shows the id'],
    ['ann@b.cn', 'an e-mail address, tenant-users get --by-email ADDRESS shows the id'],
  ] as const)
    expect((await run('log', '--user', user)).stderr).toBe(`No changes match\n${form}${how}\n`);
  const absent = await run('log', '--user', '20200101000000000-0000-000000000');
  expect(absent).toMatchObject({ exitCode: 0, stderr: 'No changes match\n' });
});

test('TENANT_USERS_NO_LOG turns the log off, and the commands that read it say so', async () => {
  const { runWith, baseUrl, files } = await worldWithLog();
  const env = {
    TENANT_USERS_BASE_URL: baseUrl,
    TENANT_USERS_CLIENT_ID: 'test-application',
    TENANT_USERS_CLIENT_SECRET: 'test-secret',
    TENANT_USERS_NO_LOG: '1',
  };
  await runWith({ env }, 'create', '--user-name', 'ann');
  expect(() => readdirSync(files)).toThrow('ENOENT');
  expect((await runWith({ env }, 'log')).stderr).toContain('Warning: TENANT_USERS_NO_LOG is set');
});

test('the log names the profile that was used', async () => {
  const { runWith, logged, within } = await worldWithLog();
  const env = {};
  await runWith({ env }, 'login', '--local', within('local.db'), '--profile', 'acme');
  await runWith({ env }, 'create', '--user-name', 'ann');
  await runWith({ env }, 'create', '--user-name', 'bob', '--local', ':memory:');
  expect((await logged()).changes).toMatchObject([
    { profile: null, target: { database: ':memory:' } },
    { profile: 'acme', target: { database: within('local.db') } },
  ]);
});

test('a command that is refused before anything is sent leaves no line', async () => {
  const { run, logged, within } = await worldWithLog();
  const missing = ['--password-file', within('missing.txt')];
  expect(await run('ensure', '--user-name', 'ann', ...missing)).toMatchObject({ exitCode: 2 });
  expect(await run('create', '--user-name', 'ann', ...missing)).toMatchObject({ exitCode: 2 });
  expect(await run('update', '--by-user-name', 'nobody', '--name', 'x')).toMatchObject({ exitCode: 5 });
  expect((await logged()).changes).toEqual([]);
});
