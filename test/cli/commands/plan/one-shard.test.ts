import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

/** A file with two users, imported in two shards, each with a directory of its own. */
async function importedInShards() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  await writeFile(within('staff.csv'), 'user_name\nann\nbob\n');
  const words = ['import-hashes', within('staff.csv'), '--allow-passwordless'];
  for (const shard of ['1', '2'])
    await world.run(...words, '--shard', `${shard}/2`, '--job', within(`shard${shard}`));
  return { world, within };
}

test('the job of one shard is not taken for that of the whole file: exit code 3', async () => {
  const { world, within } = await importedInShards();
  const [file, shard, to] = [within('staff.csv'), within('shard1'), within('to')];
  for (const words of [
    ['plan', file, '--allow-passwordless', '--since', shard],
    ['compare', file, '--job', shard],
  ]) {
    expect(await world.run(...words, '--to', to)).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringContaining(
        `${shard}: it is the job of shard 1/2 of its file\nMerge all shards (tenant-users import-hashes merge)`,
      ),
    });
  }
  const whole = within('whole');
  await world.run('import-hashes', 'merge', shard, within('shard2'), '--job', whole);
  const plan = await world.run('plan', file, '--allow-passwordless', '--since', whole, '--to', to);
  expect(plan).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('2 rows unchanged') });
});

test('undo and cutover say that a job is one shard of its file', async () => {
  const { world, within } = await importedInShards();
  const undo = await world.run('undo', within('shard2'), '--to', within('undo'), '--dry-run');
  expect(undo).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('The job is shard 2/2 of its file: users whom the other shards created'),
  });
  const cutover = await world.run('cutover', within('shard2'));
  expect(cutover).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^\S+, only shard 2\/2 of the file: 0 of 1 user logged in/),
  });
});

test('a merge says that users of a shard were disabled by an undo', async () => {
  const { world, within } = await importedInShards();
  await world.run('undo', within('shard2'), '--to', within('undo'), '--yes');
  const merge = ['import-hashes', 'merge', within('shard1'), within('shard2'), '--job', within('whole')];
  expect(await world.run(...merge)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(
      /Warning: users of a shard were disabled by an undo at \S+Z: the whole job/,
    ),
  });
});

test('a merged job of which one shard was undone says whose users were disabled, until all are', async () => {
  const { world, within } = await importedInShards();
  await world.run('undo', within('shard2'), '--to', within('undo'), '--yes');
  const whole = within('whole');
  await world.run('import-hashes', 'merge', within('shard1'), within('shard2'), '--job', whole);
  const said = async (...words: string[]) => (await world.run(...words)).stderr;
  const words = ['import-hashes', within('staff.csv'), '--allow-passwordless', '--job', whole];
  expect(await said('import-hashes', 'status', whole)).toContain(
    'Warning: the users of its shard 2/2 were disabled by an undo at',
  );
  expect(await said(...words)).toContain('whole: the users of its shard 2/2 were disabled by an undo at');
  const plan = [
    'plan',
    within('staff.csv'),
    '--allow-passwordless',
    '--to',
    within('plan'),
    '--since',
    whole,
  ];
  expect(await said(...plan)).toContain(
    `Warning: ${whole}: the users of its shard 2/2 were disabled by an undo at`,
  );
  await world.run('undo', whole, '--to', within('undo-whole'), '--yes');
  expect(await said('import-hashes', 'status', whole)).toContain(
    'Warning: its users were disabled by an undo at',
  );
});

test('a file is not compared with the job of an undo, whose rows are not those of a file', async () => {
  const { world, within } = await importedInShards();
  await world.run('undo', within('shard2'), '--to', within('undo'), '--yes');
  for (const words of [
    ['compare', '--job'],
    ['plan', '--allow-passwordless', '--since'],
  ]) {
    expect(await world.run(...words, within('undo'), within('staff.csv'), '--to', within('to'))).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringContaining('it is the job of an undo, which has no rows of a file'),
    });
  }
});
