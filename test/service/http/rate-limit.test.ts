import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { openRateLimit } from '../../../src/service/http/rate-limit.ts';
import { defaultTenant } from '../../../src/service/tenant/default-tenant.ts';
import { application, startTestService } from '../../test-service.ts';
import { errorReply } from '../api-errors.ts';
import { openRaw } from './raw-connection.ts';

const users = '/api/v2/tenant/users?offset=0&limit=10';
const tokenPath = '/api/v2/tenant/token';
const start = 1_700_000_000_000;

test('an application gets its burst, then 429 until its bucket fills again, and another application is not affected', async () => {
  let time = start;
  const tenants = [defaultTenant, { ...defaultTenant, tenant_id: 'other' }];
  const {
    baseUrl,
    client,
    request,
    tenants: access,
  } = await startTestService({
    rateLimit: 3,
    now: () => time,
    tenants,
  });
  const { access_token: token } = await client.obtainToken();
  const statuses = async (count: number) => {
    const all = Array.from({ length: count }, () => request('GET', users, { token }));
    return (await Promise.all(all)).map(({ status }) => status);
  };
  expect(await statuses(3)).toEqual([200, 200, 200]);
  const refused = await request('GET', users, { token });
  expect(refused).toMatchObject(errorReply('rateLimited'));
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('1');

  const { client_id: clientId = '', client_secret: clientSecret = '' } = access[1] ?? {};
  const other = createClient({ baseUrl, clientId, clientSecret });
  onTestFinished(() => other.close());
  expect((await other.listUsers({ offset: 0, limit: 10 })).total).toBe(0);

  time += 334;
  expect(await statuses(2)).toEqual([200, 429]);
  time += 60_000;
  expect((await statuses(4)).sort()).toEqual([200, 200, 200, 429]);
});

test('calls of the token endpoint count for the id that they claim, wherever the request has it', async () => {
  const { request } = await startTestService({ rateLimit: 1, now: () => start });
  const { client_id, client_secret } = application;
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  const text = new URLSearchParams(form).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const inQuery = { token: null };
  const inForm = { token: null, body: text, headers: type };
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  const inHeader = { token: null, headers: { authorization: `Basic ${basic}` } };
  expect((await request('POST', `${tokenPath}?${text}`, inQuery)).status).toBe(200);
  expect((await request('POST', `${tokenPath}?${text}`, inQuery)).status).toBe(429);
  expect((await request('POST', tokenPath, inForm)).status).toBe(429);
  expect((await request('POST', `${tokenPath}?grant_type=client_credentials`, inHeader)).status).toBe(429);
  const encoded = Buffer.from(`%74${client_id.slice(1)}:${client_secret}`).toString('base64');
  const inOtherForm = { token: null, headers: { authorization: `Basic ${encoded}` } };
  expect((await request('POST', `${tokenPath}?grant_type=client_credentials`, inOtherForm)).status).toBe(429);
  const others = text.replace(client_id, 'another');
  expect(await request('POST', `${tokenPath}?${others}`, inQuery)).toMatchObject({
    status: 400,
    body: { error: 'invalid_client' },
  });
});

test('without a limit nothing is rejected', async () => {
  const { client, request } = await startTestService({ now: () => start });
  const { access_token: token } = await client.obtainToken();
  const replies = await Promise.all(Array.from({ length: 200 }, () => request('GET', users, { token })));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
});

test('in the long run exactly as many calls pass as the limit says, however they arrive', () => {
  let time = start;
  const limit = openRateLimit(100, () => time);
  let passed = 0;
  for (let call = 0; call < 60_000; call += 1) {
    time = start + Math.floor(call / 2);
    if (limit('a') === 0) passed += 1;
  }
  expect(passed).toBeGreaterThanOrEqual(3_000);
  expect(passed).toBeLessThanOrEqual(3_100);
});

test('a caller who waits as long as the answer says passes, and one millisecond less would be too short', () => {
  let time = start;
  const limit = openRateLimit(7, () => time);
  while (limit('a') === 0);
  const wait = limit('a');
  time += wait - 1;
  expect(limit('a')).toBeGreaterThan(0);
  time += 1;
  expect(limit('a')).toBe(0);
});

test('a clock that is set back lets no extra request pass, and makes no wait longer', () => {
  let time = start;
  const limit = openRateLimit(1, () => time);
  expect(limit('a')).toBe(0);
  time -= 3_600_000;
  expect(limit('a')).toBe(1000);
  time += 1000;
  expect(limit('a')).toBe(0);
});

test('the buckets of many callers are removed after use', () => {
  let time = start;
  const limit = openRateLimit(1, () => time);
  expect(limit('first')).toBe(0);
  for (let caller = 0; caller < 9_999; caller += 1) limit(`caller ${caller}`);
  expect(limit('first')).toBeGreaterThan(0);
  time += 500;
  limit('fresh');
  expect(limit('first')).toBe(0);
});

test('a caller who resets the connection while an unknown token is looked up causes no failure of the service', async () => {
  const { baseUrl, client } = await startTestService({ addressLimit: 100 });
  const lookUp = `GET ${users} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer 1.${'x'.repeat(43)}\r\n\r\n`;
  const { socket, ended } = openRaw(baseUrl);
  // More than one read can take. The service therefore sees the end of the connection in the same turn of the event
  // loop.
  socket.write(lookUp.repeat(2 ** 18 / lookUp.length), () => socket.resetAndDestroy());
  await ended;
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
});
