import { expect, test } from 'vitest';
import { createTokenBucket, type Rate } from '../../../src/service/http/token-bucket.ts';
import { createClock, figures, type Service, simulate } from './simulate.ts';

/** A service with a hidden limit, and latencies that vary. */
function limited(rates: [Rate, ...Rate[]], { burst, latency = 5, retryAfter = false }: Limiter): Service {
  const bucket = createTokenBucket(rates, burst);
  let number = 0;
  return (time) => {
    number += 1;
    const wait = bucket.acquire(time);
    const took = latency * (0.5 + ((number * 0.618) % 1));
    if (wait === 0) return { outcome: 'answered', latency: took };
    const asked = retryAfter ? { retryAfter: Math.ceil(wait / 1000) * 1000 } : {};
    return { outcome: 'throttled', latency: took, ...asked };
  };
}

interface Limiter {
  burst?: number;
  latency?: number;
  retryAfter?: boolean;
}

const limiters: [string, Limiter][] = [
  ['a second of credit', {}],
  ['a second of credit, far away', { latency: 80 }],
  ['a second of credit, which asks to wait', { retryAfter: true }],
  ['little credit', { burst: 50 }],
  ['little credit, far away', { burst: 50, latency: 80 }],
];

test.each(limiters)(
  'a hidden limit with %s is found, and followed when it falls and rises',
  async (_case, limiter) => {
    const rates: [Rate, ...Rate[]] = [
      { from: 0, perSecond: 200 },
      { from: 40_000, perSecond: 50 },
      { from: 70_000, perSecond: 200 },
    ];
    const { calls } = await simulate(limited(rates, limiter), 110);
    for (const [from, to, limit] of [
      [10, 40, 200],
      [55, 70, 50],
      [85, 110, 200],
    ] as const) {
      const { speed, throttled } = figures(calls, from, to);
      expect(speed / limit).toBeGreaterThan(0.9);
      expect(throttled).toBeLessThan(0.01);
    }
  },
);

const far: Limiter = { latency: 80, retryAfter: true };

test.each(
  [20, 65, 95, 100, 150, 300, 1200].flatMap((perSecond) => [
    [perSecond, 'close', { retryAfter: true }] as const,
    [perSecond, 'far away', far] as const,
  ]),
)(
  'of a hidden limit of %d a second, %s, 98 percent is used, and less than one call in a hundred is throttled',
  async (perSecond, _where, limiter) => {
    const end = perSecond > 200 ? 40 : 70;
    const { calls } = await simulate(limited([{ from: 0, perSecond }], limiter), end);
    const { speed, throttled } = figures(calls, 10, end);
    expect(speed / perSecond).toBeGreaterThan(0.98);
    expect(throttled).toBeLessThan(0.01);
  },
);

test('a process that gets no processor time for 150 of every 1,150 milliseconds uses the remaining time', async () => {
  const late = (due: number) => (due % 1150 < 1000 ? due : Math.ceil(due / 1150) * 1150);
  const { calls } = await simulate(
    limited([{ from: 0, perSecond: 100 }], { retryAfter: true }),
    70,
    {},
    createClock(late),
  );
  const { speed, throttled } = figures(calls, 10, 70);
  expect(speed).toBeGreaterThan(0.9 * (1000 / 1150) * 100);
  expect(throttled).toBeLessThan(0.01);
});

test('a run after another one finds the limit, though no burst is left', async () => {
  const bucket = createTokenBucket([{ from: 0, perSecond: 100 }]);
  for (let call = 0; call < 100; call += 1) bucket.acquire(0);
  const { calls } = await simulate((time) => {
    const wait = bucket.acquire(time);
    return wait === 0
      ? { outcome: 'answered', latency: 5 }
      : { outcome: 'throttled', latency: 5, retryAfter: Math.ceil(wait / 1000) * 1000 };
  }, 70);
  const { speed, throttled } = figures(calls, 10, 70);
  expect(speed).toBeGreaterThan(95);
  expect(throttled).toBeLessThan(0.01);
});

test('a small burst and a wait of a second cost some of the speed, and few calls are throttled', async () => {
  const { calls } = await simulate(
    limited([{ from: 0, perSecond: 200 }], { burst: 50, retryAfter: true }),
    60,
  );
  const { speed, throttled } = figures(calls, 12, 60);
  expect(speed).toBeGreaterThan(175);
  expect(throttled).toBeLessThan(0.01);
});

test.each([
  [1, 0.6],
  [5, 0.85],
  [1000, 0.9],
])('a limit of %d a second is used well, too', async (perSecond, share) => {
  const { calls } = await simulate(limited([{ from: 0, perSecond }], {}), perSecond < 10 ? 90 : 40);
  const { speed, throttled } = figures(calls, 20, perSecond < 10 ? 90 : 40);
  expect(speed / perSecond).toBeGreaterThan(share);
  expect(throttled).toBeLessThan(perSecond < 10 ? 0.1 : 0.01);
});

test('a limit that is removed is forgotten', async () => {
  const rates: [Rate, ...Rate[]] = [
    { from: 0, perSecond: 50 },
    { from: 20_000, perSecond: 1_000_000 },
  ];
  const { calls, limiter } = await simulate(limited(rates, { latency: 80 }), 45, { concurrency: 64 });
  expect(figures(calls, 40, 45).speed).toBeGreaterThan(400);
  expect(limiter.limits().rate).toBe(Infinity);
});

test('a service that is busy from time to time is used at full speed', async () => {
  let number = 0;
  const busy: Service = () => {
    number += 1;
    return { outcome: number % 100 === 0 ? 'busy' : 'answered', latency: 50 };
  };
  const { calls } = await simulate(busy, 10, { concurrency: 32 });
  expect(figures(calls, 5, 10).speed).toBeGreaterThan(500);
});
