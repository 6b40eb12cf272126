import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { CachedToken } from '../../src/client/token.ts';
import { startTestService } from '../test-service.ts';
import { accept, acceptOnly, anyAnswer, json, startPeer, tokenAnswer } from './start-peer.ts';

const many = Array.from({ length: 25 }, (_, number) => `user-${number}`);

test('many parallel calls share one token call', async () => {
  const peer = await startPeer();
  const client = peer.connect();
  await Promise.all(many.map((id) => client.getUser(id)));
  await client.getUser('later');

  expect(peer.tokenCalls).toHaveLength(1);
  expect(new Set(peer.calls.map(({ headers }) => headers.authorization))).toEqual(
    new Set(['Bearer token-1']),
  );
  expect(peer.calls).toHaveLength(many.length + 1);
});

test('nothing is sent before the first call', async () => {
  const peer = await startPeer();
  const client = peer.connect();
  expect([peer.tokenCalls.length, peer.calls.length]).toEqual([0, 0]);
  await client.obtainToken();
  expect([peer.tokenCalls.length, peer.calls.length]).toEqual([1, 0]);
});

test('the token is renewed a little before it expires', async () => {
  const peer = await startPeer({ token: tokenAnswer(1, 60) });
  let time = 1_000_000;
  const client = peer.connect({ now: () => time });
  const callsAfter = async (seconds: number) => {
    time = 1_000_000 + seconds * 1000;
    await client.getUser('x');
    return peer.tokenCalls.length;
  };
  expect(await callsAfter(0)).toBe(1);
  expect(await callsAfter(49)).toBe(1);
  expect(await callsAfter(51)).toBe(2);
  expect(await callsAfter(100)).toBe(2);
});

test('a token that the service issues again until it ends is not asked for before each call', async () => {
  let time = 0;
  const peer = await startPeer({ token: (...exchange) => tokenAnswer(1, (8000 - time) / 1000)(...exchange) });
  const client = peer.connect({ now: () => time });
  for (time = 0; time < 7900; time += 100) await client.getUser('x');
  expect(peer.tokenCalls.length).toBeLessThan(10);
});

test('many calls with a token that expires share one renewal', async () => {
  const peer = await startPeer({ token: tokenAnswer(1, 60) });
  let time = 0;
  const client = peer.connect({ now: () => time });
  await client.obtainToken();
  time = 60_000;
  await Promise.all(many.map((id) => client.getUser(id)));
  expect(peer.tokenCalls).toHaveLength(2);
});

test('many calls whose token is rejected share one renewal, and all succeed', async () => {
  const peer = await startPeer({ call: acceptOnly('token-2') });
  const client = peer.connect();
  await client.obtainToken();
  await Promise.all(many.map((id) => client.getUser(id)));

  expect(peer.tokenCalls).toHaveLength(2);
  const accepted = peer.calls.filter(({ headers }) => headers.authorization === 'Bearer token-2');
  expect(accepted.map(({ url }) => url.split('/').pop()).sort()).toEqual([...many].sort());
});

test('a create whose token is rejected is sent again with the new one, since nothing was created', async () => {
  const peer = await startPeer({ call: acceptOnly('token-2') });
  expect(await peer.connect().createUser({ user_name: 'ann' })).toEqual(anyAnswer);
  expect(peer.calls).toHaveLength(2);
});

test('a new token that was accepted for others and has expired since is renewed again', async () => {
  const peer = await startPeer({
    call: async (received, response) => {
      const { authorization } = received.headers;
      const isLate = received.url.endsWith('late');
      // Another call succeeds with the second token before this one is rejected with it.
      if (isLate && authorization === 'Bearer token-2') await client.getUser('other');
      const isIn = isLate ? authorization === 'Bearer token-3' : authorization === 'Bearer token-2';
      (isIn ? accept : json(400, { error: 'invalid_token' }))(received, response);
    },
  });
  const client = peer.connect();
  expect(await client.getUser('late')).toEqual({ ...anyAnswer, user_id: 'late' });
  expect(peer.tokenCalls).toHaveLength(3);
});

test('a call that is rejected with every token ends, although other calls succeed with them', async () => {
  const peer = await startPeer({
    call: async (received, response) => {
      const isBarred = received.url.endsWith('barred');
      if (isBarred && peer.tokenCalls.length < 20) await client.getUser('other');
      (isBarred ? json(401, { message: 'Unauthorized' }) : accept)(received, response);
    },
  });
  const client = peer.connect();
  await expect(client.getUser('barred')).rejects.toMatchObject({ status: 401 });
  expect(peer.tokenCalls).toHaveLength(11);
});

test('a gateway that answers 401 in words of its own has rejected the token', async () => {
  const refuse = json(401, { message: 'Unauthorized' });
  const startGateway = () =>
    startPeer({
      call: (received, response) => {
        const isIn = received.headers.authorization === 'Bearer token-2';
        (isIn ? accept : refuse)(received, response);
      },
    });
  const [one, other] = [await startGateway(), await startGateway()];
  expect(await one.connect().createUser({ user_name: 'ann' })).toEqual(anyAnswer);
  const once = other.connect().withoutRetries();
  const refused = { name: 'AuthenticationError', code: 'invalid_token', status: 401, effect: 'none' };
  await expect(once.importHashedUser({})).rejects.toMatchObject(refused);
  expect(await once.importHashedUser({})).toEqual(anyAnswer);
});

test('a late answer to an earlier token says that this one had been accepted', async () => {
  const [isAsked, isRenewed] = [new AbortController(), new AbortController()];
  const peer = await startPeer({
    call: async (received, response) => {
      const isLate = received.url.endsWith('late');
      if (isLate) {
        isAsked.abort();
        await once(isRenewed.signal, 'abort');
      }
      const isIn = received.headers.authorization === 'Bearer token-2' || peer.calls.length === 1;
      (isIn && !isLate ? accept : json(401, { error: 'invalid_token' }))(received, response);
    },
  });
  const client = peer.connect().withoutRetries();
  await client.getUser('first');
  const late = client.getUser('late').catch((failure: unknown) => failure);
  if (!isAsked.signal.aborted) await once(isAsked.signal, 'abort');
  await expect(client.getUser('x')).rejects.toMatchObject({ tokenWasAccepted: true });
  await client.getUser('x');
  isRenewed.abort();
  expect(await late).toMatchObject({ code: 'invalid_token', tokenWasAccepted: true });
});

test('a server that answers 401 to every token rejects them', async () => {
  const peer = await startPeer({ call: json(401, { message: 'Unauthorized' }) });
  const rejected = { name: 'AuthenticationError', code: 'invalid_token', status: 401 };
  await expect(peer.connect().getUser('x')).rejects.toMatchObject(rejected);
  expect(peer.tokenCalls).toHaveLength(2);
});

test('what the answer of a token call leaves out has the value of the specification', async () => {
  const saved: unknown[] = [];
  const tokenStore = { load: () => undefined, save: (token: unknown) => void saved.push(token) };
  for (const rest of [{}, { expires_in: null, scope: null }]) {
    const peer = await startPeer({ token: json(200, { access_token: 'bare', ...rest }) });
    expect(await peer.connect({ tokenStore, now: () => 0 }).getUser('x')).toEqual({
      ...anyAnswer,
      user_id: 'x',
    });
  }
  expect(saved).toEqual(Array(2).fill({ access_token: 'bare', expires_at: 1_800_000, scope: 'all' }));
});

test('a token that ends after the last date there is, or before the first, has an end that can be shown', async () => {
  for (const expires_in of [1e300, '8.7e12', -1e300]) {
    const peer = await startPeer({ token: json(200, { access_token: 't', expires_in }) });
    const { expires_at } = await peer.connect().obtainToken();
    expect(new Date(expires_at).getTime(), String(expires_in)).toBe(expires_at);
  }
});

test('a call fails if the new token is rejected, too', async () => {
  const peer = await startPeer({ call: acceptOnly() });
  await expect(peer.connect().getUser('x')).rejects.toMatchObject({
    name: 'AuthenticationError',
    code: 'invalid_token',
    effect: 'none',
  });
  expect([peer.tokenCalls.length, peer.calls.length]).toEqual([2, 2]);
});

test('a call tries again after a renewal that failed', async () => {
  let works = false;
  const peer = await startPeer({
    token: (...exchange) => (works ? tokenAnswer(1) : json(400, { error: 'invalid_client' }))(...exchange),
  });
  const client = peer.connect();
  await expect(client.getUser('x')).rejects.toMatchObject({ code: 'invalid_client' });
  works = true;
  expect(await client.getUser('x')).toEqual({ ...anyAnswer, user_id: 'x' });
});

test('a stored token is used, and the next one is stored', async () => {
  const peer = await startPeer({ call: acceptOnly('kept', 'token-1') });
  const saved: CachedToken[] = [];
  let time = 0;
  const tokenStore = {
    load: () => ({ access_token: 'kept', expires_at: 60_000, scope: 'all' }),
    save: (token: CachedToken) => void saved.push(token),
  };
  const client = peer.connect({ tokenStore, now: () => time });
  await client.getUser('x');
  expect([peer.tokenCalls.length, saved.length]).toEqual([0, 0]);
  time = 60_000;
  await client.getUser('x');
  expect(saved).toEqual([{ access_token: 'token-1', expires_at: 60_000 + 1_800_000, scope: 'all' }]);
});

test('a client works on after the tokens of a real service have expired', async () => {
  let time = Date.UTC(2026, 0, 1);
  const { client, connect } = await startTestService({ now: () => time });
  const unaware = connect({ now: () => 0 });
  const { user_id } = await client.createUser({ user_name: 'ann' });
  await unaware.getUser(user_id);
  time += 1_800_000;
  expect(await unaware.getUser(user_id)).toMatchObject({ user_name: 'ann' });
});
