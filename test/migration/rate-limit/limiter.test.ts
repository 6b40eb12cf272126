import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { burstOf, createRateLimiter, type Permit } from '../../../src/migration/rate-limit/limiter.ts';
import { createClock, simulate } from './simulate.ts';

/** The largest number of these times, sorted and in milliseconds, within a window of this length. */
function mostWithin(times: readonly number[], window: number): number {
  let first = 0;
  let most = 0;
  for (const [last, time] of times.entries()) {
    while (time - (times[first] ?? time) > window) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

test('2,000 callers who wait together at 50 a second get their permits over 40 seconds', async () => {
  const clock = createClock();
  const limiter = createRateLimiter({ concurrency: 2000, rate: 50, ...clock });
  const times: number[] = [];
  for (let waiter = 0; waiter < 2000; waiter += 1) void limiter.acquire().then(() => times.push(clock.now()));
  await clock.run();
  expect(times).toHaveLength(2000);
  expect(times.at(-1)).toBeGreaterThan(39_500);
  expect(times.at(-1)).toBeLessThan(40_100);
  expect(mostWithin(times, 1000)).toBeLessThanOrEqual(50 + burstOf(50));
});

test('the same holds with real time, and callers who wait when the run stops get no permit', async () => {
  const stop = new AbortController();
  const limiter = createRateLimiter({ concurrency: 2000, rate: 50, signal: stop.signal });
  const permits = Array.from({ length: 2000 }, () => limiter.acquire());
  const times: number[] = [];
  for (const permit of permits) void permit.then((given) => given && times.push(performance.now()));
  // However long this takes on a busy machine.
  while (times.length <= 40) await sleep(20);
  stop.abort();
  const given = (await Promise.all(permits)).filter((permit) => permit !== undefined);
  expect(given.length).toBe(times.length);
  expect(mostWithin(times, 1000)).toBeLessThanOrEqual(50 + burstOf(50));
  expect(await limiter.acquire()).toBeUndefined();
});

test('permits are given in the order of the calls', async () => {
  const clock = createClock();
  const limiter = createRateLimiter({ concurrency: 3, rate: 100, ...clock });
  const order: number[] = [];
  for (let caller = 0; caller < 50; caller += 1) {
    void limiter.acquire().then((permit) => {
      order.push(caller);
      clock.schedule(7 + ((caller * 13) % 50), () => permit?.end('answered'));
    });
  }
  await clock.run();
  expect(order).toEqual(Array.from({ length: 50 }, (_, index) => index));
});

test('no window has more calls than rate and burst, and never are more in flight than the limit', async () => {
  const outcomes = fc.constantFrom(
    'answered',
    'answered',
    'answered',
    'throttled',
    'busy',
    'lost',
    'failing',
    'unreachable',
  );
  const runs = fc.record({
    rate: fc.integer({ min: 1, max: 2000 }),
    concurrency: fc.integer({ min: 1, max: 40 }),
    answers: fc.array(fc.record({ outcome: outcomes, latency: fc.integer({ min: 0, max: 300 }) }), {
      minLength: 1,
      maxLength: 50,
    }),
    window: fc.integer({ min: 1, max: 3000 }),
  });
  await fc.assert(
    fc.asyncProperty(runs, async ({ rate, concurrency, answers, window }) => {
      let number = 0;
      const service = () => {
        number += 1;
        return answers[number % answers.length] as (typeof answers)[number] & { outcome: 'answered' };
      };
      const { calls, most } = await simulate(service, 5, { rate, concurrency });
      expect(most).toBeLessThanOrEqual(concurrency);
      const times = calls.map(({ sent }) => sent);
      expect(mostWithin(times, window)).toBeLessThanOrEqual((rate * window) / 1000 + burstOf(rate) + 1e-6);
    }),
    { numRuns: 60 },
  );
});

test('a run that is stopped gives no permits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 500 }),
      fc.integer({ min: 1, max: 100 }),
      async (when, rate) => {
        const clock = createClock();
        const stop = new AbortController();
        const limiter = createRateLimiter({ concurrency: 5, rate, ...clock, signal: stop.signal });
        const given: (Permit | undefined)[] = [];
        for (let waiter = 0; waiter < 100; waiter += 1)
          void limiter.acquire().then((permit) => given.push(permit));
        await clock.run(when);
        stop.abort();
        const before = given.filter((permit) => permit !== undefined);
        for (const permit of before) permit.end('answered');
        await clock.run();
        expect(given).toHaveLength(100);
        expect(given.filter((permit) => permit !== undefined)).toEqual(before);
      },
    ),
    { numRuns: 50 },
  );
});

test('the wait that the service asks for holds for the whole run', async () => {
  let throttledAt = Infinity;
  const { calls } = await simulate(
    (time) => {
      if (time < 500 || throttledAt < Infinity) return { outcome: 'answered', latency: 20 };
      throttledAt = time + 20;
      return { outcome: 'throttled', latency: 20, retryAfter: 3000 };
    },
    5,
    { concurrency: 10 },
  );
  const meanwhile = calls.filter(({ sent }) => sent > throttledAt && sent < throttledAt + 3000);
  expect(throttledAt).toBe(520);
  expect(meanwhile).toEqual([]);
  expect(calls.some(({ sent }) => sent >= throttledAt + 3000)).toBe(true);
});

test('an unavailable service gets one call at a time, at most every two seconds, and is used fully as soon as it is back', async () => {
  const gone = { from: 2000, to: 22_000 };
  const { calls } = await simulate(
    (time) => ({ outcome: time >= gone.from && time < gone.to ? 'unreachable' : 'answered', latency: 5 }),
    30,
    { concurrency: 20 },
  );
  const tries = calls.filter(({ outcome }) => outcome === 'unreachable');
  expect(tries.length).toBeLessThan(80);
  const firstBack = calls.find(({ sent }) => sent >= gone.to);
  expect(firstBack?.sent).toBeLessThan(gone.to + 2000);
  expect(calls.filter(({ sent }) => sent >= 25_000).length / 5).toBeGreaterThan(3000);
});
