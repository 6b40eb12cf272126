import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRateLimiter, type Permit } from '../../../src/migration/rate-limit/limiter.ts';
import { measurePace } from '../../../src/migration/rate-limit/measure-pace.ts';
import { createWindowGate } from '../../../src/migration/rate-limit/sending-window.ts';
import { createTokenBucket } from '../../../src/service/http/token-bucket.ts';
import { createClock, figures, simulate } from './simulate.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Midnight in UTC. */
const midnight = Date.parse('2026-11-23T00:00:00Z');
const night = { from: 22 * 60, to: 5 * 60, zone: 'UTC' };

/**
 * A limiter with a window, on a clock that starts at this time of the day; `sleep` adds milliseconds that timers do not
 * notice.
 */
function startAt(time: number, options: { concurrency?: number } = {}) {
  const clock = createClock();
  let asleep = 0;
  const now = () => midnight + time + clock.now() + asleep;
  const gate = createWindowGate(night, now);
  const heard: (number | undefined)[] = [];
  gate.onChange((opensAt) => heard.push(opensAt));
  const stop = new AbortController();
  const limiter = createRateLimiter({ concurrency: 4, ...options, ...clock, gate, signal: stop.signal });
  return {
    ...{ clock, gate, heard, stop, limiter },
    now: () => now() - midnight,
    sleep(milliseconds: number) {
      asleep += milliseconds;
    },
  };
}

test('outside the window no row begins, and inside all begin, in their order', async () => {
  const { clock, limiter, heard, now, gate } = startAt(21 * hour);
  const begun: [number, number][] = [];
  for (let row = 0; row < 3; row += 1) void limiter.acquire().then(() => begun.push([row, now()]));
  await clock.run(59 * minute);
  expect({ begun, heard, opensAt: gate.opensAt() }).toEqual({
    begun: [],
    heard: [midnight + 22 * hour],
    opensAt: midnight + 22 * hour,
  });
  await clock.run(hour);
  expect(begun).toEqual([0, 1, 2].map((row) => [row, 22 * hour]));
  expect(heard).toEqual([midnight + 22 * hour, undefined]);
  expect([gate.opensAt(), gate.closedSeconds()]).toEqual([undefined, 3600]);
});

test('when the window closes, calls that complete a row still get permits, before rows that wait', async () => {
  const { clock, limiter, heard } = startAt(5 * hour - minute, { concurrency: 1 });
  const first = (await limiter.acquire()) as Permit;
  const begun: string[] = [];
  void limiter.acquire().then(() => begun.push('row'));
  await clock.run(2 * minute);
  first.end('answered');
  await setImmediate();
  expect({ begun, heard }).toEqual({ begun: [], heard: [midnight + 22 * hour] });
  const second = (await limiter.acquire(true)) as Permit;
  void limiter.acquire(true).then(() => begun.push('completed'));
  second.end('answered');
  await setImmediate();
  expect(begun).toEqual(['completed']);
});

test('a machine that slept through the opening notices it within half a minute', async () => {
  const { clock, limiter, sleep, now } = startAt(12 * hour);
  let began = 0;
  void limiter.acquire().then(() => {
    began = now();
  });
  await clock.run(minute);
  sleep(11 * hour);
  await clock.run(minute + 30_000);
  expect(began).toBeGreaterThan(23 * hour);
  expect(began).toBeLessThanOrEqual(23 * hour + minute + 30_000);
});

test('a run that is stopped while it waits gives no permit', async () => {
  const { clock, limiter, stop } = startAt(12 * hour);
  const waiting = limiter.acquire();
  await clock.run(minute);
  stop.abort();
  expect(await waiting).toBeUndefined();
});

test('time during which the window is closed is not in the history, even if a call ends then', async () => {
  const { clock, limiter, heard } = startAt(5 * hour - minute, { concurrency: 1 });
  const first = (await limiter.acquire()) as Permit;
  void limiter.acquire();
  await clock.run(minute + 1000);
  first.end('lost');
  const again = (await limiter.acquire(true)) as Permit;
  expect(heard).toEqual([midnight + 22 * hour]);
  await clock.run(10 * minute);
  again.end('answered');
  const samples = limiter.history();
  expect(samples.at(-1)).toMatchObject({ answered: 1, failed: 1 });
  expect(samples.reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThan(62);
});

// If the measurement did not start again, the rate would include the hours without calls, and fall to a hundredth.
test.each<[string, number, number, number]>([
  ['the same limit', 20, 300, 20],
  ['half of it', 100, 120, 50],
])(
  'the limit that was found in one window is used in the next: %s',
  async (_case, first, seconds, second) => {
    const opened = seconds + 17 * 3600;
    const bucket = createTokenBucket([
      { from: 0, perSecond: first },
      { from: opened * 1000 - 5, perSecond: second },
    ]);
    const clock = createClock();
    const gate = createWindowGate(night, () => midnight + 5 * hour - seconds * 1000 + clock.now());
    const { calls, limiter } = await simulate(
      (time) => {
        const wait = bucket.acquire(time);
        return wait === 0
          ? { outcome: 'answered', latency: 20 }
          : { outcome: 'throttled', latency: 20, retryAfter: Math.ceil(wait / 1000) * 1000 };
      },
      opened + 300,
      { gate },
      clock,
    );
    const isOutside = ({ sent }: { sent: number }) => sent > seconds * 1000 + 1 && sent < opened * 1000 - 1;
    expect(calls.filter(isOutside)).toEqual([]);
    const whole = figures(calls, opened, opened + 300);
    expect(whole.speed).toBeGreaterThan(0.98 * second);
    expect(whole.throttled).toBeLessThan(0.01);
    // The time between the windows is not part of the figures.
    const pace = measurePace(limiter.history());
    expect(pace?.slowest).toBeGreaterThan(0.8 * second);
    expect(pace?.fastest).toBeLessThan(1.2 * first);
  },
);
