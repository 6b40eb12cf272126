import { expect, test } from 'vitest';
import { recordHistory } from '../../../src/migration/rate-limit/history.ts';
import { createRateLimiter } from '../../../src/migration/rate-limit/limiter.ts';
import { measurePace } from '../../../src/migration/rate-limit/measure-pace.ts';
import { createClock } from './simulate.ts';

test('time in which a run sends nothing, and nothing waits to be sent, is not part of the pace', async () => {
  const clock = createClock();
  const limiter = createRateLimiter({ concurrency: 4, rate: 40, ...clock });
  let time = 0;
  const callsUntil = async (end: number) => {
    for (; time < end; time += 100) {
      await clock.run(time);
      const permit = await limiter.acquire();
      await clock.run(time + 50);
      permit?.end('answered');
    }
  };
  // As `--only unanswered`, and a run that goes on after a crash: requests of the earlier run may still arrive.
  time = 90_000;
  await callsUntil(100_000);
  time += 90_000;
  await callsUntil(200_000);
  const pace = measurePace(limiter.history());
  expect(pace?.likely).toBeCloseTo(10, 0);
  expect(pace?.slowest).toBeGreaterThan(5);
});

test('pauses that the tenant asks for are part of the pace', async () => {
  const clock = createClock();
  const limiter = createRateLimiter({ concurrency: 4, rate: 40, ...clock });
  const call = async (outcome: 'answered' | 'throttled', retryAfter?: number) => {
    const permit = await limiter.acquire();
    permit?.end(outcome, retryAfter);
  };
  const calls = async () => {
    for (let number = 0; number < 120; number += 1) await call('answered');
    await call('throttled', 60_000);
    await call('answered');
  };
  void calls();
  await clock.run();
  expect(measurePace(limiter.history())?.likely).toBeLessThan(2.5);
});

test('a rest while the window is closed is left out once', () => {
  const history = recordHistory(0);
  history.note(1000, 'answered', 1, 10);
  history.rest(1000);
  history.leaveOut(2000, 10_000);
  // One second of rest before the window closed, and two after it opened.
  history.wake(12_000);
  history.note(12_000, 'answered', 1, 10);
  expect(history.samples().at(-1)?.at).toBe(1);
});
