import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Answer, json, startPeer } from '../../client/start-peer.ts';
import { environmentFor, runCommand, startWorld, temporaryDirectory } from '../../world.ts';

const credentials = { TENANT_USERS_CLIENT_ID: 'a', TENANT_USERS_CLIENT_SECRET: 'planted-secret-91' };

test('an unreachable service ends with exit code 9, the address and the reason', async () => {
  const { runWith } = await startWorld();
  const url = 'http://127.0.0.1:1';
  const { exitCode, stdout, stderr } = await runWith({ env: credentials }, 'get', 'x', '--base-url', url);
  expect({ exitCode, stdout }).toEqual({ exitCode: 9, stdout: '' });
  expect(stderr).toContain(url);
  expect(stderr).toContain('refused');
  expect(stderr).not.toContain('planted-secret-91');
});

test('a server that is not the API ends with exit code 9', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { runWith } = await startWorld();
  const args = ['list', '--base-url', `http://127.0.0.1:${port}`, '--json'];
  const { exitCode, stderr } = await runWith({ env: credentials }, ...args);
  expect(exitCode).toBe(9);
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'NETWORK', retryable: false });
});

test.each([
  ['create --name ann', 'The call may have been carried out: check that before you repeat it. ', false],
  ['get ann', '', true],
])(
  'after a gateway error the message of %s says whether the command may be repeated',
  async (line, advice, retryable) => {
    const peer = await startPeer({ call: json(502, {}) });
    const { runWith } = await startWorld();
    const args = [...line.split(' '), '--base-url', peer.baseUrl, '--json'];
    const { exitCode, stdout, stderr } = await runWith({ env: credentials }, ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 9, stdout: '' });
    expect(JSON.parse(stderr).error).toMatchObject({ retryable, hint: `${advice}Try again later.` });
  },
);

test.each([
  ['SVC.TENANT.COM.0002', 'create --name ann', 'Look up whether a write took effect, then try again', false],
  ['SVC.TENANT.COM.0002', 'get ann', 'Look up whether a write took effect, then try again', true],
  ['X.1', 'create --name ann', 'The call may have been carried out: check that before you repeat it.', false],
  ['X.1', 'get ann', '', true],
])(
  'after a failure of the service, %s, the message of %s says whether the command may be repeated',
  async (error_code, line, advice, retryable) => {
    const peer = await startPeer({ call: json(500, { error_code, error_msg: 'busy' }) });
    const { runWith } = await startWorld();
    const args = [...line.split(' '), '--base-url', peer.baseUrl, '--json'];
    const { exitCode, stderr } = await runWith({ env: credentials }, ...args);
    expect(exitCode).toBe(6);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({ code: error_code, retryable });
    expect(error.hint.slice(0, advice.length)).toBe(advice);
  },
);

test('a token that is rejected without a reason gives a readable message', async () => {
  const peer = await startPeer({ call: json(401, { error: 'invalid_token' }) });
  const { runWith } = await startWorld();
  const { exitCode, stderr } = await runWith({ env: credentials }, 'list', '--base-url', peer.baseUrl);
  expect(exitCode).toBe(4);
  expect(stderr).toContain(`tenant-users: ${peer.baseUrl} gives no reason (invalid_token)\n`);
});

test.each([
  ['token', '', {}, 'invalid_client', 'the credentials'],
  ['token', '<html>Sign in</html>', { 'www-authenticate': 'Basic' }, 'invalid_client', 'the credentials'],
  ['call', '', { 'www-authenticate': 'Bearer' }, 'invalid_token', 'the token'],
  ['call', '{"error":"Unauthorized"}', {}, 'invalid_token', 'the token'],
])(
  'a gateway that answers a %s with 401 and %j rejects a login: exit code 4',
  async (at, body, headers, code, what) => {
    const answer: Answer = (_received, response) => void response.writeHead(401, headers).end(body);
    const peer = await startPeer({ [at]: answer });
    const { runWith } = await startWorld();
    const args = ['list', '--base-url', peer.baseUrl, '--json'];
    const { exitCode, stdout, stderr } = await runWith({ env: credentials }, ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' });
    expect(JSON.parse(stderr).error).toMatchObject({
      code,
      status: 401,
      message: `${peer.baseUrl} rejects ${what} (401) without a code of the API: a gateway before the service may do so, or it is another service`,
      hint: expect.stringContaining('Check the base URL, the client id and the secret'),
    });
  },
);

test('a rejected token with a code that the API does not have gets the advice of exit code 4', async () => {
  const peer = await startPeer({ call: json(401, { error: 'unauthorized' }) });
  const { runWith } = await startWorld();
  const args = ['list', '--base-url', peer.baseUrl, '--json'];
  const { exitCode, stderr } = await runWith({ env: credentials }, ...args);
  expect(exitCode).toBe(4);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'unauthorized',
    hint: expect.stringContaining('Check the base URL, the client id and the secret'),
  });
});

test('a token that the service does not know is renewed without a message', async () => {
  let time = Date.parse('2026-01-01T00:00:00Z');
  const { run, directory } = await startWorld({ now: () => time });
  const database = join(directory, 'x.db');
  await run('login', '--local', database);
  time += 10 * 3_600_000;
  expect((await run('list')).exitCode).toBe(0);
});

test.each([
  ['http://id.example.com', 'is not https'],
  ['id.example.com', 'is not a valid URL'],
  ['https://id.example.com?x=1', 'must not contain credentials, a query or a fragment'],
  ['https://user:pw@id.example.com', 'must not contain credentials, a query or a fragment'],
])('the base URL %s is refused', async (url, reason) => {
  const { runWith } = await startWorld();
  const byFlag = await runWith({ env: credentials }, 'list', '--base-url', url);
  expect(byFlag.exitCode).toBe(2);
  expect(byFlag.stderr).toContain(reason);
  const byEnvironment = await runWith({ env: { ...credentials, TENANT_USERS_BASE_URL: url } }, 'list');
  expect(byEnvironment.exitCode).toBe(3);
});

test('without any configuration the error says what to do: exit code 3', async () => {
  const { runWith } = await startWorld();
  expect(await runWith({ env: {} }, 'list')).toEqual({
    exitCode: 3,
    stdout: '',
    stderr:
      'tenant-users: no base URL is configured for profile "default"\nRun: tenant-users login (or set TENANT_USERS_BASE_URL, _CLIENT_ID and _CLIENT_SECRET, or try --local)\n',
  });
});

test.each([
  [['lst'], 'Did you mean list?'],
  [['users', 'gt'], 'Did you mean get?'],
  [['list', '--ofset', '1'], 'Did you mean --offset?'],
  [['import-hashes'], "missing required argument 'file'"],
  [['get', 'a', 'b'], 'too many arguments'],
])('the misspelt command %j ends with exit code 2 and a suggestion', async (args, reason) => {
  const { run } = await startWorld();
  const { exitCode, stdout, stderr } = await run(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(reason);
  const json = await run(...args, '--json');
  expect(JSON.parse(json.stderr).error.code).toBe('USAGE');
});

test('an interrupt ends a command with 130, a termination with 143', async () => {
  const { runWith } = await startWorld();
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const stop = new AbortController();
    stop.abort(signal);
    expect(await runWith({ signal: stop.signal }, 'list')).toEqual({ exitCode, stdout: '', stderr: '' });
  }
});

test('a command that is interrupted before it begins does nothing', async () => {
  const directory = await temporaryDirectory();
  let isOpened = false;
  const ended = await runCommand(['create', '--user-name', 'ann', '--local', join(directory, 'new.db')], {
    env: {},
    signal: AbortSignal.abort('SIGINT'),
    get configDirectory() {
      isOpened = true;
      return directory;
    },
  });
  expect({ ...ended, isOpened }).toEqual({ exitCode: 130, stdout: '', stderr: '', isOpened: false });
});

test('with --json, an interrupted command without a result prints one error, whose exit code is that of the signal', async () => {
  const { runWith } = await startWorld();
  const ended = await runWith({ signal: AbortSignal.abort('SIGTERM') }, 'list', '--json');
  expect(ended).toMatchObject({ exitCode: 143, stdout: '' });
  const message = 'the command was interrupted';
  const hint = 'Run the same command again.';
  expect(ended.stderr).toBe(
    `${JSON.stringify({ error: { code: 'INTERRUPTED', message, status: null, retryable: true, hint } })}\n`,
  );
});

test.each([
  [
    'create --user-name ann',
    'Before you repeat it, look for the user by an identifier (get --by-user-name), or among the newest: tenant-users list --sort=-user_id --limit 10',
  ],
  [
    'update 20201028102749564-9082-DC8CD2722 --name Ann',
    'See whether it was before you repeat it: tenant-users get 20201028102749564-9082-DC8CD2722',
  ],
  ['api DELETE /api/v2/other --yes', 'Check that before you repeat it.'],
])('an interrupted %s says how to see whether the change was made, if it was sent', async (line, hint) => {
  const { runWith } = await startWorld();
  const interrupt = async (...more: string[]) => {
    const stop = new AbortController();
    const { baseUrl } = await startPeer({ call: () => stop.abort('SIGINT') });
    return runWith({ signal: stop.signal, env: environmentFor(baseUrl) }, ...line.split(' '), ...more);
  };
  const message = 'the command was interrupted: its change may have been made';
  const { exitCode, stdout, stderr } = await interrupt('--json');
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'INTERRUPTED', message, retryable: false, hint });
  for (const more of [[], ['--quiet']])
    expect(await interrupt(...more)).toMatchObject({
      exitCode: 130,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^(Target: .*\n)?tenant-users: ${message}\n${hint.replace(/[()]/g, '.')}\n$`),
      ),
    });
});
