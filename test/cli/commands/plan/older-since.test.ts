import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sinceInLog } from '../../../../src/cli/commands/plan/later-plans.ts';
import { readPlan } from '../../../../src/migration/plan/document/plan-document.ts';
import { startWorld } from '../../../world.ts';

/**
 * Three weeks of a file, and the import of the first. In the second, Ann has another address and Cy comes; the third is as the first.
 */
async function threeWeeks() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const write = (name: string, ...rows: string[]) =>
    writeFile(within(name), `user_name,external_id,email\n${rows.map((row) => `${row}\n`).join('')}`);
  const [first, changed, cy] = ['ann,e1,a1@example.com', 'ann,e1,a2@example.com', 'cy,e2,c@example.com'];
  await write('week1.csv', first);
  await write('week2.csv', changed, cy);
  await write('week3.csv', first);
  const word = '--allow-passwordless';
  await world.run('import-hashes', within('week1.csv'), '--job', within('job'), word);
  const plan = (week: number, since: string, to: string, ...more: string[]) => {
    const how = ['--since', within(since), '--to', within(to), '--key', 'external_id', '--update', word];
    return world.run('plan', within(`week${week}.csv`), ...how, ...more);
  };
  const apply = (name: string) => world.run('apply', within(name), '--yes');
  return { world, within, write, plan, apply };
}

const leavers = ['--disable-missing', '--at-most', 'disable=1'];

test('--since an earlier job is refused once a plan of another file since it was applied, which is named', async () => {
  const { within, plan, apply } = await threeWeeks();
  await plan(2, 'job', 'p2');
  // Until it is applied, the job is the latest.
  expect(await plan(3, 'job', 'p3')).toMatchObject({ exitCode: 0 });
  expect(await apply('p2')).toMatchObject({ exitCode: 0 });
  const refused = await plan(3, 'job', 'p3', ...leavers);
  expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
  expect(refused.stderr).toMatch(/job: a plan since this job was applied at 20.*Z: .*\/p2\. What that one/);
  expect(refused.stderr).toContain(`Name the latest plan: --since ${within('p2')}. Or make a plan without`);
  const made = await plan(3, 'p2', 'p3', ...leavers, '--json');
  expect(JSON.parse(made.stdout)).toMatchObject({ reasons: { DIFFERS: 1, ABSENT: 1 } });
});

test('the latest plan of the chain is advised, also if the file is that of an earlier one', async () => {
  const { within, plan, apply } = await threeWeeks();
  await plan(2, 'job', 'p2');
  await apply('p2');
  await plan(3, 'p2', 'p3');
  await apply('p3');
  for (const week of [2, 1]) {
    const refused = await plan(week, 'job', `again${week}`);
    expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
    expect(refused.stderr).toContain(`--since ${within('p3')}. Or`);
  }
  expect(await plan(3, 'p3', 'p4')).toMatchObject({ exitCode: 0 });
});

test('without the records of the latest plan, a plan without --since is advised', async () => {
  const { world, within, plan, apply } = await threeWeeks();
  await plan(2, 'job', 'p2');
  await apply('p2');
  await world.run('job', 'purge', within('p2'), '--yes');
  const advice = `The latest such plan, ${within('p2')}, was purged, moved or deleted. If it was moved, name it with --since; otherwise make a plan without --since`;
  const purged = await plan(3, 'job', 'p3');
  expect(purged).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(advice) });
  expect(await plan(3, 'p2', 'p3')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('(--job), or a plan without --since, finds users by'),
  });
  await rm(within('p2'), { recursive: true });
  const gone = await plan(3, 'job', 'p3');
  expect(gone).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(advice) });
});

test('plans of one file are made in stages since the same job', async () => {
  const { plan, apply } = await threeWeeks();
  await plan(2, 'job', 'created', '--only', 'create');
  expect(await apply('created')).toMatchObject({ exitCode: 7 });
  const updated = await plan(2, 'job', 'updated', '--only', 'update', '--json');
  expect(JSON.parse(updated.stdout)).toMatchObject({ totals: { create: 0, update: 1 } });
});

test('a plan that changed nobody leaves the job before it a base for --since', async () => {
  const { write, plan, apply } = await threeWeeks();
  await write('week2.csv', 'ann,e1,a1@example.com', 'bad,e3,no address');
  await plan(2, 'job', 'p2');
  expect(await apply('p2')).toMatchObject({ exitCode: 7 });
  expect(await plan(3, 'job', 'p3')).toMatchObject({ exitCode: 0 });
});

test('a job is told by its beginning: moved, it is the same; another one in its place is not', async () => {
  const { within, plan, apply } = await threeWeeks();
  await plan(2, 'job', 'next');
  await apply('next');
  await rename(within('job'), within('moved'));
  expect(await plan(3, 'moved', 'p3')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(`--since ${within('next')}`),
  });
  // As a script does that keeps the latest plan under one name.
  await rename(within('next'), within('job'));
  expect(await plan(3, 'job', 'next')).toMatchObject({ exitCode: 0 });
});

test('of a plan that an older build made, which does not know when its job began, the log says nothing', async () => {
  const { within, plan } = await threeWeeks();
  await plan(2, 'job', 'p2');
  const made = readPlan(within('p2'));
  expect(sinceInLog(made)).toMatchObject({ job: within('job'), file: made.file.digest });
  const { begun_at: _, ...since } = made.since ?? expect.fail('no plan since a job');
  expect(sinceInLog({ ...made, since })).toBeUndefined();
});
