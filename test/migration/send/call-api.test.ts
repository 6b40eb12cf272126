import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { NetworkError } from '../../../src/client/errors.ts';
import type { Progress } from '../../../src/migration/model/summary.ts';
import { createRateLimiter } from '../../../src/migration/rate-limit/limiter.ts';
import { callApi } from '../../../src/migration/send/call-api.ts';
import { createCircuitBreaker } from '../../../src/migration/send/circuit-breaker.ts';
import { planFaults } from '../../../src/service/fault-injection/plan.ts';
import { startService } from '../../../src/service/open-service.ts';
import { fastClock, jumpingClock } from '../../clocks.ts';
import { preparedKeyPair } from '../../prepared-keys.ts';
import { quietPort } from '../../quiet-port.mjs';
import { scriptOf } from '../../service/fault-injection/script-of.ts';
import { application, startTestService } from '../../test-service.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const header = 'user_name,algorithm,hash\n';
const rows = (count: number) =>
  header + Array.from({ length: count }, (_, row) => `user${row},md5,${goodHashes.md5}\n`).join('');

/** If the service does not answer, real time must pass, too. */
const clock = fastClock(20);

async function withFaults(fault: object, now = Date.now) {
  const plan = planFaults(scriptOf(JSON.stringify({ faults: [fault] })), now);
  const service = await startTestService({ faults: plan });
  await service.client.obtainToken();
  const single = service.client.withoutRetries();
  return { ...service, single, triggered: plan.triggered };
}

const total = async (client: {
  listUsers(query: { offset: number; limit: number }): Promise<{ total: number | null }>;
}) => (await client.listUsers({ offset: 0, limit: 10 })).total;

test('rows that are throttled are sent again, and none of them fails', async () => {
  const clock = jumpingClock();
  const limit = { per_second: 300, burst: 20, retry_after: false };
  const fault = { operation: 'importHashedUser', do: { hidden_rate_limit: limit } };
  const { client, single, triggered } = await withFaults(fault, clock.now);
  const { summary, history, stoppedBy } = await runImport(rows(300), { clock }, single);
  expect(stoppedBy).toBeUndefined();
  expect(summary).toMatchObject({ rows: 300, created: 300, failed: 0, unknown: 0, pending: 0 });
  expect(await total(client)).toBe(300);
  const throttled = history.reduce((sum, sample) => sum + sample.throttled, 0);
  expect(throttled).toBe(triggered()[0]);
  expect(throttled).toBeGreaterThan(0);
  expect(history.reduce((sum, sample) => sum + sample.answered, 0)).toBe(300);
});

test('the limiter learns of every throttled look-up, and each attempt has a permit of its own', async () => {
  const clock = jumpingClock();
  const limit = { per_second: 200, burst: 10, retry_after: false };
  const fault = { operation: 'getUserByUserName', do: { hidden_rate_limit: limit } };
  const { client, single, triggered } = await withFaults(fault, clock.now);
  for (let row = 0; row < 60; row += 1) await client.createUser({ user_name: `user${row}` });
  const { summary, history } = await runImport(rows(60), { clock, concurrency: 30 }, single);
  expect(summary).toMatchObject({ rows: 60, existing: 60, failed: 0, unknown: 0, pending: 0 });
  const throttled = history.reduce((sum, sample) => sum + sample.throttled, 0);
  expect(throttled).toBe(triggered()[0]);
  expect(throttled).toBeGreaterThan(0);
});

test('a token that expires during an import is renewed, and every request still has its permit', async () => {
  const expired = { operation: 'importHashedUser', when: { nth: [7, 20, 33] }, do: { expire_token: true } };
  const { client, single } = await withFaults(expired);
  const { summary, stoppedBy } = await runImport(rows(40), { clock, concurrency: 4 }, single);
  expect(stoppedBy).toBeUndefined();
  expect(summary).toMatchObject({ created: 40, failed: 0, pending: 0 });
  expect(await total(client)).toBe(40);
});

test.each([1, { date_in: 1 }])('Retry-After %o pauses the whole run', async (retry_after) => {
  const once = { operation: 'importHashedUser', when: { nth: 20 }, do: { status: 429, retry_after } };
  const { single } = await withFaults(once);
  const clock = jumpingClock();
  const times: number[] = [];
  const watched = {
    ...single,
    async importHashedUser(user: Parameters<typeof single.importHashedUser>[0]) {
      times.push(clock.now());
      return single.importHashedUser(user);
    },
  };
  const { summary } = await runImport(rows(100), { clock, concurrency: 4 }, watched);
  expect(summary.created).toBe(100);
  const gaps = times.map((time, index) => time - (times[index - 1] ?? time));
  expect(Math.max(...gaps)).toBeGreaterThan(900);
  expect(gaps.filter((gap) => gap > 500)).toHaveLength(1);
});

test('a row that was sent and got no answer is looked up, and not sent again', async () => {
  const lost = { operation: 'importHashedUser', when: { nth: [5, 9] }, do: { reset: 'after_commit' } };
  const { client, single, triggered } = await withFaults(lost);
  const { summary } = await runImport(rows(40), { clock, concurrency: 2 }, single);
  expect(summary).toMatchObject({ created: 40, found_by_look_up: 2, unknown: 0, failed: 0 });
  expect([triggered()[0], await total(client)]).toEqual([2, 40]);
});

test('the run waits for a service that restarts, and loses no row', async () => {
  const port = await quietPort();
  const made = { application, makeKeyPair: preparedKeyPair };
  const options = { ...made, port, report: () => {}, database: ':memory:' };
  const first = await startService(options);
  const { client_id: clientId, client_secret: clientSecret } = application;
  const client = createClient({ baseUrl: first.baseUrl, clientId, clientSecret });
  onTestFinished(() => client.close());
  let done = 0;
  const onProgress = (progress: Progress) => {
    done = progress.done;
  };
  const running = runImport(rows(500), { clock, onProgress }, client.withoutRetries());
  while (done < 100) await sleep(1);
  await first.close();
  await new Promise<void>((resolve) => void clock.schedule(1500, resolve));
  const second = await startService(options);
  onTestFinished(() => second.close());
  const { summary, stoppedBy } = await running;
  expect(stoppedBy).toBeUndefined();
  expect(summary).toMatchObject({ failed: 0, pending: 0 });
  expect(summary.created + summary.existing + summary.unknown).toBe(500);
});

test('a service that does not come back stops the run, and the remaining rows stay pending', async () => {
  const { client, close } = await startTestService({ port: await quietPort() });
  await client.obtainToken();
  let closed: Promise<void> | undefined;
  const onProgress = ({ done }: Progress) => {
    if (done >= 100) closed ??= close();
  };
  const single = client.withoutRetries();
  const stopped = runImport(rows(3000), { clock, silenceLimit: 1000, onProgress }, single);
  const { summary, stoppedBy } = await stopped;
  expect(stoppedBy).toMatchObject({ name: 'StoppedError', code: 'HOST_GONE' });
  expect(summary.created).toBeGreaterThanOrEqual(100);
  expect(summary.pending).toBeGreaterThan(2000);
  expect(summary.created + summary.existing + summary.pending + summary.unknown).toBe(3000);
  await closed;
});

test('a certificate that is not accepted stops the run immediately', async () => {
  const breaker = createCircuitBreaker();
  const limiter = createRateLimiter({ concurrency: 1, signal: breaker.signal });
  const tls = new NetworkError('tls', 'not accepted', { effect: 'none' });
  const result = await callApi({ limiter, breaker }, 'create', () => Promise.reject(tls));
  expect(result).toMatchObject({ kind: 'fatal', error: tls });
  expect(breaker.reason()).toBe(tls);
  expect(await callApi({ limiter, breaker }, 'create', () => Promise.resolve(1))).toEqual({
    kind: 'stopped',
  });
});
