import { expect, test } from 'vitest';
import { application, startTestService } from '../../test-service.ts';
import { collectLog } from './collect-log.ts';
import { openRaw } from './raw-connection.ts';

const users = '/api/v2/tenant/users';

test('each request leaves one line: who sent what, how it ended, and how long it took', async () => {
  const log = collectLog();
  const { request, client } = await startTestService({ log: log.log });
  const { access_token: token } = await client.obtainToken();
  const { headers } = await request('GET', `${users}/nobody?a=b`, { token });
  await request('GET', `${users}?offset=0&limit=10`, { token: null });
  await request('GET', '/nowhere', { token: null });
  await expect.poll(() => log.lines().length).toBe(4);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const request_id = expect.stringMatching(/^[0-9a-f]{12}-\w+$/);
  const common = { level: 'info', time, request_id, duration_ms: expect.any(Number) };
  const [tokenLine, ...lines] = log.lines();
  expect(tokenLine).toEqual({
    ...common,
    method: 'POST',
    route: '/api/v2/tenant/token',
    operation: 'obtainToken',
    status: 200,
    client_id: application.client_id,
  });
  expect(lines).toEqual([
    {
      ...common,
      request_id: headers['x-request-id'],
      method: 'GET',
      route: `${users}/:user_id`,
      operation: 'getUser',
      status: 400,
      error_code: 'SVC.TENANT.USER.0001',
      tenant: 'default',
      client_id: application.client_id,
    },
    {
      ...common,
      method: 'GET',
      route: users,
      operation: 'listUsers',
      status: 400,
      error_code: 'invalid_token',
    },
    {
      ...common,
      method: 'GET',
      route: null,
      operation: 'none',
      status: 404,
      error_code: 'SVC.TENANT.COM.0004',
    },
  ]);
});

test('bytes that are not HTTP leave a line, too', async () => {
  const log = collectLog();
  const { baseUrl } = await startTestService({ log: log.log });
  const { socket, ended } = openRaw(baseUrl);
  socket.write('GARBAGE planted-secret\r\n\r\n');
  expect(await ended).toMatch(/^HTTP\/1\.1 400 /);
  const entry = { operation: 'none', status: 400, error_code: 'SVC.TENANT.COM.0003' };
  expect(log.lines()).toEqual([expect.objectContaining(entry)]);
  expect(log.text()).not.toContain('planted');
});

test.each(['silent', 'error', 'warn'] as const)('at the level %s a request leaves no line', async (level) => {
  const log = collectLog(level);
  const { client, request } = await startTestService({ log: log.log });
  await client.listUsers({ offset: 0, limit: 10 });
  await request('GET', `${users}/nobody`);
  expect(log.text()).toBe('');
});

test('a caller may name its request, but only with characters that do no harm in a log', async () => {
  const { request } = await startTestService();
  const idOf = async (id: string) => {
    const { headers } = await request('GET', '/nowhere', { token: null, headers: { 'x-request-id': id } });
    return headers['x-request-id'];
  };
  expect(await idOf('trace-1.A_b')).toBe('trace-1.A_b');
  for (const id of ['', 'a b', 'x'.repeat(65), '{"level":"error"}', 'é']) {
    expect(await idOf(id)).toMatch(/^[0-9a-f]{12}-\w+$/);
  }
});

test('no two requests share an id, and every reply forbids caches to store it', async () => {
  const { request } = await startTestService();
  const replies = await Promise.all(['/a', '/b', '/c'].map((path) => request('GET', path, { token: null })));
  replies.push(await request('GET', `${users}?offset=0&limit=10`));
  expect(new Set(replies.map(({ headers }) => headers['x-request-id'])).size).toBe(4);
  for (const { headers } of replies) {
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  }
});
