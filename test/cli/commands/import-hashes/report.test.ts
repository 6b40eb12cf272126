import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { version } from '../../../../src/cli/context/version.ts';
import { startWorld, type TestWorld } from '../../../world.ts';

const lines = ['user_name,algorithm,hash', 'ann,md5,e10adc3949ba59abbe56e057f20f883e', 'bob,md5,cut'];

async function importing(world: TestWorld, name: string, ...args: string[]) {
  const file = join(world.directory, 'legacy.csv');
  await writeFile(file, `${lines.join('\n')}\n`);
  const job = join(world.directory, name);
  const result = await world.run('import-hashes', file, '--job', job, ...args);
  return { ...result, job, page: await readFile(join(job, 'report.html'), 'utf8') };
}

test('an import prints the path of its report, which names program, tenant and verification', async () => {
  const world = await startWorld();
  const known = join(world.directory, 'known.csv');
  await writeFile(known, 'ann,123456\n');
  const { exitCode, stderr, job, page } = await importing(world, 'job', '--canary', known);
  expect(exitCode).toBe(7);
  expect(stderr).toContain(`Report: ${job}/report.html\n`);
  expect(page).toContain('1 of 2 users was imported; 1 rejected.');
  expect(page).toContain(`tenant-users ${version}`);
  expect(page).toMatch(/<dt>Base URL<\/dt><dd><bdi>http:\/\/127\.0\.0\.1:\d+/);
  expect(page).toContain('<strong class="good">Verified</strong>: 1 known password tried, and it matched');
  expect(page).not.toContain('123456');
});

test('the report of a dry run or a rehearsal cannot be mistaken for that of an import', async () => {
  const world = await startWorld();
  const dry = await importing(world, 'dry', '--dry-run');
  expect(dry.page).toContain('<p class="label">Dry run: nothing was sent</p>');
  const rehearsal = await importing(world, 'rehearsal', '--rehearse');
  expect(rehearsal.page).toContain('<p class="label">Rehearsal: no tenant was written to</p>');
  expect(rehearsal.page).toContain('a temporary service of this rehearsal');
  expect(rehearsal.page).not.toContain('<dt>Base URL</dt>');
});

test('merged shards have a report of the whole file', async () => {
  const world = await startWorld();
  const shards = [
    await importing(world, 'one', '--shard', '1/2'),
    await importing(world, 'two', '--shard', '2/2'),
  ];
  expect(shards[0]?.page).toContain('This is only shard 1/2 of the file.');
  const whole = join(world.directory, 'whole');
  const { exitCode, stderr } = await world.run(
    'import-hashes',
    'merge',
    ...shards.map(({ job }) => job),
    '--job',
    whole,
  );
  expect(exitCode).toBe(7);
  const page = await readFile(join(whole, 'report.html'), 'utf8');
  expect(page).toContain('1 of 2 users was imported; 1 rejected.');
  expect(page).toContain('These records were merged from 2 shards of the file.');
  const next = `tenant-users import-hashes ${join(world.directory, 'legacy.csv')} --job ${whole} --only failed`;
  expect(stderr).toContain(`  ${next}\n`);
  expect(page).toContain(next);
  expect((await world.run('import-hashes', 'status', whole)).stderr).toContain(`  ${next}\n`);
});
