import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planFaults } from '../../../src/service/fault-injection/plan.ts';
import { scriptOf } from './script-of.ts';
import { startFaulty } from './start-faulty.ts';

const status = { status: 500 };

/** Numbers of the calls, from 1, that trigger the only fault of a script. */
function triggeredCalls(when: unknown, calls: number, seed = 1): number[] {
  const script = { seed, faults: [{ operation: 'createUser', when, do: status }] };
  const faults = planFaults(scriptOf(JSON.stringify(script)), Date.now);
  const numbers = Array.from({ length: calls }, (_, index) => index + 1);
  return numbers.filter(() => faults.decide('createUser').ending !== undefined);
}

test.each([
  [{ nth: 3 }, [3]],
  [{ nth: [2, 9] }, [2, 9]],
  [{ every: 4 }, [4, 8]],
  [{ from: 8 }, [8, 9, 10]],
  [{ to: 2 }, [1, 2]],
  [{ from: 4, to: 6 }, [4, 5, 6]],
  [{ from: 3, to: 9, every: 3 }, [3, 6, 9]],
  [{ probability: 0 }, []],
  [{ probability: 1, from: 9 }, [9, 10]],
  [{}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
])('%j triggers at the calls %j of ten', (when, calls) => {
  expect(triggeredCalls(when, 10)).toEqual(calls);
});

test('probability triggers about as often as it says, and at the same calls for the same seed', () => {
  const first = triggeredCalls({ probability: 0.1 }, 10_000, 42);
  expect(triggeredCalls({ probability: 0.1 }, 10_000, 42)).toEqual(first);
  expect(triggeredCalls({ probability: 0.1 }, 10_000, 43)).not.toEqual(first);
  expect(Math.abs(first.length - 1000)).toBeLessThan(100);
});

test('two faults of one script draw their random numbers independently', () => {
  const entry = { operation: '*', when: { probability: 0.5 }, do: { latency_ms: 1 } };
  const faults = planFaults(scriptOf(JSON.stringify({ faults: [entry, entry] })), Date.now);
  const delays = Array.from({ length: 200 }, () => faults.decide('getUser').delayBefore);
  expect(new Set(delays)).toEqual(new Set([0, 1, 2]));
});

test('whether a fault triggers does not depend on the faults before it', () => {
  const entry = { operation: 'createUser', when: { probability: 0.3 }, do: { latency_ms: [1, 1000] } };
  const other = { operation: 'createUser', when: { probability: 0.4 }, do: { status: 502 } };
  const delays = (before: unknown) => {
    const script = scriptOf(JSON.stringify({ seed: 9, faults: [entry, before] }));
    const faults = planFaults(script, Date.now);
    return Array.from({ length: 100 }, () => faults.decide('createUser').delayBefore);
  };
  expect(delays(other)).toEqual(delays({ ...other, when: { nth: 1 } }));
});

test('each fault counts the calls of the operations that it names', async () => {
  const { create, call, faults } = await startFaulty([
    { operation: 'createUser', when: { nth: 2 }, do: { status: 500 } },
    { operation: ['createUser', 'getUserByUserName'], when: { nth: 4 }, do: { status: 502 } },
    { operation: 'getUserByUserName', when: { nth: 2 }, do: { status: 504 } },
  ]);
  const find = () => call('POST', '/api/v2/tenant/users/user-by-username', { user_name: 'ann' });
  const seen = [await create('ann'), await find(), await create('bob'), await find(), await find()];
  // Call 4 of the second fault is call 2 of the third. Both count it, and the first in the file decides.
  expect(seen.map(({ status }) => status)).toEqual([200, 200, 500, 502, 200]);
  expect(faults.triggered()).toEqual([1, 1, 0]);
});

test('other paths of the service have no faults', async () => {
  const { call, faults } = await startFaulty([
    { operation: '*', when: { from: 2 }, do: { reset: 'before_commit' } },
  ]);
  expect(await call('GET', '/api/v2/tenant/nothing')).toMatchObject({ status: 404 });
  expect(await call('PUT', '/api/v2/tenant/users')).toMatchObject({ status: 405 });
  expect(faults.triggered()).toEqual([0]);
});

test('a random latency is within its bounds', () => {
  const bounds = fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 5000 }));
  fc.assert(
    fc.property(bounds, fc.nat(), (pair, seed) => {
      const [low, high] = pair.sort((a, b) => a - b);
      const script = { seed, faults: [{ operation: '*', do: { latency_ms: [low, high] } }] };
      const { delayBefore } = planFaults(scriptOf(JSON.stringify(script)), Date.now).decide('getUser');
      expect(delayBefore).toBeGreaterThanOrEqual(low);
      expect(delayBefore).toBeLessThanOrEqual(high);
    }),
  );
});
