import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { NetworkError } from '../../../src/client/errors.ts';
import { createTimeoutQueue, type TimedRequest } from '../../../src/client/transport/timeouts.ts';
import { type Answer, startPeer } from '../start-peer.ts';

const tokenStore = { load: () => ({ access_token: 't', expires_at: Infinity, scope: 'all' }), save() {} };

const silence: Answer = () => {};
const drip: Answer = (_received, response) => {
  response.writeHead(200, { 'content-length': 1000 });
  const timer = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(timer));
};

/**
 * How a call fails, and by how many milliseconds later than a timer of Node that a busy machine delays equally. The
 * limit counts from the time when the request was `sent`, or from the call if there never was a connection.
 */
async function timed(call: () => Promise<unknown>, limit: number, sent = Promise.resolve()) {
  const began = performance.now();
  const failing = call().catch((error: unknown) => error as NetworkError);
  const rung = sent.then(
    () => new Promise<number>((resolve) => setTimeout(() => resolve(performance.now()), limit)),
  );
  const { fault, effect } = (await failing) as NetworkError;
  const failed = performance.now();
  expect(failed - began).toBeGreaterThan(limit - 5);
  return { fault, effect, late: async () => failed - (await rung) };
}

/** Well below half a second, by which the timers of undici are late. */
function expectInTime(late: number) {
  expect(late).toBeLessThan(300);
}

test.each([
  ['silent', silence, 0.01],
  ['silent', silence, 0.2],
  ['dripping, so that the whole takes too long', drip, 0.1],
])('an answer that is %s ends in time', async (_case, call, timeout) => {
  let arrived = () => {};
  const peer = await startPeer({
    call(...exchanged) {
      arrived();
      call(...exchanged);
    },
  });
  const hasty = peer.connect({ timeout, tokenStore });
  const attempt = () => {
    const sent = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    return timed(() => hasty.createUser({}), timeout * 1000, sent);
  };
  let { late, ...ended } = await attempt();
  // On a busy machine there may be no connection in that time, so that nothing was sent. A later attempt has one.
  for (let more = 20; ended.effect === 'none' && more > 0; more -= 1) ({ late, ...ended } = await attempt());
  expect(ended).toEqual({ fault: 'timeout', effect: 'unknown' });
  expectInTime(await late());
});

test('a connection that is never established ends in time, and nothing was sent', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const peer = await startPeer();
  const client = peer.connect({ baseUrl: `https://127.0.0.1:${port}`, timeout: 0.1, tokenStore });
  const { late, ...ended } = await timed(() => client.createUser({}), 100);
  expect(ended).toEqual({ fault: 'timeout', effect: 'none' });
  expectInTime(await late());
});

test('calls that wait for a free connection do not use up their time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  onTestFinished(() => void vi.useRealTimers());
  const calls = new EventEmitter<{ call: [answer: () => void] }>();
  const call: Answer = (_received, response) => {
    calls.emit('call', () => response.end('{"user_id":"u-1"}'));
  };
  const client = (await startPeer({ call })).connect({ timeout: 1, connections: 1, tokenStore });
  let sent = once(calls, 'call');
  const created = Promise.all([client.createUser({}), client.createUser({})]);
  for (let number = 0; number < 2; number += 1) {
    const [answer] = await sent;
    vi.advanceTimersByTime(900);
    sent = once(calls, 'call');
    answer();
  }
  expect(await created).toHaveLength(2);
});

test('requests that have ended do not expire, and the others expire in order', async () => {
  const expired: number[] = [];
  const timeouts = createTimeoutQueue(20);
  await new Promise<void>((resolve) => {
    const requests = Array.from({ length: 6 }, (_, index): TimedRequest => {
      const expire = () => {
        expired.push(index);
        if (index === 4) resolve();
      };
      return { place: -1, expire };
    });
    for (const request of requests) timeouts.begin(request);
    const ended = [0, 2, 5, 5].map((index) => timeouts.end(requests[index] as TimedRequest));
    expect(ended).toEqual([true, true, true, false]);
    expect(timeouts.underWay()).toEqual([requests[1], requests[3], requests[4]]);
  });
  expect(expired).toEqual([1, 3, 4]);
});

test('a request that ends because another one expires does not expire itself', async () => {
  const expired: string[] = [];
  const timeouts = createTimeoutQueue(20);
  const second: TimedRequest = { place: -1, expire: () => expired.push('second') };
  await new Promise<void>((resolve) => {
    timeouts.begin({
      place: -1,
      expire() {
        expired.push('first');
        timeouts.end(second);
      },
    });
    timeouts.begin(second);
    timeouts.begin({
      place: -1,
      expire() {
        expired.push('third');
        resolve();
      },
    });
  });
  expect(expired).toEqual(['first', 'third']);
});

test('of many requests with different durations each is known in order, as long as it is in progress', () => {
  const timeouts = createTimeoutQueue(60_000);
  const kept: TimedRequest[] = [];
  const brief: TimedRequest[] = [];
  for (let count = 0; count < 5000; count += 1) {
    const request: TimedRequest = { place: -1, expire() {} };
    timeouts.begin(request);
    if (count % 50 === 7) kept.push(request);
    else brief.push(request);
    if (brief.length > 20) expect(timeouts.end(brief.shift() as TimedRequest)).toBe(true);
  }
  expect(timeouts.underWay().filter((request) => kept.includes(request))).toEqual(kept);
  expect(timeouts.underWay()).toHaveLength(kept.length + brief.length);
  const [again] = kept;
  timeouts.begin(again as TimedRequest);
  expect(timeouts.underWay().at(-1)).toBe(again);
  for (const request of [...kept, ...brief]) expect(timeouts.end(request)).toBe(true);
  expect(timeouts.underWay()).toEqual([]);
});
