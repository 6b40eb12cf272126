import net from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { bodyLimit } from '../../src/service/http/body.ts';
import { application, startTestService } from '../test-service.ts';
import { errorReply } from './api-errors.ts';
import { collectLog } from './http/collect-log.ts';

const users = '/api/v2/tenant/users';
const form = 'application/x-www-form-urlencoded';

test.each(['{', 'text', '{"user_name":}', "{'user_name':'x'}", '{"a":1}{', '\u0000'])(
  '%j is not valid JSON',
  async (body) => {
    const { request } = await startTestService();
    expect(await request('POST', users, { body })).toMatchObject(
      errorReply('requestInvalid', 'the body is not JSON in UTF-8'),
    );
  },
);

test('of a member that occurs twice, the last value counts', async () => {
  const { client, request } = await startTestService();
  const body = '{"user_name":"ann","extension":{"age":"1"},"user_name":"bob"}';
  const { user_id } = (await request('POST', users, { body })).body as { user_id: string };
  expect(await client.getUser(user_id)).toMatchObject({ user_name: 'bob' });
});

const withBody = [
  '',
  '/import-hash-pwd',
  '/user-by-username',
  '/user-by-email',
  '/user-by-mobile',
  '/user-by-external-id',
];

test.each(withBody)('users%s needs an object as its body', async (path) => {
  const { request } = await startTestService();
  for (const body of ['[]', '[{"user_name":"x"}]', '"text"', '5', 'true', 'null', undefined]) {
    expect(await request('POST', users + path, { body })).toMatchObject(
      errorReply('requestInvalid', 'the body must be a JSON object'),
    );
  }
});

test('a byte order mark before the JSON is accepted, and not stored', async () => {
  const { request } = await startTestService();
  const body = '\ufeff{"user_name":"ann","name":"\ufeffAnn"}';
  expect(await request('POST', users, { body })).toMatchObject({ status: 200 });
  expect(await request('POST', `${users}/user-by-username`, { body: '{"user_name":"ann"}' })).toMatchObject({
    body: { user_name: 'ann', name: '\ufeffAnn' },
  });
});

test('text in another encoding is rejected, not stored with replaced letters', async () => {
  const { client, baseUrl } = await startTestService();
  const { access_token } = await client.obtainToken();
  const gbk = Buffer.from([0x7b, 0x22, 0x6e, 0x61, 0x6d, 0x65, 0x22, 0x3a, 0x22, 0xd5, 0xc5, 0x22, 0x7d]);
  const headers = {
    authorization: `Bearer ${access_token}`,
    'content-type': 'application/json; charset=gbk',
  };
  const reply = await fetch(baseUrl + users, { method: 'POST', headers, body: gbk });
  expect({ status: reply.status, body: await reply.json() }).toEqual(
    errorReply('requestInvalid', 'the body is not JSON in UTF-8'),
  );
});

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON',
])('the content type %s is accepted', async (type) => {
  const { request } = await startTestService();
  const reply = await request('POST', users, {
    body: '{"user_name":"x"}',
    headers: { 'content-type': type },
  });
  expect(reply.status).toBe(200);
});

test.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x', form, 'json', ''])(
  'the content type %j is rejected',
  async (type) => {
    const { client, request } = await startTestService();
    for (const body of ['{"user_name":"x"}', 'user_name=x']) {
      const reply = await request('POST', users, { body, headers: { 'content-type': type } });
      expect(reply).toMatchObject(errorReply('mediaTypeNotSupported', 'content type', 'application/json'));
    }
    expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
  },
);

test('a call without a body needs no content type, and accepts those that common clients send', async () => {
  const { client, request } = await startTestService();
  const { user_id } = await client.createUser({});
  for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': form }]) {
    expect((await request('PUT', `${users}/${user_id}/disable`, { headers })).status).toBe(200);
    expect((await request('GET', `${users}/${user_id}`, { headers })).status).toBe(200);
  }
});

test('a body over 5 MiB is rejected, and one of 5 MiB is not', async () => {
  const { request } = await startTestService();
  const around = JSON.stringify({ head_img: 'http://', extra: '' }).length;
  const bodyOf = (bytes: number) => ({ head_img: `http://${'x'.repeat(bytes - around)}`, extra: '' });
  expect((await request('POST', users, { body: bodyOf(bodyLimit) })).status).toBe(200);
  expect(await request('POST', users, { body: bodyOf(bodyLimit + 1) })).toMatchObject(
    errorReply('bodyTooLarge', '5 MiB'),
  );
});

test.each([
  '/',
  '/api/v2/tenant',
  '/api/v1/tenant/users',
  `${users}/x/enable`,
  `${users}/x/disable/y`,
  '/users',
])('there is no endpoint %s', async (path) => {
  const { request } = await startTestService();
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    expect(await request(method, path, { token: null })).toMatchObject(errorReply('noSuchEndpoint'));
  }
});

test.each([
  ['DELETE', users, 'GET, HEAD, POST'],
  ['PUT', users, 'GET, HEAD, POST'],
  ['PATCH', `${users}/x`, 'GET, HEAD, PUT'],
  ['POST', `${users}/x`, 'GET, HEAD, PUT'],
  ['GET', `${users}/x/disable`, 'PUT'],
  ['GET', '/api/v2/tenant/token', 'POST'],
  ['PROPFIND', users, 'GET, HEAD, POST'],
  ['OPTIONS', '/api/v2/sdk/login', 'POST'],
  ['DELETE', '/api/v1/oauth2/keys?x=1', 'GET, HEAD'],
])('%s is not a method of %s, and the answer lists the methods that are', async (method, path, allow) => {
  const { request } = await startTestService();
  const reply = await request(method, path, { token: null });
  expect(reply).toMatchObject(errorReply('methodNotAllowed'));
  expect(reply.headers.allow).toBe(allow);
});

test.each(['%', '%zz', '%e0%a4%a', 'a%'])('a user id of %s makes an invalid URL', async (id) => {
  const { request } = await startTestService();
  expect(await request('GET', `${users}/${id}`)).toMatchObject(
    errorReply('requestInvalid', 'the URL is malformed'),
  );
});

test.each(['/api/v1/oauth2/keys', '/.well-known/openid-configuration'])(
  '%s is not answered for all tenants if the query names several applications',
  async (path) => {
    const { request } = await startTestService();
    const query = `?client_id=${application.client_id}&client_id=other`;
    expect(await request('GET', `${path}${query}`, { token: null })).toMatchObject(
      errorReply('requestInvalid', 'the query has several values of client_id'),
    );
  },
);

test('a malformed URL gets the usual headers, and is logged and counted', async () => {
  const log = collectLog();
  const { request, readMetrics } = await startTestService({ log: log.log, metrics: { port: 0 } });
  const { headers } = await request('GET', '/%zz', { token: null, headers: { 'x-request-id': 'one' } });
  expect(headers).toMatchObject({
    'x-request-id': 'one',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  await expect.poll(() => log.lines()).toMatchObject([{ request_id: 'one', route: null, status: 400 }]);
  expect(await readMetrics()).toContain(
    'tenant_users_api_errors_total{operation="none",error_code="SVC.TENANT.COM.0003"} 1',
  );
});

test.each([
  ['noSuchEndpoint', 'POST', '/nowhere'],
  ['noSuchEndpoint', 'POST', '/xwell-known/openid-configuration'],
  ['methodNotAllowed', 'PATCH', users],
] as const)('the answer %s does not depend on the body', async (name, method, path) => {
  const { request } = await startTestService();
  for (const [type, body] of [
    ['application/json', '{"a'],
    ['text/plain', 'a'],
    ['application/json', `"${'x'.repeat(20_000)}"`],
  ] as const) {
    const reply = await request(method, path, { token: null, body, headers: { 'content-type': type } });
    expect(reply).toMatchObject(errorReply(name));
  }
});

test.each([
  ['nonsense', 'nonsense\r\n\r\n'],
  ['headers without end', `GET ${users} HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
])('%s gets an answer of the usual shape, and the connection ends', async (_case, sent) => {
  const { baseUrl } = await startTestService();
  const socket = net.connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.write(sent);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(body)).toMatchObject({
    error_code: 'SVC.TENANT.COM.0003',
    error_msg: expect.any(String),
  });
});

test('a caller who hangs up in the middle of a body causes no failure of the service', async () => {
  const { client, baseUrl, reports, readMetrics } = await startTestService({ metrics: { port: 0 } });
  const { access_token } = await client.obtainToken();
  const socket = net.connect(Number(new URL(baseUrl).port), '127.0.0.1');
  const headers = `Host: x\r\nAuthorization: Bearer ${access_token}\r\nContent-Type: application/json`;
  socket.write(`POST ${users} HTTP/1.1\r\n${headers}\r\nContent-Length: 100\r\n\r\n{"user_n`);
  await expect.poll(readMetrics).toContain('in_flight 1\n');
  socket.destroy();
  await expect.poll(readMetrics).toContain('in_flight 0\n');
  expect(await client.listUsers({ offset: 0, limit: 10 })).toEqual({ total: 0, users: [] });
  expect(reports).toEqual([]);
});
