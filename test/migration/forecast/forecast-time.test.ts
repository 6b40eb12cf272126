import { expect, test } from 'vitest';
import { forecastTime, type PaceEvidence } from '../../../src/migration/forecast/forecast-time.ts';
import { measurePace, startingPace } from '../../../src/migration/rate-limit/measure-pace.ts';
import { createTokenBucket } from '../../../src/service/http/token-bucket.ts';
import { type Service, simulate } from '../rate-limit/simulate.ts';

const day = 86_400_000;
const pace = { slowest: 80, likely: 95, fastest: 110, limit: 100, in_flight: 64 };
const imported: PaceEvidence = { pace, source: 'import', age: 0 };
const looked: PaceEvidence = { pace, source: 'look-ups', age: 0 };

test('after an import a forecast ranges from its fastest tenth to its slowest, and at least a tenth in each direction', () => {
  const { seconds, reasons } = forecastTime(9500, imported);
  expect(seconds).toEqual({ low: 9500 / 110, likely: 100, high: 9500 / 80 });
  expect(reasons).toEqual([
    'from the slowest to the fastest tenth of that import, and at least a tenth either way',
  ]);
  const even = { ...pace, slowest: 95, fastest: 95 };
  expect(forecastTime(9500, { ...imported, pace: even }).seconds).toEqual({
    low: expect.closeTo(100 / 1.1),
    likely: 100,
    high: expect.closeTo(100 / 0.9),
  });
  // The slowest tenth was a time in which the service was unavailable.
  expect(forecastTime(9500, { ...imported, pace: { ...pace, slowest: 0 } }).seconds.high).toBeCloseTo(300);
});

test('the range becomes wider with each day since the measurement', () => {
  const { seconds, reasons } = forecastTime(9500, { ...imported, age: 10.5 * day });
  expect(seconds.low).toBeCloseTo(9500 / (110 * 1.105));
  expect(seconds.high).toBeCloseTo(9500 / (80 * 0.895));
  expect(reasons.at(-1)).toBe('a percent more for each of the 10 days since');
  // The clock was set back.
  expect(forecastTime(9500, { ...imported, age: -day }).seconds.likely).toBe(100);
});

test('a forecast from look-ups has a wider range, since a create is more expensive and its time unknown', () => {
  const throttled = forecastTime(3000, looked);
  expect(throttled.speeds).toEqual({ low: expect.closeTo(30), likely: 100, high: expect.closeTo(121) });
  const free = forecastTime(3000, { ...looked, pace: { ...pace, limit: null } });
  expect(free.speeds).toEqual({
    low: expect.closeTo(95 / 8.889, 2),
    likely: expect.closeTo(95 / 4),
    high: expect.closeTo(121),
  });
  expect(free.reasons.join()).toContain('4 times a look-up, at the worst 8 times');
  const capped = forecastTime(3000, { ...looked, pace: { ...pace, limit: null }, ceiling: 100 });
  expect(capped.speeds.likely).toBeCloseTo(95 / 1.5);
  expect(capped.reasons.at(-1)).toMatch(/^no limit was met at 100 look-ups\/s/);
});

test('--rate limits the forecast speed, and several machines share it', () => {
  const bounded = forecastTime(1000, imported, { rate: 50 });
  expect(bounded.seconds).toEqual({ low: 20, likely: 20, high: expect.closeTo(1000 / 45) });
  expect(bounded.reasons.at(-1)).toBe('--rate allows 50 requests/s at most');
  const shared = forecastTime(1000, imported, { machines: 4 });
  expect(shared.speeds).toEqual({ low: 20, likely: 95 / 4, high: 110 });
});

/** A tenant with a hidden limit, whose answers take between once and one and a half times the latency. */
function tenantOf(perSecond: number, latency: number): Service {
  const bucket = createTokenBucket([{ from: 0, perSecond }]);
  let number = 0;
  return (time) => {
    number += 1;
    const wait = bucket.acquire(time);
    const takes = latency * (1 + ((number * 7919) % 100) / 200);
    return wait === 0
      ? { outcome: 'answered', latency: takes }
      : { outcome: 'throttled', latency: 5, retryAfter: Math.ceil(wait / 1000) * 1000 };
  };
}

/** The number of seconds after which this number of calls has succeeded. */
async function timeOf(
  service: Service,
  requests: number,
  options: Parameters<typeof simulate>[2],
  most: number,
) {
  const { calls } = await simulate(service, most, options);
  const answered = calls.filter(({ outcome }) => outcome === 'answered');
  return (answered[requests - 1]?.sent ?? Infinity) / 1000;
}

test('nine in ten runs into tenants with hidden limits end within the range, after an import and after look-ups', async () => {
  const ceiling = 200;
  const isWithin: Record<PaceEvidence['source'], boolean[]> = { import: [], 'look-ups': [] };
  for (const perSecond of [20, 65, 95, 150, 300]) {
    for (const latency of [10, 60]) {
      const requests = perSecond * 60;
      for (const source of ['import', 'look-ups'] as const) {
        const isRead = source === 'look-ups';
        // A look-up takes half as long as a create.
        const earlier = await simulate(
          tenantOf(perSecond, isRead ? latency / 2 : latency),
          30,
          isRead ? { rate: ceiling } : {},
        );
        const history = earlier.limiter.history();
        const measured = measurePace(history);
        if (!measured) throw new Error('the first run was too short');
        const isThrottled = history.some(({ throttled }) => throttled > 0);
        const found = isThrottled ? measured : { ...measured, limit: null };
        const { seconds, reasons } = forecastTime(requests, { pace: found, source, age: 0, ceiling });
        // A limit far above the speed of the probe cannot be forecast, and the reasons say so.
        expect(reasons.join().includes('may be faster still')).toBe(isRead && perSecond > ceiling);
        if (isRead && perSecond > ceiling) continue;
        const start = isRead ? undefined : startingPace(found, 0);
        const took = await timeOf(tenantOf(perSecond, latency), requests, { start }, 90);
        isWithin[source].push(took >= seconds.low && took <= seconds.high);
      }
    }
  }
  for (const results of Object.values(isWithin)) {
    expect(results.filter(Boolean).length / results.length).toBeGreaterThanOrEqual(0.9);
  }
});
