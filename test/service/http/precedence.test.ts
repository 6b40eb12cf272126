import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openPrecedence } from '../../../src/service/http/precedence.ts';
import { application, device, startTestService } from '../../test-service.ts';

type Precedence = ReturnType<typeof openPrecedence>;

/** Precedence on a clock that the test moves. */
function openWithClock(
  options: Parameters<typeof openPrecedence>[0] = { cores: 3 },
): Precedence & { clock: { now: number } } {
  const clock = { now: 0 };
  return { ...openPrecedence({ ...options, now: () => clock.now }), clock };
}

/** A login that ends when its response closes. */
function beginLogin({ take }: Precedence): EventEmitter {
  const raw = new EventEmitter();
  take({}, { raw: raw as ServerResponse }, () => {});
  return raw;
}

/** Sends requests of an application; returns the numbers of those that have begun, in their order. */
function sendRequests({ give }: Precedence, count: number): number[] {
  const begun: number[] = [];
  const raw = new EventEmitter() as ServerResponse;
  for (let number = 0; number < count; number += 1) give({}, { raw }, () => void begun.push(number));
  return begun;
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

test('while nobody logs in, every request begins at once', () => {
  expect(sendRequests(openPrecedence(), 100)).toEqual(numbers(100));
});

test('beside a login, a few requests begin in each turn, in their order, and all others a second after it', async () => {
  const precedence = openWithClock();
  const login = beginLogin(precedence);
  const begun = sendRequests(precedence, 100);
  expect(begun).toEqual([]);
  await nextTurn();
  expect(begun).toEqual(numbers(16));
  await nextTurn();
  expect(begun).toEqual(numbers(32));
  login.emit('close');
  precedence.clock.now = 999;
  await nextTurn();
  expect(begun).toEqual(numbers(48));
  precedence.clock.now = 1000;
  await nextTurn();
  expect(begun).toEqual(numbers(100));
  expect(sendRequests(precedence, 20)).toHaveLength(20);
});

test('with two cores, requests that wait behind others pause between two turns while a login is in progress', async () => {
  const rests: { milliseconds: number; end(): void }[] = [];
  const sleep = (milliseconds: number) => new Promise<void>((end) => void rests.push({ milliseconds, end }));
  const precedence = openWithClock({ cores: 2, sleep });
  const login = beginLogin(precedence);
  const begun = sendRequests(precedence, 60);
  await nextTurn();
  await nextTurn();
  expect(begun).toEqual(numbers(16));
  rests[0]?.end();
  await nextTurn();
  expect(begun).toEqual(numbers(32));
  login.emit('close');
  rests[1]?.end();
  await nextTurn();
  await nextTurn();
  expect(begun).toEqual(numbers(60));
  expect(rests.map(({ milliseconds }) => milliseconds)).toEqual([10, 10]);
});

test('a small number of requests does not pause', async () => {
  const precedence = openWithClock({ cores: 2, sleep: () => new Promise(() => {}) });
  beginLogin(precedence);
  const begun = sendRequests(precedence, 16);
  await nextTurn();
  expect(begun).toEqual(numbers(16));
});

test('for a second after a login, requests still begin in short turns', async () => {
  const precedence = openWithClock();
  beginLogin(precedence).emit('close');
  precedence.clock.now = 500;
  expect(sendRequests(precedence, 20)).toEqual([]);
});

test('a login whose answer nobody reads does not delay others', async () => {
  const precedence = openWithClock();
  Object.assign(beginLogin(precedence), { writableEnded: true });
  expect(sendRequests(precedence, 20)).toEqual([]);
  precedence.clock.now = 1000;
  await nextTurn();
  await nextTurn();
  expect(sendRequests(precedence, 20)).toHaveLength(20);
});

test('a request that arrives while others wait begins after them', async () => {
  const precedence = openWithClock();
  const login = beginLogin(precedence);
  const begun = sendRequests(precedence, 20);
  await nextTurn();
  login.emit('close');
  precedence.clock.now = 1000;
  const later = sendRequests(precedence, 1);
  expect({ begun: begun.length, later }).toEqual({ begun: 16, later: [] });
  await nextTurn();
  expect({ begun: begun.length, later }).toEqual({ begun: 20, later: [0] });
});

test('requests that arrive beside logins are all answered', async () => {
  const { client, request } = await startTestService();
  const user = { user_name: 'ann', pwd: 'Gf4-kupz', pwd_must_modify: false };
  await client.createUser(user);
  const headers = {
    'x-client-id': application.client_id,
    'x-device-fingerprint': device.device_fingerprint,
    'x-operating-sys-version': device.operating_sys_version,
    'x-agent': 'test',
  };
  const body = { user_name: user.user_name, password: user.pwd };
  const login = request('POST', '/api/v2/sdk/login', { token: null, headers, body });
  const found = await Promise.all(numbers(50).map(() => client.getUserByUserName(user.user_name)));
  expect(found.map(({ user_name }) => user_name)).toEqual(numbers(50).map(() => 'ann'));
  expect(await login).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
  expect(await client.getUserByUserName(user.user_name)).toMatchObject({ usr_auth_times: '1' });
});
