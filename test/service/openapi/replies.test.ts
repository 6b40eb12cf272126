import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import known from '../../../fixtures/hash-vectors.json' with { type: 'json' };
import { companions, operations } from '../../../src/contract/operations.ts';
import { bodyLimit } from '../../../src/service/http/body.ts';
import { application, device, startTestService, type TestService } from '../../test-service.ts';
import { replyFaults } from './reply-validator.ts';
import { watchReplies } from './watch-replies.ts';

type Name = keyof typeof operations | keyof typeof companions;
type Sent = NonNullable<Parameters<TestService['request']>[2]> & { id?: string; query?: object };

/** Calls operations by name, and checks every reply against the description. */
async function startWalk(options: Parameters<typeof startTestService>[0] = {}) {
  const service = await startTestService(options);
  const seen = new Map<Name, Set<number>>();
  async function call<Body = Record<string, string>>(name: Name, { id, query, ...sent }: Sent = {}) {
    const { method, url } = { ...operations, ...companions }[name];
    const search = new URLSearchParams(Object.entries(query ?? {})).toString();
    const path = url.replace(':user_id', id ?? 'nobody') + (search && `?${search}`);
    const reply = await service.request<Body>(method, path, sent);
    expect(replyFaults(name, reply)).toEqual([]);
    seen.set(name, (seen.get(name) ?? new Set()).add(reply.status));
    return reply;
  }
  return { ...service, call, seen };
}

const names = Object.keys({ ...operations, ...companions }) as Name[];
const credentials = { grant_type: 'client_credentials', ...application };
const headers = { 'X-client-id': application.client_id, 'X-device-fingerprint': device.device_fingerprint };
const fromDevice = { ...headers, 'X-operating-sys-version': 'macOS 14.5', 'X-agent': 'test' };
const full = {
  user_name: 'zhangsan',
  name: '张三',
  mobile: '+86-15200000000',
  email: '15200000000@qq.com',
  attr_gender: 'male',
  attr_birthday: '2022-02-17',
  attr_nick_name: 'San',
  mailing_address: 'Road 1',
  zip_code: '100000',
  first_name: 'San',
  middle_name: 'M',
  last_name: 'Zhang',
  industry: '事业单位',
  external_id: 'x'.repeat(35),
  head_img: 'data:image/jpeg;base64,.......',
  extension: { age: '42', joined_on: '2024-02-29' },
};

test('every success matches the description', async () => {
  const { call, seen } = await startWalk();
  await call('obtainToken', { token: null, query: credentials });
  await call('listKeys', { token: null });
  await call('discover', { token: null });
  const body = { ...full, pwd: 'Kx7!mq2#Vt', pwd_must_modify: false };
  const { user_id: id = '' } = (await call('createUser', { body })).body;
  await call('createUser', { body: { user_name: 'late', pwd: 'Kx7!mq2#Vt' } });
  const hash = { algorithm: 'md5', value: known.vectors[0]?.md5 };
  await call('importHashedUser', { body: { 'hash-pwd': hash } });
  await call('updateUser', { id, body: { industry: '', extension: { age: '' } } });
  const login = { user_name: 'zhangsan', password: 'Kx7!mq2#Vt' };
  const session = (await call('logIn', { token: null, headers: fromDevice, body: login })).body;
  const state = (
    await call('logIn', { token: null, headers: fromDevice, body: { ...login, user_name: 'late' } })
  ).body;
  expect([session.status, state.status]).toEqual(['SUCCESS', 'PASSWORD_EXPIRED']);
  const update = { old_password: 'Kx7!mq2#Vt', new_password: 'Wd5?zr8%Lp' };
  const stateHeader = { 'X-state-token': state.state_token ?? '' };
  await call('updatePassword', { token: null, headers: stateHeader, body: update });
  const order = { session_token: session.session_token, ...device };
  const { sso_ticket } = (await call('issueSsoTicket', { body: order })).body;
  await call('verifySsoTicket', { body: { sso_ticket, ...device } });
  await call('changePassword', { id, body: { password: 'Wd5?zr8%Lp' } });
  await call('getUser', { id });
  await call('getUserByUserName', { body: { user_name: 'zhangsan' } });
  await call('getUserByEmail', { body: { email: full.email } });
  await call('getUserByMobile', { body: { mobile: full.mobile } });
  await call('getUserByExternalId', { body: { external_id: full.external_id } });
  await call('listUsers', { query: { offset: 0, limit: 10 } });
  await call('disableUser', { id });
  await call('getUser', { id });
  expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(names.map((name) => [name, new Set([200])])));
});

test('errors of every operation match the description', async () => {
  const { call, seen } = await startWalk();
  const large = ' '.repeat(bodyLimit + 1);
  for (const name of names) {
    const isGet = { ...operations, ...companions }[name].method === 'GET';
    await call(name, { token: 'unknown' });
    if (isGet) continue;
    for (const body of [
      '{',
      '[]',
      '{}',
      '{"user_name":5,"email":5,"mobile":5,"external_id":5,"password":5}',
    ]) {
      await call(name, { body, headers: fromDevice });
    }
    await call(name, { body: large });
    await call(name, { body: 'x', headers: { 'content-type': 'text/plain' } });
  }
  for (const bad of [
    { ...credentials, client_secret: 'wrong' },
    { ...credentials, grant_type: 'password' },
  ]) {
    await call('obtainToken', { token: null, query: bad });
  }
  await call('listUsers', { query: { offset: 0, limit: 9 } });
  await call('listUsers', { query: { offset: 0, limit: 10, updated_at_less: 'today' } });
  for (const id of ['nobody', '%'])
    for (const name of ['getUser', 'disableUser'] as const) await call(name, { id });
  const faults = [
    { user_name: 'a b' },
    { mobile: '999-1' },
    { email: 'x' },
    { attr_gender: 'x' },
    { extension: { nothing: 'x' } },
    { 'hash-pwd': { algorithm: 'sha1', value: 'x' } },
    { 'hash-pwd': { algorithm: 'hmacsha256_base64_key', value: 'x' } },
  ];
  await call('createUser', { body: full });
  for (const body of [...faults, full, { email: full.email }, { mobile: full.mobile }]) {
    for (const name of ['createUser', 'importHashedUser', 'updateUser'] as const) await call(name, { body });
  }
  const wrong = { user_name: full.user_name, password: 'wrong' };
  for (let login = 0; login < 7; login += 1)
    await call('logIn', { token: null, headers: fromDevice, body: wrong });
  await call('issueSsoTicket', { body: { session_token: 'x', ...device } });
  await call('verifySsoTicket', { body: { sso_ticket: 'x', ...device } });
  await call('listKeys', { token: null, query: { client_id: 'unknown' } });
  for (const name of names.filter((each) => each !== 'discover')) expect(seen.get(name)).toContain(400);
  const withBody = names.filter((name) => {
    return { ...operations, ...companions }[name].method !== 'GET';
  });
  for (const name of withBody)
    expect([...(seen.get(name) ?? [])]).toEqual(expect.arrayContaining([413, 415]));
});

test('a rejection by the rate limit matches the description', async () => {
  const { call, seen } = await startWalk({ rateLimit: 1, now: () => 1_700_000_000_000 });
  const token = (await call('obtainToken', { token: null, query: credentials })).body.access_token ?? '';
  for (const name of names) await call(name, { token, query: name === 'obtainToken' ? credentials : {} });
  const open: Name[] = ['listKeys', 'discover', 'logIn', 'updatePassword'];
  const others = names.filter((name) => !open.includes(name));
  expect(others.filter((name) => !seen.get(name)?.has(429))).toEqual(['listUsers']);
});

test('the check finds a reply that does not match', () => {
  const json = { 'content-type': 'application/json' };
  expect(replyFaults('getUser', { status: 200, headers: json, body: { user_id: 'x' } })).not.toEqual([]);
  expect(
    replyFaults('disableUser', { status: 200, headers: json, body: { user_id: 'x', more: 1 } }),
  ).not.toEqual([]);
  const unlisted = { error_code: 'SVC.TENANT.USER.0002', error_msg: 'x' };
  expect(replyFaults('getUser', { status: 400, headers: json, body: unlisted })).not.toEqual([]);
  expect(replyFaults('getUser', { status: 418, headers: json, body: {} })).not.toEqual([]);
  expect(replyFaults('getUser', { status: 400, headers: {}, body: unlisted })).not.toEqual([]);
});

test('what any client receives is checked against the description', async () => {
  const peer = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"user_id":5}');
  });
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void peer.close());
  const baseUrl = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
  const { faults, end } = watchReplies(baseUrl);
  onTestFinished(end);
  const reply = await request(`${baseUrl}${operations.disableUser.url.replace(':user_id', 'x')}`, {
    method: 'PUT',
  });
  await reply.body.text();
  expect(faults).toContainEqual(['disableUser', '/user_id', 'must be string']);
});
