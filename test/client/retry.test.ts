import { expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { systemClock } from '../../src/client/retry.ts';
import { type Answer, accept, anyAnswer, json, startPeer } from './start-peer.ts';

const limited = json(429, { error_code: 'SVC.TENANT.COM.0008', error_msg: 'x' }, { 'retry-after': '0' });
const unavailable = json(503, {}, { 'retry-after': '0' });
const reset: Answer = (_received, response) => void response.socket?.resetAndDestroy();

/** Gives the answers in turn, and then 200. */
function inTurn(...answers: Answer[]): Answer {
  return (received, response) => (answers.shift() ?? accept)(received, response);
}

test('a look-up is retried until it succeeds', async () => {
  const peer = await startPeer({ call: inTurn(limited, unavailable, limited) });
  expect(await peer.connect().getUser('x')).toEqual({ ...anyAnswer, user_id: 'x' });
  expect(peer.calls).toHaveLength(4);
});

test('a look-up is retried after a lost connection', async () => {
  const peer = await startPeer({ call: inTurn(reset) });
  expect(await peer.connect().getUserByEmail('a@b')).toEqual(anyAnswer);
  expect(peer.calls).toHaveLength(2);
});

test('the token call is retried', async () => {
  const peer = await startPeer({
    token: inTurn(unavailable, json(200, { access_token: 't', expires_in: 9 })),
  });
  expect(await peer.connect().obtainToken()).toMatchObject({ access_token: 't' });
  expect(peer.tokenCalls).toHaveLength(2);
});

test('a call fails after four attempts', async () => {
  const peer = await startPeer({ call: limited });
  await expect(peer.connect().getUser('x')).rejects.toMatchObject({ status: 429 });
  expect([peer.tokenCalls.length, peer.calls.length]).toEqual([1, 4]);
});

test('attempts for the token and for the call do not multiply', async () => {
  const peer = await startPeer({ token: unavailable });
  await expect(peer.connect().getUser('x')).rejects.toMatchObject({ status: 503 });
  expect([peer.tokenCalls.length, peer.calls.length]).toEqual([4, 0]);
});

test('a retry waits as long as the service asks', async () => {
  const patience = json(503, {}, { 'retry-after': '1' });
  const peer = await startPeer({ call: inTurn(patience) });
  const waits: number[] = [];
  const schedule = (wait: number, wake: () => void) => {
    waits.push(wait);
    setImmediate(wake);
    return () => {};
  };
  await peer.connect({ clock: { ...systemClock, schedule } }).getUser('x');
  expect(waits).toEqual([1000]);
});

test('a call that is ended while it waits for a retry fails as its last attempt did', async () => {
  const peer = await startPeer({ call: unavailable });
  const schedule = () => {
    setImmediate(() => void client.close());
    return () => {};
  };
  const client = peer.connect({ clock: { ...systemClock, schedule } });
  await expect(client.disableUser('x')).rejects.toMatchObject({ name: 'NetworkError', fault: 'busy' });
});

test.each<[string, (client: Client) => Promise<unknown>]>([
  ['create', (client) => client.createUser({ user_name: 'ann' })],
  ['import', (client) => client.importHashedUser({ user_name: 'ann' })],
  ['modify', (client) => client.updateUser('x', { name: 'Ann' })],
  ['ticket exchange', (client) => client.verifySsoTicket({ sso_ticket: 't', ...anyDevice })],
  ['login', (client) => client.logIn('ann', 'secret', anyDevice)],
])('a %s is never retried, not even on a new connection', async (_case, call) => {
  for (const answer of [limited, unavailable, reset]) {
    const peer = await startPeer({ call: answer });
    await expect(call(peer.connect())).rejects.toMatchObject({ name: 'NetworkError' });
    expect(peer.calls).toHaveLength(1);
  }
});

test('after a rejection, which is an answer, nothing is retried', async () => {
  const refused = json(400, { error_code: 'SVC.TENANT.USER.0001', error_msg: 'User not found' });
  const peer = await startPeer({ call: refused });
  await expect(peer.connect().getUser('x')).rejects.toMatchObject({ name: 'ApiError' });
  expect(peer.calls).toHaveLength(1);
});

const anyDevice = { operating_sys_version: 'any', device_ip: '127.0.0.1', device_fingerprint: 'f' };
