import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jumpingClock } from '../../../clocks.ts';
import { startWorld, type TestWorld } from '../../../world.ts';

const md5 = 'e10adc3949ba59abbe56e057f20f883e';
const row = (name: string, gender = '') => `${name},${gender},md5,${md5}`;
const rows = (count: number, make = (index: number) => row(`user${index}`)) =>
  Array.from({ length: count }, (_, index) => make(index));

async function importing(world: Pick<TestWorld, 'directory' | 'run'>, lines: string[], ...args: string[]) {
  const file = join(world.directory, 'legacy.csv');
  const job = join(world.directory, 'job');
  await writeFile(file, `user_name,attr_gender,algorithm,hash\n${lines.join('\n')}\n`);
  return { job, ...(await world.run('import-hashes', file, '--job', job, ...args)) };
}

test('an import stops with exit code 8 if more rows fail than --max-failures allows', async () => {
  const world = await startWorld();
  const lines = rows(1000, (index) => row(`user${index}`, index % 10 === 0 ? 'nobody' : ''));
  const { exitCode, stdout, stderr, job } = await importing(world, lines, '--max-failures', '20', '--json');
  expect(exitCode).toBe(8);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'MAX_FAILURES',
    message: expect.stringMatching(
      /^21 of \d+ rows of this run failed, which is more than --max-failures 20 allows$/,
    ),
    retryable: false,
    hint: expect.stringContaining('--only failed retries those of an import that failed'),
  });
  const { invalid, created, pending } = JSON.parse(stdout);
  expect(invalid).toBeGreaterThanOrEqual(21);
  expect(pending).toBeGreaterThan(500);
  expect(invalid + created + pending).toBe(1000);
  expect((await world.client.listUsers({ offset: 0, limit: 10 })).total).toBe(created);
  expect(JSON.parse(await readFile(join(job, 'summary.json'), 'utf8'))).toEqual(JSON.parse(stdout));
});

test('a limit in percent applies only after a hundred rows', async () => {
  const world = await startWorld();
  const lines = rows(400, (index) => row(`user${index}`, index % 10 === 0 ? 'nobody' : ''));
  const ended = await importing(world, lines, '--max-failures', '5%', '--concurrency', '16');
  expect(ended.exitCode).toBe(8);
  expect(ended.stderr).toMatch(
    /1\d of 1\d\d rows of this run failed, which is more than --max-failures 5% allows/,
  );
  const other = await startWorld();
  const most = ['--max-failures', '12.5%', '--concurrency', '512'];
  expect((await importing(other, lines, ...most)).exitCode).toBe(7);
});

test('a dry run shows every issue, whatever --max-failures says', async () => {
  const world = await startWorld();
  const lines = rows(300, (index) => row(`user${index}`, 'nobody'));
  const { exitCode, stdout } = await importing(world, lines, '--max-failures', '0', '--dry-run', '--json');
  expect([exitCode, JSON.parse(stdout).invalid]).toEqual([7, 300]);
});

test('an import stops with exit code 8 if every row is rejected for the same reason', async () => {
  const world = await startWorld();
  const file = join(world.directory, 'legacy.csv');
  const lines = rows(500, (index) => `user${index},7,md5,${md5}`);
  await writeFile(file, `user_name,extension.of_another_tenant,algorithm,hash\n${lines.join('\n')}\n`);
  const job = join(world.directory, 'job');
  const { exitCode, stderr, stdout } = await world.run('import-hashes', file, '--job', job, '--json');
  expect(exitCode).toBe(8);
  const { error } = JSON.parse(stderr);
  expect(error).toMatchObject({ code: 'SYSTEMIC', message: expect.stringContaining('SVC.TENANT.USER.') });
  const { failed, pending, created } = JSON.parse(stdout);
  expect(created).toBe(0);
  expect(failed).toBeGreaterThanOrEqual(50);
  expect(failed).toBeLessThan(100);
  expect(failed + pending).toBe(500);
});

test('an import respects --rate, and reports its progress from time to time when not on a terminal', async () => {
  const world = await startWorld();
  const clock = jumpingClock();
  const run = (...args: string[]) => world.runWith({ clock }, ...args);
  const args = ['--rate', '20/s', '--concurrency', '2'];
  const { exitCode, stderr } = await importing({ ...world, run }, rows(110), ...args);
  expect(exitCode).toBe(0);
  expect(clock.now()).toBeGreaterThan(5000);
  expect(stderr).toMatch(
    /^\d+\/110 rows, \d+ created, 0 failed, (19|20|21) rows\/s, 0:0\d left, \d+ in flight, limit 20\/s$/m,
  );
});

test.each([
  [['--concurrency', '0'], 'between 1 and 512'],
  [['--concurrency', 'many'], 'whole number'],
  [['--rate', '20'], '100/s'],
  [['--max-failures', '101%'], '5%'],
  [['--max-failures', '1.5'], '5%'],
  [['--max-failures', '-1'], '5%'],
])('an import refuses %j', async (args, reason) => {
  const world = await startWorld();
  const { exitCode, stdout, stderr } = await importing(world, [row('ann')], ...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(reason);
});
