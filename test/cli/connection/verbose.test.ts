import { expect, test } from 'vitest';
import { json, startPeer } from '../../client/start-peer.ts';
import { application } from '../../test-service.ts';
import { startWorld } from '../../world.ts';

const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

test('--verbose writes a line for each exchange on stderr, with --json too', async () => {
  const { run } = await startWorld();
  const { exitCode, stdout, stderr } = await run('list', '--verbose', '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ users: [] });
  const [token, list, ...rest] = stderr.trimEnd().split('\n');
  expect(token).toMatch(
    new RegExp(
      `^${time} POST /api/v2/tenant/token\\?grant_type=\\[hidden\\]&client_id=\\[hidden\\]&client_secret=\\[hidden\\] → 200 in \\d+ ms, [\\d.]+ k?B$`,
    ),
  );
  expect(list).toMatch(
    new RegExp(
      `^${time} GET /api/v2/tenant/users\\?(offset=0&limit=20|limit=20&offset=0) → 200 in \\d+ ms, [\\d.]+ k?B$`,
    ),
  );
  expect(rest).toEqual([]);
});

test('without --verbose nothing is written', async () => {
  const { run } = await startWorld();
  expect((await run('list', '--json')).stderr).toBe('');
});

test('retries and failures have lines of their own, and no line has a value', async () => {
  const busy = json(503, {}, { 'retry-after': '0' });
  const peer = await startPeer({ call: busy });
  const { runWith } = await startWorld();
  const env = {
    TENANT_USERS_BASE_URL: peer.baseUrl,
    TENANT_USERS_CLIENT_ID: application.client_id,
    TENANT_USERS_CLIENT_SECRET: 'planted secret/5',
  };
  const { exitCode, stderr } = await runWith(
    { env },
    'get',
    '--by-email',
    'planted@example.com',
    '--verbose',
  );
  expect(exitCode).toBe(9);
  const lines = stderr.split('\n').filter((line) => line.includes('user-by-email'));
  expect(lines.map((line) => line.replace(/^.* → /, '').replace(/\d+ ms/, 'N ms'))).toEqual([
    '503 in N ms, 2 B',
    '503 in N ms, 2 B, attempt 2',
    '503 in N ms, 2 B, attempt 3',
    '503 in N ms, 2 B, attempt 4',
  ]);
  expect(stderr).not.toMatch(/planted|token-1|test-application/);
});

test('a text in place of a user id is shown only if it has the form of one', async () => {
  const { client, run } = await startWorld();
  const { user_id } = await client.createUser({});
  const pathsOf = async (...args: string[]) =>
    [...(await run(...args, '--verbose')).stderr.matchAll(/ \S+ (\/\S+users\S*) → /g)].map(
      ([, path]) => path,
    );
  const users = '/api/v2/tenant/users';
  expect(await pathsOf('get', user_id)).toEqual([`${users}/${user_id}`]);
  expect(await pathsOf('get', 'planted@example.com')).toEqual([`${users}/[hidden]`]);
  expect(await pathsOf('disable', 'planted/secret', '--yes')).toEqual([`${users}/[hidden]`]);
  expect(await pathsOf('api', 'PUT', 'users/planted/disable', '--yes')).toEqual([
    `${users}/[hidden]/disable`,
  ]);
  expect(await pathsOf('api', 'GET', 'users/planted')).toEqual([`${users}/[hidden]`]);
  expect(await pathsOf('get', '--by-user-name', 'planted')).toEqual([`${users}/user-by-username`]);
});

test('the line of a request that gets no answer has the reason', async () => {
  const { runWith } = await startWorld();
  const env = { TENANT_USERS_CLIENT_ID: 'a', TENANT_USERS_CLIENT_SECRET: 'planted-secret' };
  const args = ['list', '--base-url', 'http://127.0.0.1:1', '--verbose'];
  const { exitCode, stderr } = await runWith({ env }, ...args);
  expect(exitCode).toBe(9);
  expect(stderr).toMatch(/client_secret=\[hidden\] → no answer \(unreachable\) in \d+ ms\n/);
  expect(stderr).toContain('attempt 4');
  expect(stderr).not.toContain('planted');
});
