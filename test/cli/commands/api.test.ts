import { expect, test } from 'vitest';
import { listedUsers, startListing } from '../../client/start-listing.ts';
import { json, startPeer } from '../../client/start-peer.ts';
import { environmentFor, startWorld } from '../../world.ts';

const envOf = (baseUrl: string) => environmentFor(baseUrl);

async function startAnn() {
  const world = await startWorld();
  const { user_id } = await world.client.createUser({ user_name: 'ann', email: 'ann@example.com' });
  const fed = (stdin: object, ...args: string[]) =>
    world.runWith({ stdin: JSON.stringify(stdin), env: envOf(world.baseUrl) }, 'api', ...args);
  return { ...world, userId: user_id, fed };
}

test('api prints the answer of an endpoint that is given by a short path, a path with a slash, or a whole address', async () => {
  const { run, userId, baseUrl } = await startAnn();
  const paths = [`users/${userId}`, `/api/v2/tenant/users/${userId}`];
  for (const path of [...paths, `${baseUrl}/api/v2/tenant/users/${userId}`]) {
    const { exitCode, stdout, stderr } = await run('api', 'GET', path);
    expect({ exitCode, stderr }, path).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ user_name: 'ann' });
  }
  expect(await run('api', 'GET', paths[0] ?? '', '-o', 'csv', '--columns', 'user_name')).toEqual({
    exitCode: 0,
    stdout: 'user_name\nann\n',
    stderr: '',
  });
});

test('a look-up needs no consent, and a call that may change something needs it', async () => {
  const { run, fed, userId, client, baseUrl } = await startAnn();
  const found = await fed({ user_name: 'ann' }, 'POST', 'users/user-by-username', '--data', '-', '--json');
  expect(found).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(found.stdout)).toMatchObject({ user_id: userId });

  const change = ['PUT', `users/${userId}`, '--data', '-'];
  const refused = await fed({ industry: 'IT' }, ...change);
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain(
    `nothing was sent: to send PUT /api/v2/tenant/users/${userId} without a prompt, add --yes; the target is ${baseUrl}`,
  );
  expect(refused.stderr).toContain(`Run:\n  tenant-users api PUT users/${userId} --data - --yes\n`);
  expect((await client.getUser(userId)).industry).toBeUndefined();

  const changed = await fed({ industry: 'IT' }, ...change, '--yes');
  expect(changed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Target: ') });
  expect((await client.getUser(userId)).industry).toBe('IT');
  expect((await run('api', 'PUT', `users/${userId}/disable`)).exitCode).toBe(2);
  expect((await client.getUser(userId)).disabled).toBe(false);
});

test.each<[number, string[], string]>([
  [5, ['GET', 'users/nobody'], 'User not found (SVC.TENANT.USER.0001)'],
  [6, ['GET', 'users'], '(SVC.TENANT.PAGE.0001)'],
  [6, ['GET', 'nonsense'], 'No such endpoint'],
  [6, ['DELETE', 'users/nobody', '--yes'], 'Method not allowed'],
  [2, ['get', 'users'], 'must be one of GET, POST, PUT, PATCH, DELETE'],
  [2, ['GET', 'users', '--data', 'x.json'], '--data cannot be used with GET'],
  [2, ['POST', 'users', '--paginate'], '--paginate requires GET'],
  [2, ['GET', 'https://elsewhere.example/x'], 'https://elsewhere.example is not the configured service'],
  [2, ['GET', '//elsewhere.example/x'], 'gets no token\nWrite the path alone: /x'],
  [2, ['GET', '\\\\elsewhere.example/x'], 'elsewhere.example is not the configured service'],
  [2, ['POST', 'users/../token'], 'the program obtains the token by itself'],
  ...['client_secret', 'PWD', 'old_password', 'sso_ticket', 'session_token', 'access_token', '%70wd'].map(
    (name): [number, string[], string] => [
      2,
      ['GET', `users?x=1&${name}=planted`],
      'a secret is never part of a path',
    ],
  ),
  [2, ['GET', 'users#part'], 'the path of the call is not valid'],
])('api ends with exit code %i: %j', async (code, words, message) => {
  const { run } = await startWorld();
  const { exitCode, stdout, stderr } = await run('api', ...words);
  expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('planted');
});

test('the path of the base URL precedes that of the call, and another path on the same host gets no token', async () => {
  const peer = await startPeer({ call: json(200, { name: 'ann' }) });
  const { runWith } = await startWorld();
  const env = envOf(`${peer.baseUrl}/tenants/acme/`);
  expect((await runWith({ env }, 'api', 'GET', 'users/1')).stdout).toBe('{\n  "name": "ann"\n}\n');
  expect((await runWith({ env }, 'api', 'GET', `${peer.baseUrl}/tenants/acme/x`)).exitCode).toBe(0);
  expect(peer.calls.map(({ url }) => url)).toEqual([
    '/tenants/acme/api/v2/tenant/users/1',
    '/tenants/acme/x',
  ]);
  expect((await runWith({ env }, 'api', 'GET', `${peer.baseUrl}/tenants/globex/x`)).exitCode).toBe(2);
  expect(peer.calls).toHaveLength(2);
});

test('tokens, tickets and secrets in an answer are hidden, wherever they are', async () => {
  const answer = {
    id_token: 'planted-1',
    list: [{ pwd: 'planted-2', state_token: 'planted-4', a: { sso_ticket: 'planted-3' } }],
    of: 1,
  };
  const peer = await startPeer({ call: json(200, answer) });
  const { runWith } = await startWorld();
  const { exitCode, stdout, stderr } = await runWith(
    { env: envOf(peer.baseUrl) },
    'api',
    'GET',
    'x',
    '--json',
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).not.toContain('planted');
  expect(JSON.parse(stdout)).toMatchObject({ list: [{ a: {} }], of: 1 });
});

test('--paginate reads every page into one document, or into lines', async () => {
  const peer = await startListing(listedUsers(250));
  const { runWith } = await startWorld();
  const api = (...args: string[]) =>
    runWith({ env: envOf(peer.baseUrl) }, 'api', 'GET', 'users', '--paginate', ...args);
  const whole = await api();
  expect(whole).toMatchObject({ exitCode: 0, stderr: '250 of 250\n' });
  const { users, ...rest } = JSON.parse(whole.stdout);
  expect({ users: users.length, rest }).toEqual({ users: 250, rest: { total: 250 } });
  expect(peer.calls.map(({ url }) => url.split('?')[1])).toEqual([
    'limit=100&offset=0',
    'limit=100&offset=1',
    'limit=100&offset=2',
  ]);
  const lines = await api('-o', 'jsonl', '--columns', 'user_name');
  expect(lines.stdout.split('\n')).toHaveLength(251);
  expect(lines.stdout).toMatch(/^\{"user_name":"user0"\}\n/);
});

test('--paginate reports pages that do not add up, and answers that are not a list', async () => {
  const users = listedUsers(25);
  const peer = await startListing(users, ({ offset, answer }) => {
    if (offset === 1) users.splice(0, 5);
    answer();
  });
  const { runWith, run } = await startAnn();
  const path = ['api', 'GET', 'users?limit=10', '--paginate'];
  const ended = await runWith({ env: envOf(peer.baseUrl) }, ...path, '-q');
  expect(ended.exitCode).toBe(10);
  expect(JSON.parse(ended.stdout).total).toBe(20);
  expect(ended.stderr).toContain('20 rows came; the total is 20, and was 25 before');
  const single = await run('api', 'GET', '/.well-known/openid-configuration', '--paginate');
  expect(single).toMatchObject({ exitCode: 2, stdout: '' });
});

test('--paginate counts a user whom another page has too once, and does not read the same page for ever', async () => {
  const page = { total: 5, users: [{ user_id: 'a' }, { user_id: 'b' }] };
  const peer = await startPeer({ call: json(200, page) });
  const { runWith } = await startWorld();
  const api = ['api', 'GET', 'users', '--paginate'];
  const ended = await runWith({ env: envOf(peer.baseUrl) }, ...api);
  expect(ended.exitCode).toBe(10);
  expect(JSON.parse(ended.stdout)).toEqual(page);
  expect(ended.stderr).toContain('2 rows came; the total is 5 (2 rows came again)');
  expect(peer.calls).toHaveLength(2);
});

test('--paginate has a column for each field of the first page, and reports fields that only later pages have', async () => {
  const users = listedUsers(4).map((user, index) => (index === 1 ? { ...user, industry: 'IT' } : user));
  const peer = await startListing(users);
  const { runWith } = await startWorld();
  const api = (...args: string[]) =>
    runWith({ env: envOf(peer.baseUrl) }, 'api', 'GET', 'users?limit=2', '--paginate', ...args);
  const whole = await api('-o', 'csv');
  expect(whole).toMatchObject({ exitCode: 0, stderr: '4 of 4\n' });
  expect(whole.stdout.split('\r\n')[0]).toMatch(/industry/);
  users.reverse();
  const lossy = await api('-o', 'tsv');
  expect(lossy.exitCode).toBe(10);
  expect(lossy.stderr).toContain(
    'records on later pages have fields without a column: industry\nName the columns with --columns, or use -o jsonl.\n',
  );
  const chosen = await api('-o', 'csv', '--columns', 'user_name,industry');
  expect(chosen).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('user1,IT') });
  expect(await api('-o', 'jsonl')).toMatchObject({ exitCode: 0 });
});

const call =
  (answer: ReturnType<typeof json>) =>
  async (...words: string[]) => {
    const peer = await startPeer({ call: answer });
    const { runWith } = await startWorld();
    return runWith({ env: envOf(peer.baseUrl) }, 'api', ...words);
  };

test('any successful answer of an endpoint is shown, a list and an empty one too', async () => {
  const made = await call(json(201, { id: 'a' }))('POST', 'groups', '--yes', '--json');
  expect(made).toEqual({ exitCode: 0, stdout: '{\n  "id": "a"\n}\n', stderr: '' });
  const empty = await call((_, response) => response.writeHead(204).end())('DELETE', 'x', '--yes', '--json');
  expect(empty).toEqual({ exitCode: 0, stdout: '{}\n', stderr: '' });
  const list = call(json(200, [{ id: 1, pwd: 'planted' }, 'b']));
  const shown = await list('GET', 'groups', '--json');
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(shown.stdout)).toEqual([{ id: 1, pwd: expect.not.stringContaining('planted') }, 'b']);
  const ids = await list('GET', 'groups', '--json', '--columns', 'id');
  expect(ids).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(ids.stdout)).toEqual([{ id: 1 }, {}]);
  expect((await list('GET', 'groups', '-o', 'csv')).stdout).toBe('id,pwd,value\n1,[hidden],\n,,b\n');
  expect(await list('GET', 'groups', '--paginate')).toMatchObject({ exitCode: 2, stdout: '' });
});

test('an answer with a code of the API is a failure, whatever its status', async () => {
  const body = { error_code: 'SVC.TENANT.USER.0001', error_msg: 'User not found' };
  const failed = await call(json(200, body))('GET', 'x');
  expect(failed).toMatchObject({ exitCode: 5, stdout: '' });
  expect(failed.stderr).toContain('User not found (SVC.TENANT.USER.0001)');
});
