import { expect, test } from 'vitest';
import { application, device, startTestService } from '../../test-service.ts';
import { apiErrorOf, errorReply } from '../api-errors.ts';

const password = 'qwe123!@#';
const ann = {
  user_name: 'Ann',
  email: 'Ann@Example.com',
  mobile: '+86-15200000000',
  pwd: password,
  pwd_must_modify: false,
};

const headers = {
  'x-client-id': application.client_id,
  'x-device-fingerprint': 'f-1',
  'x-operating-sys-version': 'macOS',
  'x-agent': 'test',
};

test('a user logs in with user name, e-mail or mobile number, in every case and form', async () => {
  const { client } = await startTestService();
  await client.createUser(ann);
  for (const login of ['Ann', 'aNN', 'ann@example.com', '15200000000', '86-15200000000', '+86-15200000000']) {
    expect(await client.logIn(login, password, device)).toEqual({
      status: 'SUCCESS',
      session_token: expect.stringMatching(/^\S{20,}$/),
      expire: 1800,
      id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
  }
});

test('the service counts logins and stores the time of the last, which does not count as a change of the user', async () => {
  let time = Date.UTC(2026, 0, 1);
  const { client } = await startTestService({ now: () => time });
  const { user_id } = await client.createUser(ann);
  const before = await client.getUser(user_id);
  expect(before).not.toHaveProperty('usr_last_login');
  time += 60_000;
  await client.logIn('ann', password, device);
  time += 60_000;
  await client.logIn('ann', password, device);
  await client.logIn('ann', 'wrong', device).catch(() => undefined);
  expect(await client.getUser(user_id)).toEqual({
    ...before,
    usr_auth_times: '2',
    usr_last_login: '2026-01-01 00:02:00',
  });
});

test('a wrong password, an unknown user, a disabled user and a user without a password get the same answer', async () => {
  const { client, request } = await startTestService({ now: () => Date.UTC(2026, 0, 1) });
  await client.createUser(ann);
  await client.createUser({ user_name: 'nopass' });
  const { user_id } = await client.createUser({ user_name: 'gone', pwd: password, pwd_must_modify: false });
  await client.disableUser(user_id);
  const replies = [];
  for (const [user_name, given] of [
    ['Ann', 'wrong'],
    ['nobody', password],
    ['gone', password],
    ['nopass', ''],
    ['', ''],
    ['+49-1', password],
  ]) {
    const body = { user_name, password: given };
    for (const left of ['4', '3', '2', '1', '0', undefined]) {
      const reply = await request('POST', '/api/v2/sdk/login', { token: null, headers, body });
      const { date: _, 'x-request-id': __, ...shown } = reply.headers;
      replies.push({ left, ...reply, headers: shown });
    }
  }
  const told = [...new Set(replies.map((reply) => JSON.stringify(reply)))].map((text) => JSON.parse(text));
  expect(told).toMatchObject([
    ...['4', '3', '2', '1', '0'].map((left) => ({ left, ...errorReply('loginRefused', left) })),
    errorReply('loginLocked', '300'),
  ]);
});

test.each(['X-client-id', 'X-device-fingerprint', 'X-operating-sys-version', 'X-agent'])(
  'a login needs the header %s',
  async (header) => {
    const { client, request, tenants } = await startTestService();
    await client.createUser(ann);
    const body = { user_name: 'ann', password };
    const complete = { ...headers, 'x-client-id': tenants[0]?.client_id ?? '' };
    const rest = Object.fromEntries(
      Object.entries(complete).filter(([name]) => name !== header.toLowerCase()),
    );
    for (const given of [rest, { ...rest, [header]: '' }]) {
      const reply = await request('POST', '/api/v2/sdk/login', { token: null, headers: given, body });
      expect(reply).toMatchObject(errorReply('deviceHeaderMissing', header));
    }
    const long = { ...complete, [header.toLowerCase()]: 'f'.repeat(513) };
    expect(await request('POST', '/api/v2/sdk/login', { token: null, headers: long, body })).toMatchObject(
      errorReply('requestInvalid', `${header} has more than 512 characters`),
    );
    const reply = await request('POST', '/api/v2/sdk/login', { token: null, headers: complete, body });
    expect(reply.status).toBe(200);
  },
);

test('an unknown application cannot log anyone in, and its answer says nothing about the password', async () => {
  const { client, request } = await startTestService();
  await client.createUser(ann);
  const unknown = { ...headers, 'x-client-id': 'nobody' };
  const body = { user_name: 'ann', password };
  const reply = await request('POST', '/api/v2/sdk/login', { token: null, headers: unknown, body });
  expect(reply).toMatchObject(errorReply('applicationUnknown'));
});

test.each([{ user_name: 5, password }, { user_name: 'ann', password: ['x'] }, [], 'text'])(
  '%j is rejected as a login',
  async (body) => {
    const { request } = await startTestService();
    const reply = await request('POST', '/api/v2/sdk/login', {
      token: null,
      headers,
      body: JSON.stringify(body),
    });
    expect(reply).toMatchObject({ status: 400, body: { error_code: 'SVC.TENANT.COM.0003' } });
  },
);

test('a user who was disabled after a login is rejected at the next one', async () => {
  const { client } = await startTestService();
  const { user_id } = await client.createUser(ann);
  await client.logIn('ann', password, device);
  await client.disableUser(user_id);
  await expect(client.logIn('ann', password, device)).rejects.toMatchObject(apiErrorOf('loginRefused', '4'));
});
