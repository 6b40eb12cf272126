import { expect, test } from 'vitest';
import { createRateLimiter } from '../../../src/migration/rate-limit/limiter.ts';
import { createClock, figures, type Service, simulate } from './simulate.ts';

/** Serves this number of calls at the same time, each in this number of milliseconds; other calls wait in a queue. */
function servers(count: number, latency: number): Service {
  const free = new Array<number>(count).fill(0);
  return (time) => {
    const server = free.indexOf(Math.min(...free));
    const begin = Math.max(free[server] ?? 0, time);
    free[server] = begin + latency;
    return { outcome: 'answered', latency: begin + latency - time };
  };
}

test('a service that can handle only a few calls does not get hundreds', async () => {
  const { calls, limiter, most } = await simulate(servers(10, 10), 60);
  expect(figures(calls, 2, 60).speed).toBeGreaterThan(980);
  expect(limiter.concurrency()).toBeLessThanOrEqual(64);
  expect(most).toBeLessThanOrEqual(128);
});

test('more calls are permitted even if they come in batches of which only the last one reaches the limit', async () => {
  const clock = createClock();
  const limiter = createRateLimiter({ concurrency: 'auto', ...clock });
  while (clock.now() < 3000) {
    const permits = await Promise.all(Array.from({ length: limiter.concurrency() }, limiter.acquire));
    await clock.run(clock.now() + 10);
    for (const permit of permits) permit?.end('answered');
  }
  expect(limiter.concurrency()).toBe(512);
});

test('a service that answers quickly gets hundreds of calls at the same time within three seconds, though its speed varies', async () => {
  const answer = saturating(16);
  const varying: Service = (time, inFlight) => {
    const pace = 0.85 + 0.3 * ((Math.floor(time / 200) * 0.618) % 1);
    const { latency, ...rest } = answer(time, inFlight);
    return { ...rest, latency: latency / pace };
  };
  const fixed = await simulate(varying, 6, { concurrency: 512 });
  const { calls } = await simulate(varying, 6);
  expect(figures(calls, 3, 6).speed).toBeGreaterThan(0.95 * figures(fixed.calls, 3, 6).speed);
});

test('a service with a long latency gets as many calls at the same time as it can handle', async () => {
  const { calls, limiter } = await simulate(servers(200, 150), 15);
  expect(limiter.concurrency()).toBeGreaterThanOrEqual(128);
  expect(figures(calls, 8, 15).speed).toBeGreaterThan(850);
});

/**
 * Its speed rises with the number of calls in flight, up to 2,000 a second; with `half` of them it is half of that.
 * Latencies vary.
 */
function saturating(half: number): Service {
  let number = 0;
  return (_time, inFlight) => {
    number += 1;
    const scatter = 0.9 + 0.2 * ((number * 0.618) % 1);
    return { outcome: 'answered', latency: ((inFlight + half) / 2) * scatter };
  };
}

test.each([32, 64])(
  'a service that reaches half of its speed with %d calls gets hundreds of calls at the same time within three seconds',
  async (half) => {
    const fixed = await simulate(saturating(half), 4, { concurrency: 512 });
    const { calls } = await simulate(saturating(half), 6);
    expect(figures(calls, 3, 6).speed).toBeGreaterThan(0.95 * figures(fixed.calls, 1, 4).speed);
  },
);

test('when latency rises and throughput falls, fewer calls are sent, and when that is over, as many as before', async () => {
  const [fast, slow] = [servers(32, 20), servers(4, 60)];
  const { limiter, clock } = await simulate(
    (time, inFlight) => (time < 20_000 || time > 30_000 ? fast : slow)(time, inFlight),
    29,
  );
  expect(clock.now()).toBe(29_000);
  expect(limiter.concurrency()).toBeLessThan(32);
  const later = await simulate(
    (time, inFlight) => (time < 20_000 || time > 30_000 ? fast : slow)(time, inFlight),
    50,
  );
  expect(later.limiter.concurrency()).toBeGreaterThanOrEqual(32);
});

test('many failures halve the number of calls, which rises again when the failures are over', async () => {
  let number = 0;
  const healthy = servers(64, 50);
  const failing: Service = (time, inFlight) => {
    number += 1;
    const fails = time >= 5000 && time < 10_000 && number % 4 === 0;
    return { ...healthy(time, inFlight), ...(fails ? { outcome: 'failing' } : {}) };
  };
  const during = await simulate(failing, 10);
  expect(during.limiter.concurrency()).toBeLessThan(16);
  number = 0;
  const after = await simulate(failing, 20);
  expect(after.limiter.concurrency()).toBeGreaterThanOrEqual(32);
});

test('one lost call in a hundred does not reduce the speed', async () => {
  let number = 0;
  const healthy = servers(64, 50);
  const { calls } = await simulate((time, inFlight) => {
    number += 1;
    return { ...healthy(time, inFlight), ...(number % 100 === 0 ? { outcome: 'lost' } : {}) };
  }, 10);
  expect(figures(calls, 5, 10).speed).toBeGreaterThan(560);
});
