import { expect, test } from 'vitest';
import { type RateSample, recordHistory } from '../../../src/migration/rate-limit/history.ts';
import { measurePace, startingPace } from '../../../src/migration/rate-limit/measure-pace.ts';
import { createTokenBucket } from '../../../src/service/http/token-bucket.ts';
import { figures, simulate } from './simulate.ts';

const day = 86_400_000;
const pace = { slowest: 80, likely: 95, fastest: 110, limit: 100, in_flight: 64 };

/** A run of this length with this number of answers a second, and half as many in its last fifth. */
function historyOf(seconds: number, perSecond: number): readonly RateSample[] {
  const history = recordHistory(0);
  for (let time = 0; time < seconds * 1000; time += 1000 / perSecond) {
    if (time < seconds * 800 || Math.round((time * perSecond) / 1000) % 2 === 0)
      history.note(time, 'answered', 32, 40);
  }
  return history.samples();
}

test('the pace of a run is its number of answers a second: on average, in its slowest tenth and in its fastest', () => {
  const measured = measurePace(historyOf(60, 40));
  expect(measured).toMatchObject({ limit: 40, in_flight: 32 });
  expect(measured?.likely).toBeCloseTo(36, 0);
  expect(measured?.slowest).toBeCloseTo(20, 0);
  expect(measured?.fastest).toBeCloseTo(40, 0);
});

test('a run that was short, or got few answers, has no pace', () => {
  expect(measurePace([])).toBeUndefined();
  expect(measurePace(historyOf(1.5, 100))).toBeUndefined();
  expect(measurePace(historyOf(10, 5))).toBeUndefined();
});

test('an outage is no pace, whether the run went on after it or ended with it; the waits of a tenant that throttles are', () => {
  const run = (what: 'failed' | 'throttled', isLast: boolean) => {
    const history = recordHistory(0);
    for (let time = 0; time < 6000; time += 10) history.note(time, 'answered', 32, Infinity);
    for (let time = 6000; time < 36_000; time += 1000) history.note(time, what, 1, Infinity);
    for (let time = 36_000; time < (isLast ? 0 : 42_000); time += 10)
      history.note(time, 'answered', 32, Infinity);
    return measurePace(history.samples());
  };
  for (const isLast of [true, false]) {
    expect(run('failed', isLast)).toMatchObject({ likely: expect.closeTo(100, -1), in_flight: 32 });
    expect(run('failed', isLast)?.slowest).toBeCloseTo(100, -1);
  }
  expect(run('throttled', false)?.likely).toBeLessThan(35);
});

test('a run of two seconds has a pace', () => {
  expect(measurePace(historyOf(2.5, 500))?.likely).toBeCloseTo(450, -2);
});

test('a run starts a little below the known limit, lower the older the limit is, and after 30 days as if none were known', () => {
  expect(startingPace(pace, 0)).toEqual({ rate: 95, concurrency: 32 });
  expect(startingPace(pace, 10 * day)?.rate).toBeCloseTo(85);
  expect(startingPace(pace, 31 * day)).toBeUndefined();
  expect(startingPace({ ...pace, limit: null, in_flight: 1 }, day)).toEqual({
    rate: Infinity,
    concurrency: 1,
  });
  // The clock was set back.
  expect(startingPace(pace, -day)?.rate).toBe(95);
});

test.each([
  ['the same', 1],
  ['a fourth', 0.25],
  ['four times as high', 4],
])(
  'a run that knows the pace uses the limit from its first second, and adapts soon to another limit: %s',
  async (_case, factor) => {
    const perSecond = 100 * factor;
    const bucket = createTokenBucket([{ from: 0, perSecond }]);
    const { calls } = await simulate(
      (time) => {
        const wait = bucket.acquire(time);
        return wait === 0
          ? { outcome: 'answered', latency: 20 }
          : { outcome: 'throttled', latency: 20, retryAfter: Math.ceil(wait / 1000) * 1000 };
      },
      60,
      { start: { rate: 95, concurrency: 32 } },
    );
    const [early, whole] = [figures(calls, 0, 10), figures(calls, 0, 60)];
    expect(early.speed / perSecond).toBeGreaterThan(factor > 1 ? 0.5 : 0.95);
    expect(whole.speed / perSecond).toBeGreaterThan(factor > 1 ? 0.9 : 0.98);
    expect(whole.throttled).toBeLessThan(0.01);
  },
);
