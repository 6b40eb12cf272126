import { expect, test } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { errorReply } from '../api-errors.ts';
import { openRaw } from './raw-connection.ts';

const page = '/api/v2/tenant/users?offset=0&limit=10';

test.each(['Authorization', 'Host'])('a request with two headers %s is rejected', async (name) => {
  const { baseUrl, client } = await startTestService();
  const { access_token } = await client.obtainToken();
  const own = `host: x\r\nauthorization: Bearer ${access_token}\r\nConnection: close\r\n`;
  const { socket, ended } = openRaw(baseUrl);
  socket.write(`GET ${page} HTTP/1.1\r\n${own}${name}: other\r\n\r\n`);
  const [head, body = ''] = (await ended).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(body)).toEqual(
    errorReply('requestInvalid', `it has several headers ${name.toLowerCase()}`).body,
  );
});

test.each([
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/docs/static/swagger-ui.css',
  '/api/v1/oauth2/keys',
  '/.well-known/openid-configuration',
  page,
])('HEAD %s is answered as GET, without the body', async (path) => {
  const { request } = await startTestService({ docs: true });
  const [get, head] = [await request('GET', path), await request('HEAD', path)];
  expect(head).toMatchObject({ status: 200, body: '' });
  expect(head.headers['content-type']).toBe(get.headers['content-type']);
  expect(head.headers['content-length']).toBe(get.headers['content-length']);
});

test('HEAD needs a bearer token where GET does', async () => {
  const { request } = await startTestService();
  expect((await request('HEAD', page, { token: null })).status).toBe(400);
});
