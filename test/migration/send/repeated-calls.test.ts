import { expect, test } from 'vitest';
import { AuthenticationError, NetworkError } from '../../../src/client/errors.ts';
import { createRateLimiter } from '../../../src/migration/rate-limit/limiter.ts';
import { callApi } from '../../../src/migration/send/call-api.ts';
import { createCircuitBreaker } from '../../../src/migration/send/circuit-breaker.ts';
import { accept, anyAnswer, json, startPeer } from '../../client/start-peer.ts';
import { fastClock, jumpingClock } from '../../clocks.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const clock = fastClock(20);

const file = `user_name,algorithm,hash\n${Array.from({ length: 30 }, (_, row) => `user${row},md5,${goodHashes.md5}\n`).join('')}`;

/** Makes a call that fails with each of these errors before it succeeds. */
function callAfter(...failures: readonly Error[]) {
  const clock = jumpingClock();
  const breaker = createCircuitBreaker({ now: clock.now });
  const limiter = createRateLimiter({ concurrency: 1, signal: breaker.signal, ...clock });
  const left = [...failures];
  return callApi({ limiter, breaker }, 'create', async () => {
    const failure = left.shift();
    if (failure) throw failure;
    return 'done';
  });
}

test('failures of one kind do not use up the attempts of another', async () => {
  const unreached = new NetworkError('unreachable', 'x', { effect: 'none' });
  const refused = new AuthenticationError('invalid_token', 'no', 401);
  const result = await callAfter(unreached, unreached, unreached, refused, unreached);
  expect(result).toMatchObject({ kind: 'answered', answer: 'done' });
  const always = await callAfter(refused, refused, refused, refused);
  expect(always).toMatchObject({ kind: 'fatal', error: refused });
});

test('a call that is only throttled goes on until the circuit breaker stops the run', async () => {
  const throttled = new NetworkError('throttled', 'x', { effect: 'none', status: 429, retryAfter: 0 });
  const long = new NetworkError('throttled', 'x', { effect: 'none', status: 429, retryAfter: 120_000 });
  const waits = (times: number) => Array.from({ length: times }, () => long);
  expect(await callAfter(...waits(5))).toMatchObject({ kind: 'answered' });
  expect(await callAfter(...waits(6))).toEqual({ kind: 'stopped' });
  // Without a pause of its own, a service that says "Retry-After: 0" would be asked without end within a second.
  const always = Array.from({ length: 1000 }, () => throttled);
  expect(await callAfter(...always)).toEqual({ kind: 'stopped' });
});

test('a row that is refused with every token does not stop the run, and counts as not reached', async () => {
  const peer = await startPeer({
    call: async (received, response) => {
      const isBarred = received.body.includes('user7"');
      const isOdd = received.body.includes('user8"');
      // Another call is accepted with each token before this row is refused with it.
      if (isBarred) await client.getUser('other');
      const answer = isBarred
        ? json(401, { error: 'invalid_token' })
        : isOdd
          ? json(400, { error: 'invalid_request' })
          : received.method === 'GET'
            ? accept
            : json(200, { ...anyAnswer, user_id: `u-${peer.calls.length}` });
      answer(received, response);
    },
  });
  const client = peer.connect();
  const { summary, stoppedBy, failures } = await runImport(
    file,
    { concurrency: 2, clock },
    client.withoutRetries(),
  );
  expect(stoppedBy).toBeUndefined();
  expect(summary).toMatchObject({ created: 28, failed: 2, pending: 0, codes: { NOT_REACHED: 2 } });
  expect(failures.map(({ message }) => message)).toEqual([
    expect.stringContaining('(invalid_token)'),
    expect.stringContaining('(invalid_request)'),
  ]);
});

test.each([
  ['one row', 'user7"', { created: 29, pending: 0, failed: 1 }],
  ['everything', '', { created: 0, pending: 30, failed: 0 }],
])(
  'if every token is refused at once for %s, the run knows what is refused',
  async (_, refused, expected) => {
    const peer = await startPeer({
      call: (received, response) => {
        const isRefused = received.body.includes(refused);
        const user = json(200, { ...anyAnswer, user_id: `u-${peer.calls.length}` });
        const answer = received.method === 'GET' ? accept : user;
        (isRefused ? json(401, { error: 'invalid_token' }) : answer)(received, response);
      },
    });
    const { summary, stoppedBy } = await runImport(
      file,
      { concurrency: 1, clock },
      peer.connect().withoutRetries(),
    );
    expect(summary).toMatchObject(expected);
    expect(stoppedBy?.name).toBe(expected.pending > 0 ? 'AuthenticationError' : undefined);
  },
);

test('a tenant that accepts look-ups and refuses every row stops the run with what it said, after a few calls', async () => {
  for (const concurrency of [1, 8]) {
    const peer = await startPeer({
      call: (received, response) =>
        (received.method === 'GET' ? accept : json(401, { error: 'invalid_token' }))(received, response),
    });
    const { summary, stoppedBy, failures } = await runImport(
      file,
      { concurrency, clock },
      peer.connect().withoutRetries(),
    );
    expect(stoppedBy).toMatchObject({ name: 'AuthenticationError', code: 'invalid_token' });
    expect(stoppedBy?.message).toContain('refuses every row');
    expect(summary.pending).toBeGreaterThan(0);
    expect(peer.calls.length).toBeLessThan(250);
    expect(failures[0]?.hint).toContain('Ask those who run it why');
  }
});

test.each([
  ['answers with a code', { token: json(400, { error_code: 'SVC.TENANT.COM.0003', error_msg: 'no' }) }, {}],
  [
    'cannot be stored',
    {},
    {
      load: () => undefined,
      save: () => Promise.reject(new TypeError('disk full')),
    },
  ],
])('if the request for a token %s, the run stops and every row is pending', async (_, answers, store) => {
  const peer = await startPeer(answers);
  const tokenStore = 'save' in store ? { tokenStore: store } : {};
  const { summary, stoppedBy } = await runImport(file, { clock }, peer.connect(tokenStore).withoutRetries());
  expect(stoppedBy).toBeInstanceOf(Error);
  expect(summary).toMatchObject({ pending: 30, failed: 0, unknown: 0 });
  expect(peer.calls).toEqual([]);
});
