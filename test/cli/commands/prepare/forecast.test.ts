import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { fastClock } from '../../../clocks.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { application } from '../../../test-service.ts';
import { startWorld, type TestWorld, unlessGiven } from '../../../world.ts';

const now = Date.parse('2026-11-23T18:00:00+01:00');
const zone = 'Europe/Berlin';

/** A world with a file of good rows and a bad one, and a pace of the tenant that was measured this many days ago. */
async function start(days?: number, good = 1000) {
  const world = await startWorld({ now: () => now });
  const file = join(world.directory, 'users.csv');
  const rows = Array.from({ length: good }, (_, at) => `user${at},md5,${goodHashes.md5}\n`);
  await writeFile(file, `user_name,algorithm,hash\n${rows.join('')}bad,md5,x\n`);
  if (days !== undefined) await remember(world, days);
  const run = (...args: string[]) => world.runWith({ zone }, ...args);
  return { ...world, file, run };
}

/** Stores a pace as an earlier import would. */
async function remember({ directory, baseUrl }: TestWorld, days: number): Promise<void> {
  const target = { base_url: baseUrl, client_id: application.client_id };
  const measured_at = new Date(now - days * 86_400_000).toISOString();
  const pace = { target, measured_at, slowest: 8, likely: 10, fastest: 12.5, limit: 10, in_flight: 8 };
  await mkdir(join(directory, 'state'), { recursive: true });
  await writeFile(join(directory, 'state', 'pace.json'), JSON.stringify({ paces: [pace] }));
}

test('the forecast from the pace of the last import has a duration, a range with reasons, and an end', async () => {
  const { file, run } = await start(0);
  expect(await run('forecast', file, '--set', 'pwd_must_modify=false')).toEqual({
    exitCode: 0,
    stdout: `
┌─────────────┬────────────┬───────┬─────────────────────────┐
│ forecast    │ requests/s │ takes │ ends                    │
├─────────────┼────────────┼───────┼─────────────────────────┤
│ at best     │ 13         │ 1:20  │ 2026-11-23 18:01 +01:00 │
│ most likely │ 10         │ 1:40  │ 2026-11-23 18:01 +01:00 │
│ at worst    │ 8.0        │ 2:05  │ 2026-11-23 18:02 +01:00 │
└─────────────┴────────────┴───────┴─────────────────────────┘
`.trimStart(),
    stderr: expect.stringContaining(
      `1,000 rows would be sent in 1,000 requests; 1 would be rejected.
By the pace of 2026-11-23, 10 requests/s.
The range: from the slowest to the fastest tenth of that import, and at least a tenth either way.
`,
    ),
  });
});

test('--json has all of it, including the nights of a window', async () => {
  const { file, run } = await start(2);
  const { stdout, stderr } = await run(
    'forecast',
    file,
    '--json',
    '--window',
    '23:00-23:01',
    '--shard',
    '1/2',
  );
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    file,
    rows: 501,
    ready: expect.any(Number),
    rejected: expect.any(Number),
    sent_before: 0,
    skipped: 0,
    requests: expect.any(Number),
    pace: {
      source: 'import',
      measured_at: '2026-11-21T17:00:00.000Z',
      ...{ slowest: 8, likely: 10, fastest: 12.5, limit: 10, in_flight: 8 },
    },
    requests_per_second: { low: 3.9, likely: 5, high: 12.8 },
    seconds: { low: expect.any(Number), likely: 100, high: expect.any(Number) },
    starts_at: '2026-11-23T18:00:00+01:00',
    ends_at: {
      low: expect.stringMatching(/^2026-11-23T23:00:\d\d\+01:00$/),
      likely: '2026-11-24T23:00:40+01:00',
      high: expect.stringMatching(/^2026-11-25T23:00:\d\d\+01:00$/),
    },
    window: { from: '23:00', to: '23:01', zone, openings: { low: 1, likely: 2, high: 3 } },
    reasons: [
      'from the slowest to the fastest tenth of that import, and at least a tenth either way',
      'a percent more for each of the 2 days since',
      '2 machines share what the tenant bears, unless they do not reach its limit',
    ],
    usual: [],
  });
});

test.each([
  ['nothing is known', undefined, 'No pace of this tenant is known'],
  ['it is too long ago', 31, 'The pace of 2026-10-23 is older than 30 days: it counts as unknown.'],
])('if %s, the forecast uses typical limits', async (_case, days, said) => {
  const { file, run } = await start(days);
  const { exitCode, stdout, stderr } = await run('forecast', file, '--rate', '100/s', '-o', 'table');
  expect({ exitCode, rows: stdout.match(/^│ \d+ .*/gm)?.map((row) => row.split('│').slice(1, 3)) }).toEqual({
    exitCode: 0,
    rows: [
      [' 10         ', ' 1:40  '],
      [' 50         ', ' 0:20  '],
      [' 100        ', ' 0:10  '],
    ],
  });
  expect(stderr).toContain(said);
  expect(stderr).toContain('To measure it: --probe-reads 30s');
});

test.each([
  [5, [5]],
  [70, [10, 50, 70]],
])('a rate of %i/s is one of the usual limits itself', async (rate, speeds) => {
  const { file, run } = await start();
  const { exitCode, stdout } = await run('forecast', file, '--rate', `${rate}/s`, '--json');
  const { usual } = JSON.parse(stdout);
  expect(exitCode).toBe(0);
  expect(usual.map((one: { requests_per_second: number }) => one.requests_per_second)).toEqual(speeds);
});

test('--probe-reads looks users up and changes nothing', async () => {
  const { file, run, runWith, client } = await start();
  // Enough time for a few answers on a busy machine, and not more than a thousand a second.
  const clock = fastClock(10);
  const { exitCode, stdout } = await runWith({ clock }, 'forecast', file, '--probe-reads', '15s', '--json');
  expect(exitCode).toBe(0);
  const { pace, reasons, seconds } = JSON.parse(stdout);
  expect(pace).toMatchObject({ source: 'look-ups', measured_at: new Date(now).toISOString() });
  expect(pace.likely).toBeLessThanOrEqual(101);
  expect(seconds.low).toBeLessThan(seconds.likely);
  expect(reasons[0]).toContain('a create is more expensive than a look-up, and none was tried');
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
  // The pace of look-ups is not stored as that of an import.
  expect(JSON.parse((await run('forecast', file, '--json')).stdout).pace).toBeNull();
});

test('rows that the same import has sent are left out, and those of another import are not', async () => {
  const { file, directory, baseUrl, run } = await start(undefined, 100);
  const job = join(directory, 'job');
  expect(await run('import-hashes', file, '--job', job, '--yes', '-q')).toMatchObject({ exitCode: 7 });
  await forgetOutcomes(job, 40);
  // The import was too short to leave a pace.
  await remember({ directory, baseUrl } as TestWorld, 0);
  const forecast = async (...more: string[]) =>
    JSON.parse((await run('forecast', file, ...unlessGiven(more, '--job', job), '--json', ...more)).stdout);
  expect(await forecast()).toMatchObject({
    rows: 101,
    ready: 60,
    sent_before: 40,
    rejected: 1,
    requests: 60,
    seconds: { likely: 6 },
  });
  const { stderr } = await run('forecast', file, '--job', job);
  expect(stderr).toContain('60 rows would be sent in 60 requests; 40 were sent before; 1 would be rejected.');
  expect(await forecast('--set', 'pwd_must_modify=false')).toMatchObject({ ready: 100, sent_before: 0 });
  const other = await run('forecast', file, '--job', job, '--set', 'pwd_must_modify=false');
  expect(other.stderr).toContain(
    `${job} is not counted, as it holds the records of another import: the mapping, constants or other options that affect what is sent differ\n`,
  );
  expect(await forecast('--job', join(directory, 'none'))).toMatchObject({ ready: 100, sent_before: 0 });
});

test('a file without identifiers, invalid durations, and a file that does not exist are refused', async () => {
  const { directory, run } = await start();
  const file = join(directory, 'bad.csv');
  await writeFile(file, 'user_name,algorithm,hash\nbad,md5,x\n');
  const refused = (...args: string[]) =>
    run('forecast', file, ...args).then(({ exitCode, stderr }) => [exitCode, stderr]);
  expect(await refused('--probe-reads', '10s')).toEqual([
    2,
    expect.stringContaining('no row that would be sent can be looked up'),
  ]);
  for (const duration of ['30', '4s', '11m', '1h', '-5s'])
    expect(await refused(`--probe-reads=${duration}`)).toEqual([
      2,
      expect.stringContaining('between 5s and 10m'),
    ]);
  expect(await run('forecast', join(directory, 'none.csv'))).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('there is no such file'),
  });
});

test('a dry run and the preview of an import show how long it takes, also with a window at night', async () => {
  const { file, run, directory, runWith } = await start(0);
  const args = ['import-hashes', file, '--job', join(directory, 'job')];
  const takes = 'This takes about 1:40, between 1:20 and 2:05 (the pace of 2026-11-23, 10 requests/s).';
  const night =
    ' If started now, it ends about 2026-11-23 22:01 +01:00, in 1 night, from 22:00 to 05:00 (Europe/Berlin).';
  const window = ['--window', '22:00-05:00'];
  expect((await run(...args, '--dry-run')).stderr).toContain(`\nThe import: ${takes}\n`);
  expect((await run(...args, '--dry-run', ...window)).stderr).toContain(`\nThe import: ${takes}${night}\n`);
  const { forecast } = JSON.parse((await run(...args, '--dry-run', '--json')).stdout);
  expect(forecast).toMatchObject({ requests: 1000, seconds: { low: 80, likely: 100, high: 125 } });
  const asked = await runWith({ zone, mayRefuse: true }, ...args, ...window);
  expect(asked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`\n${takes}${night}\n`) });
});

test('a resumed run shows how long the rest takes', async () => {
  const { file, run, runWith, directory } = await start(0, 100);
  const args = ['import-hashes', file, '--job', join(directory, 'job')];
  const stop = new AbortController();
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      if (String(chunk).includes('Outside the window')) stop.abort('SIGINT');
      done();
    },
  });
  const circumstances = { zone, stderr, signal: stop.signal };
  expect(await runWith(circumstances, ...args, '--window', '22:00-05:00')).toMatchObject({ exitCode: 130 });
  const { stderr: said } = await run(...args);
  expect(said).toContain('This takes about 0:10, between 0:08 and 0:13 (the pace of 2026-11-23');
  expect(said).not.toContain('will be imported');
});
