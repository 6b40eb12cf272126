import { expect, onTestFinished, test, vi } from 'vitest';
import { startFaulty } from './start-faulty.ts';

const create = 'createUser';

test('latencies add up, and delay the call before the handler runs', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  const service = await startFaulty([
    { operation: create, do: { latency_ms: 23 } },
    { operation: create, do: { latency_ms: [8, 9] } },
    { operation: create, when: { nth: 2 }, do: { status: 502 } },
  ]);
  for (const status of [200, 502]) {
    timers.mockClear();
    expect(await service.create(`u${status}`)).toMatchObject({ status });
    const delays = timers.mock.calls.map(([, delay]) => delay);
    expect(delays.filter((delay) => delay === 31 || delay === 32)).toHaveLength(1);
  }
  expect(service.faults.triggered()).toEqual([2, 2, 1]);
});

test('with a latency after the commit, the user exists while the answer is delayed', async () => {
  const service = await startFaulty([{ operation: create, do: { latency_ms: 400, after_commit: true } }]);
  const order: string[] = [];
  const slow = service.create('ann').then((seen) => {
    order.push('answer');
    return seen;
  });
  while (!(await service.stored()).includes('ann'));
  order.push('user');
  expect(await slow).toMatchObject({ status: 200 });
  expect(order).toEqual(['user', 'answer']);
});

test('a rate limit lets a burst pass and rejects the rest until its clock has moved on', async () => {
  let now = 1_000_000;
  const limit = {
    per_second: 2,
    burst: 3,
    schedule: [{ after_s: 10, per_second: 0.5 }],
    retry_after: true,
  };
  const service = await startFaulty([{ operation: create, do: { hidden_rate_limit: limit } }], {
    now: () => now,
  });
  let number = 0;
  const burst = async (size: number) => {
    const seen = [];
    for (let left = size; left > 0; left -= 1) {
      number += 1;
      const { status, retryAfter } = await service.create(`u${number}`);
      seen.push(status === 429 ? `429 after ${retryAfter}` : status);
    }
    return seen;
  };
  expect(await burst(5)).toEqual([200, 200, 200, '429 after 1', '429 after 1']);
  now += 1000;
  expect(await burst(3)).toEqual([200, 200, '429 after 1']);
  now += 60_000;
  expect(await burst(4)).toEqual([200, 200, 200, '429 after 2']);
  expect(await service.stored()).toEqual(['u1', 'u2', 'u3', 'u6', 'u7', 'u9', 'u10', 'u11']);
  expect(service.faults.triggered()).toEqual([4]);
});

test('a rate limit without retry_after does not say when to retry', async () => {
  const limit = { schedule: [{ after_s: 0, per_second: 0 }] };
  const service = await startFaulty([{ operation: create, do: { hidden_rate_limit: limit } }]);
  expect(await service.create('ann')).toMatchObject({ status: 429, retryAfter: undefined });
});

test('a service that drains waits for an answer that a fault delays', async () => {
  const service = await startFaulty([{ operation: create, do: { latency_ms: 200, after_commit: true } }]);
  const slow = service.create('ann');
  while (!(await service.stored()).includes('ann'));
  expect(await service.drain()).toBe(0);
  expect(await slow).toMatchObject({ status: 200 });
});
