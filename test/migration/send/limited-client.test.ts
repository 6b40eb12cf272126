import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import type { Progress } from '../../../src/migration/report/summarize.ts';
import { planFaults } from '../../../src/service/fault-injection/plan.ts';
import { startService } from '../../../src/service/open-service.ts';
import { quietPort } from '../../quiet-port.ts';
import { scriptOf } from '../../service/fault-injection/script-of.ts';
import { application, startTestService } from '../../test-service.ts';
import { goodHashes } from '../hashes.ts';
import { memoryClient, runImport } from '../run-import.ts';

const header = 'user_name,algorithm,hash\n';
const rows = (count: number) =>
  header + Array.from({ length: count }, (_, row) => `user${row},md5,${goodHashes.md5}\n`).join('');

async function misbehaving(...faults: object[]) {
  const plan = planFaults(scriptOf(JSON.stringify({ faults })), Date.now);
  const service = await startTestService({ faults: plan });
  await service.client.obtainToken();
  return { ...service, struck: plan.struck };
}

const total = async (client: {
  listUsers(query: { offset: number; limit: number }): Promise<{ total: number }>;
}) => (await client.listUsers({ offset: 0, limit: 10 })).total;

test('rows that are throttled are sent again, and none of them fails', async () => {
  const limit = { per_second: 300, burst: 20, retry_after: false };
  const { client, struck } = await misbehaving({
    operation: 'importHashedUser',
    do: { hidden_rate_limit: limit },
  });
  const { summary, pace, stoppedBy } = await runImport(rows(900), {}, { ...memoryClient(), ...client });
  expect(stoppedBy).toBeUndefined();
  expect(summary).toMatchObject({ rows: 900, created: 900, failed: 0, unknown: 0, pending: 0 });
  expect(await total(client)).toBe(900);
  const throttled = pace.reduce((sum, sample) => sum + sample.throttled, 0);
  expect(throttled).toBe(struck()[0]);
  expect(throttled).toBeGreaterThan(0);
  expect(pace.reduce((sum, sample) => sum + sample.answered, 0)).toBe(900);
});

test.each([1, { date_in: 1 }])('Retry-After %o holds back the whole run', async (retry_after) => {
  const once = { operation: 'importHashedUser', when: { nth: 20 }, do: { status: 429, retry_after } };
  const { client } = await misbehaving(once);
  const began = performance.now();
  const times: number[] = [];
  const watched = {
    ...memoryClient(),
    ...client,
    async importHashedUser(user: Parameters<typeof client.importHashedUser>[0]) {
      times.push(performance.now());
      return client.importHashedUser(user);
    },
  };
  const { summary } = await runImport(rows(100), { concurrency: 4 }, watched);
  expect(summary.created).toBe(100);
  expect(performance.now() - began).toBeGreaterThan(900);
  const gaps = times.map((time, index) => time - (times[index - 1] ?? time));
  expect(Math.max(...gaps)).toBeGreaterThan(900);
  expect(gaps.filter((gap) => gap > 500)).toHaveLength(1);
});

test('what was sent and not answered is looked up, and not sent again', async () => {
  const lost = { operation: 'importHashedUser', when: { nth: [5, 9] }, do: { reset: 'after_commit' } };
  const { client, struck } = await misbehaving(lost);
  const { summary } = await runImport(rows(40), { concurrency: 2 }, { ...memoryClient(), ...client });
  expect(summary).toMatchObject({ created: 38, existing: 2, unknown: 0, failed: 0 });
  expect([struck()[0], await total(client)]).toEqual([2, 40]);
});

test('a service that is started again is waited for, and not a row is lost', async () => {
  const port = await quietPort();
  const options = { application, port, report: () => {}, database: ':memory:' };
  const first = await startService(options);
  const { client_id: clientId, client_secret: clientSecret } = application;
  const client = createClient({ baseUrl: first.baseUrl, clientId, clientSecret });
  onTestFinished(() => client.close());
  let done = 0;
  const onProgress = (progress: Progress) => {
    done = progress.done;
  };
  const running = runImport(rows(1500), { onProgress }, { ...memoryClient(), ...client });
  while (done < 100) await sleep(5);
  await first.close();
  await sleep(1500);
  const second = await startService(options);
  onTestFinished(() => second.close());
  const { summary, stoppedBy } = await running;
  expect(stoppedBy).toBeUndefined();
  expect(summary).toMatchObject({ failed: 0, pending: 0 });
  expect(summary.created + summary.existing + summary.unknown).toBe(1500);
});

test('a service that stays away stops the run, with the rest pending', async () => {
  const { client, close } = await startTestService({ port: await quietPort() });
  await client.obtainToken();
  let closed: Promise<void> | undefined;
  const onProgress = ({ done }: Progress) => {
    if (done >= 100) closed ??= close();
  };
  const stopped = runImport(rows(3000), { patience: 1000, onProgress }, { ...memoryClient(), ...client });
  const { summary, stoppedBy } = await stopped;
  expect(stoppedBy).toMatchObject({ name: 'StoppedError', code: 'HOST_GONE' });
  expect(summary.created).toBeGreaterThanOrEqual(100);
  expect(summary.pending).toBeGreaterThan(2000);
  expect(summary.created + summary.existing + summary.pending + summary.unknown).toBe(3000);
  await closed;
});
