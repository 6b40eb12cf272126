import { once } from 'node:events';
import { expect, test } from 'vitest';
import { bodyLimit, smallBodyLimit } from '../../../src/service/http/body.ts';
import { application, startTestService } from '../../test-service.ts';
import { apiErrorOf, errorReply } from '../api-errors.ts';
import { openRaw } from './raw-connection.ts';

const login = '/api/v2/sdk/login';
const token = '/api/v2/tenant/token';
const update = '/api/v2/sdk/pwd/update';
const users = '/api/v2/tenant/users';

test.each([login, token, update])('%s accepts a body of 16 KiB and rejects a larger one', async (path) => {
  const { request } = await startTestService();
  const post = (bytes: number) => request('POST', path, { token: null, body: `"${'x'.repeat(bytes - 2)}"` });
  expect((await post(smallBodyLimit)).status).toBe(400);
  expect(await post(smallBodyLimit + 1)).toMatchObject(errorReply('bodyTooLarge', '16 KiB'));
});

test('a Content-Length above the limit is rejected before the body arrives', async () => {
  const { baseUrl } = await startTestService();
  const { socket, ended } = openRaw(baseUrl);
  const head = 'Host: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 5000000';
  socket.write(`POST ${login} HTTP/1.1\r\n${head}\r\n\r\n`);
  expect(await ended).toMatch(/^HTTP\/1\.1 413 /);
});

test.each([`Content-Length: ${2 * bodyLimit}`, 'Transfer-Encoding: chunked'])(
  'a caller whose body is too large can read the reason and use the connection again (%s)',
  async (framing) => {
    const { baseUrl, client } = await startTestService();
    const { access_token } = await client.obtainToken();
    const { socket, ended } = openRaw(baseUrl);
    const head = `Authorization: Bearer ${access_token}\r\nHost: x\r\nContent-Type: application/json`;
    const isChunked = framing.startsWith('T');
    socket.write(`POST ${users} HTTP/1.1\r\n${head}\r\n${framing}\r\n\r\n`);
    if (isChunked) socket.write(`${(2 * bodyLimit).toString(16)}\r\n`);
    const half = 'x'.repeat(bodyLimit);
    const answer = once(socket, 'data');
    if (isChunked) socket.write(`${half}xx`);
    expect(String(await answer)).toMatch(/^HTTP\/1\.1 413 /);
    socket.write(isChunked ? `${half.slice(2)}\r\n0\r\n\r\n` : half + half);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await ended).toMatch(/^HTTP\/1\.1 413 .*HTTP\/1\.1 200 /s);
  },
);

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('JSON deeper than 32 levels is not parsed, by any operation', async () => {
  const { request } = await startTestService();
  const tooDeep = { status: 400, body: apiErrorOf('requestInvalid', 'the body has more than 32 levels') };
  for (const [path, parts] of [
    [login, { token: null }],
    [users, {}],
  ] as const) {
    const post = (body: string) => request<{ error_msg: string }>('POST', path, { ...parts, body });
    expect(await post(nested(33))).toMatchObject({ status: 400, body: { error_msg: tooDeep.body.message } });
    expect((await post(nested(32))).body.error_msg).not.toMatch(/levels/);
    expect((await post(`{"a":"${'['.repeat(100)}\\"[[${'['.repeat(100)}"}`)).status).toBe(
      path === users ? 200 : 400,
    );
  }
});

const headers = {
  'x-client-id': application.client_id,
  'x-device-fingerprint': 'f-1',
  'x-operating-sys-version': 'macOS',
  'x-agent': 'test',
};
const now = () => Date.UTC(2026, 0, 1);

test('a caller gets no more requests by putting another id where the operation does not read it', async () => {
  const { request } = await startTestService({ rateLimit: 5, now });
  const statusOf = async (index: number) => {
    const body = { user_name: `nobody-${index}`, password: 'x' };
    return (await request('POST', `${login}?client_id=${index}`, { token: null, headers, body })).status;
  };
  const statuses = await Promise.all(Array.from({ length: 20 }, (_, index) => statusOf(index)));
  expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  const updates = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      request('POST', `${update}?client_id=${index}`, {
        token: null,
        headers: { 'x-client-id': `${index}` },
      }),
    ),
  );
  expect(updates.filter(({ status }) => status === 429)).toHaveLength(15);
});

/** A service behind a proxy; counts the calls that are turned away if they come from these addresses, with another id each. */
async function startBehindProxy() {
  const proxies = ['127.0.0.1', '10.0.0.0/8'];
  const { request } = await startTestService({ addressLimit: 1, trustProxy: proxies, now });
  const from = (address: string, index: number) => {
    const query = new URLSearchParams({
      ...application,
      client_id: `id-${index}`,
      grant_type: 'client_credentials',
    });
    return request('POST', `${token}?${query}`, { token: null, headers: { 'x-forwarded-for': address } });
  };
  const count = async (addresses: string[]) => {
    const replies = await Promise.all(addresses.map(from));
    return replies.filter(({ status }) => status === 429).length;
  };
  return count;
}

test('an address is limited whatever id it claims, and another address is not', async () => {
  const count = await startBehindProxy();
  expect(await count(Array.from({ length: 30 }, () => '203.0.113.5'))).toBe(20);
  expect(await count(['203.0.113.6'])).toBe(0);
  // All addresses of one IPv6 network count as one caller.
  expect(await count(Array.from({ length: 30 }, (_, index) => `2001:db8:0:1::${index + 1}`))).toBe(20);
  expect(await count(['2001:db8:0:2::1'])).toBe(0);
});

test.each([
  { what: 'with a port', written: (port: number) => `203.0.113.5:${port}` },
  { what: 'with a port of IPv6', written: (port: number) => `[2001:db8::1]:${port}` },
  {
    what: 'that a second proxy passes on',
    written: (port: number) => `203.0.113.5:${port}, 10.0.0.2:${port}`,
  },
  { what: 'after what the caller wrote', written: (port: number) => `10.0.0.${port}, x${port}, 203.0.113.5` },
  { what: 'that is none', written: (port: number) => `unknown${port}` },
])('an address $what has one limit', async ({ written }) => {
  const count = await startBehindProxy();
  expect(await count(Array.from({ length: 30 }, (_, index) => written(index + 1)))).toBe(20);
});

test("without a trusted proxy, the header with the caller's address has no effect", async () => {
  const { request } = await startTestService({ addressLimit: 1, now });
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      request('POST', token, { token: null, headers: { 'x-forwarded-for': `203.0.113.${index}` } }),
    ),
  );
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(20);
});
