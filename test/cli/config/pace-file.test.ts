import { chmod, mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  forgetPace,
  isPaceOfTenant,
  keepPace,
  knownPace,
  startOf,
} from '../../../src/cli/config/pace-file.ts';
import type { CommandContext } from '../../../src/cli/context/context.ts';
import type { RateSample } from '../../../src/migration/rate-limit/history.ts';
import { temporaryDirectory } from '../../world.ts';

const tenant = { base_url: 'https://id.example.com', client_id: 'app' };
const other = { ...tenant, client_id: 'other' };
const day = 86_400_000;

/** A run of ten seconds at this number of calls a second. */
const runAt = (perSecond: number): RateSample[] =>
  Array.from({ length: 40 }, (_, index) => ({
    at: index / 4,
    seconds: 0.25,
    answered: perSecond / 4,
    throttled: 0,
    failed: 0,
    concurrency: 64,
    rate: perSecond,
  }));

async function makeContext() {
  const directory = await temporaryDirectory();
  let now = Date.parse('2026-03-01T12:00:00Z');
  const context = { stateDirectory: join(directory, 'state'), now: () => now } as CommandContext;
  const warnings: string[] = [];
  return {
    context,
    file: join(directory, 'state', 'pace.json'),
    warnings,
    keep: (target: typeof tenant, perSecond: number) =>
      keepPace(
        context,
        target,
        { history: runAt(perSecond), summary: { rows_per_second: perSecond, seconds: 10 } },
        (text) => warnings.push(text),
      ),
    pass(days: number) {
      now += days * day;
    },
  };
}

test('the file keeps the latest pace of a tenant with its date, and a run starts with it', async () => {
  const { context, keep, pass, file } = await makeContext();
  expect(knownPace(context, tenant)).toBeUndefined();
  expect(startOf(context, tenant)).toBeUndefined();
  await keep(tenant, 200);
  await keep(other, 40);
  pass(1);
  await keep(tenant, 100);
  expect(knownPace(context, tenant)).toEqual({
    target: tenant,
    measured_at: '2026-03-02T12:00:00.000Z',
    slowest: 100,
    likely: 100,
    fastest: 100,
    limit: 100,
    in_flight: 64,
  });
  expect(knownPace(context, other)?.likely).toBe(40);
  expect(startOf(context, tenant)).toEqual({ rate: 95, concurrency: 32 });
  pass(31);
  expect(startOf(context, tenant)).toBeUndefined();
  expect(JSON.parse(await readFile(file, 'utf8')).paces).toHaveLength(2);
});

test('a run in which most rows needed no request measures no pace, unless it met a limit', async () => {
  const { context } = await makeContext();
  const summary = { rows_per_second: 3000, seconds: 10 };
  const limited = runAt(100);
  const unlimited = limited.map((sample) => ({ ...sample, rate: null }));
  const ignore = () => {};
  await keepPace(context, tenant, { history: unlimited, summary }, ignore);
  expect(knownPace(context, tenant)).toBeUndefined();
  await keepPace(context, tenant, { history: limited, summary }, ignore);
  expect(knownPace(context, tenant)).toMatchObject({ limit: 100 });
  await keepPace(
    context,
    tenant,
    { history: unlimited, summary: { rows_per_second: 150, seconds: 10 } },
    ignore,
  );
  expect(knownPace(context, tenant)).toMatchObject({ limit: null });
});

test('only its owner can read the file, and no draft of it remains', async () => {
  const { context, keep, file } = await makeContext();
  await keep(tenant, 100);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(context.stateDirectory)).mode & 0o777).toBe(0o700);
  expect(await readdir(context.stateDirectory)).toEqual(['pace.json']);
});

test('two runs that end together keep both paces', async () => {
  const { context, keep, file } = await makeContext();
  await keep(tenant, 100);
  const { paces } = JSON.parse(await readFile(file, 'utf8'));
  // Another process has read the file, and writes it before it releases its lock.
  await mkdir(`${file}.lock`);
  const kept = keep(tenant, 200);
  await setTimeout(50);
  await writeFile(file, JSON.stringify({ paces: [{ ...paces[0], target: other }, ...paces] }));
  await rmdir(`${file}.lock`);
  await kept;
  expect(knownPace(context, tenant)?.likely).toBe(200);
  expect(knownPace(context, other)?.likely).toBe(100);
});

test('the pace of one tenant can be deleted, and that of others is kept', async () => {
  const { context, keep } = await makeContext();
  await keep(tenant, 100);
  await keep(other, 40);
  expect(await forgetPace(context, tenant)).toBe(true);
  expect(await forgetPace(context, tenant)).toBe(false);
  expect(knownPace(context, tenant)).toBeUndefined();
  expect(knownPace(context, other)?.likely).toBe(40);
});

test.each([
  '',
  '{"paces":[',
  '[]',
  '{"paces":{}}',
  '{"paces":[null,{"target":null},{"target":{"base_url":"https://id.example.com","client_id":"app"}}]}',
  '{"paces":[{"target":{"base_url":"https://id.example.com","client_id":"app"},"measured_at":"no time","slowest":1,"likely":1,"fastest":1,"limit":null,"in_flight":1}]}',
  '{"paces":[{"target":{"base_url":"https://id.example.com","client_id":"app"},"measured_at":"2026-03-01T12:00:00Z","slowest":1,"likely":-1,"fastest":1,"limit":0,"in_flight":1e99}]}',
])('a damaged file is treated like a missing one: %s', async (text) => {
  const { context, keep, file, warnings } = await makeContext();
  await mkdir(context.stateDirectory);
  await writeFile(file, text);
  expect(knownPace(context, tenant)).toBeUndefined();
  expect(startOf(context, tenant)).toBeUndefined();
  await keep(tenant, 100);
  expect(knownPace(context, tenant)?.likely).toBe(100);
  expect(warnings).toEqual([]);
});

test('a file that cannot be written causes a notice, and does not stop the run', async () => {
  const { context, keep, warnings } = await makeContext();
  await writeFile(context.stateDirectory, 'a file where the directory should be');
  await chmod(context.stateDirectory, 0o600);
  await keep(tenant, 100);
  expect(warnings).toEqual([
    expect.stringMatching(/^Notice: the pace of this run could not be stored in .*pace\.json: /),
  ]);
});

test('only a run that is as fast as the tenant allows measures the pace of the tenant', () => {
  expect(isPaceOfTenant({ concurrency: 'auto' })).toBe(true);
  expect(isPaceOfTenant({ concurrency: 'auto', mode: 'only failed' })).toBe(true);
  expect(isPaceOfTenant({ concurrency: 'auto', mode: 'only unanswered' })).toBe(false);
  expect(isPaceOfTenant({ concurrency: 64 })).toBe(false);
  expect(isPaceOfTenant({ concurrency: 'auto', rate: 50 })).toBe(false);
  expect(isPaceOfTenant({ concurrency: 'auto', shard: { index: 1, of: 2 } })).toBe(false);
});
