import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { request as send } from 'undici';
import { expect, test } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { errorReply } from '../api-errors.ts';
import { openRaw } from './raw-connection.ts';

const users = '/api/v2/tenant/users';
const json = { 'content-type': 'application/json' };

test.each([
  ['a type and no length', 'Content-Type: text/plain\r\n', ''],
  ['a type and the length 0', 'Content-Type: text/plain;charset=UTF-8\r\nContent-Length: 0\r\n', ''],
  ['no type and an empty body in chunks', 'Transfer-Encoding: chunked\r\n', '0\r\n\r\n'],
  [
    'a type and an empty body in chunks',
    'Content-Type: application/xml\r\nTransfer-Encoding: chunked\r\n',
    '0\r\n\r\n',
  ],
])('a call without a body may have %s', async (_what, headers, body) => {
  const { baseUrl, client } = await startTestService();
  const { user_id } = await client.createUser({});
  const { access_token } = await client.obtainToken();
  const { socket, ended } = openRaw(baseUrl);
  const own = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${access_token}\r\n`;
  socket.write(`PUT ${users}/${user_id}/disable HTTP/1.1\r\n${own}${headers}\r\n${body}`);
  expect(await ended).toMatch(/^HTTP\/1\.1 200 /);
  expect(await client.getUser(user_id)).toMatchObject({ disabled: true });
});

test('a body in chunks of another type is rejected', async () => {
  const { baseUrl, client } = await startTestService();
  const { access_token } = await client.obtainToken();
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'text/plain' };
  const body = Readable.from(['{"user_name"', ':"x"}']);
  const reply = await send(baseUrl + users, { method: 'POST', headers, body });
  expect({ status: reply.statusCode, body: await reply.body.json() }).toEqual(
    errorReply('mediaTypeNotSupported', 'content type', 'application/json'),
  );
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
});

test.each(['gzip', 'br', 'identity, gzip'])(
  'a body with the content encoding %j is rejected',
  async (encoding) => {
    const { client, request, baseUrl } = await startTestService();
    const { access_token } = await client.obtainToken();
    const headers = { ...json, 'content-encoding': encoding };
    const refused = errorReply('mediaTypeNotSupported', 'content encoding', 'the body without one');
    expect(await request('POST', users, { body: { user_name: 'x' }, headers })).toMatchObject(refused);
    const reply = await send(baseUrl + users, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${access_token}` },
      body: gzipSync('{"user_name":"x"}'),
    });
    expect(await reply.body.json()).toEqual(refused.body);
    expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
  },
);

test.each([
  { 'content-type': 'application/json; charset=UTF-8' },
  { 'content-type': 'application/json; charset=gbk' },
  { 'content-type': 'application/json;charset="utf8"; x=y' },
  { ...json, 'content-encoding': 'Identity' },
])('a body with %j is accepted', async (headers) => {
  const { request } = await startTestService();
  expect((await request('POST', users, { body: { name: '王' }, headers })).status).toBe(200);
});
