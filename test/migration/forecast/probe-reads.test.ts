import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '../../../src/client/errors.ts';
import { errorCatalogue } from '../../../src/contract/errors.ts';
import type { KeyQuery } from '../../../src/migration/actions/keys.ts';
import { probeReads } from '../../../src/migration/forecast/probe-reads.ts';
import { createTokenBucket } from '../../../src/service/http/token-bucket.ts';
import { createClock } from '../rate-limit/simulate.ts';
import { recordingClient } from '../run-import.ts';

const queries: KeyQuery[] = ['ann', 'bob', 'cid'].map((value) => ({
  field: 'user_name',
  key: 'user_name',
  value,
}));
const { code, message } = errorCatalogue.userNotFound;

/** Probes a tenant whose look-ups take 20 ms and end as `answer` decides. Every other call is an error. */
async function probe(answer: (time: number) => void, seconds: number, rate: number, signal?: AbortSignal) {
  const clock = createClock();
  const asked: string[] = [];
  const never = () => Promise.reject(new Error('a probe only looks users up'));
  const finder = {
    ...recordingClient(),
    importHashedUser: never,
    disableUser: never,
    async getUserByUserName(name: string) {
      asked.push(name);
      await new Promise<void>((resolve) => void clock.schedule(20, resolve));
      answer(clock.now());
      throw new ApiError(code, message, 400);
    },
  };
  const probing = probeReads(finder, queries, { seconds, rate, clock, ...(signal ? { signal } : {}) });
  const ended = probing.then(
    (pace) => ({ pace }),
    (failure: unknown) => ({ failure }),
  );
  await clock.run();
  return { ...(await ended), asked, time: clock.now() };
}

test('a probe looks the users up in turn for the given time, never faster than permitted, and finds no limit', async () => {
  const { pace, asked, time } = (await probe(() => {}, 30, 50)) as Awaited<ReturnType<typeof probe>> & {
    pace: { likely: number; limit: number | null };
  };
  expect(asked.slice(0, 4)).toEqual(['ann', 'bob', 'cid', 'ann']);
  expect(asked.length).toBeGreaterThan(1400);
  expect(asked.length).toBeLessThanOrEqual(1502);
  expect(time).toBeLessThan(31_000);
  expect(pace.likely).toBeCloseTo(50, -1);
  expect(pace.limit).toBeNull();
});

test('a probe finds the limit of a tenant that throttles it', async () => {
  const bucket = createTokenBucket([{ from: 0, perSecond: 20 }]);
  const { pace } = (await probe(
    (time) => {
      if (bucket.acquire(time) > 0)
        throw new NetworkError('throttled', 'limits the rate', {
          effect: 'none',
          status: 429,
          retryAfter: 1000,
        });
    },
    30,
    100,
  )) as { pace: { limit: number } };
  expect(pace.limit).toBeGreaterThan(18);
  expect(pace.limit).toBeLessThan(22);
});

test('a probe with too few answers measures no pace, and one without any answer is an error', async () => {
  let number = 0;
  const slow = await probe(
    () => {
      number += 1;
      if (number > 10)
        throw new NetworkError('throttled', 'limits the rate', { effect: 'none', status: 429 });
    },
    10,
    100,
  );
  expect(slow).toMatchObject({ pace: undefined });
  // A TLS failure is final; after "unreachable" the next call could be answered.
  for (const fault of ['tls', 'unreachable'] as const) {
    const refused = new NetworkError(fault, 'no connection', { effect: 'none' });
    const failing = await probe(
      () => {
        throw refused;
      },
      10,
      100,
    );
    expect(failing).toMatchObject({ failure: refused });
  }
});

test('Ctrl-C ends a probe', async () => {
  const stop = new AbortController();
  const reason = new Error('SIGINT');
  const { failure, asked } = (await probe(
    (time) => time > 1000 && stop.abort(reason),
    30,
    10,
    stop.signal,
  )) as {
    failure?: unknown;
    asked: string[];
  };
  expect(failure).toBe(reason);
  expect(asked.length).toBeLessThan(30);
});
