import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { startWorld } from '../../../world.ts';

/** A world in which users of a file were created, and a function that creates those of another file. */
async function created(...names: string[]) {
  const world = await startWorld();
  const [file, to] = [join(world.directory, 'new.csv'), join(world.directory, 'create')];
  const create = async (...users: string[]) => {
    await writeFile(
      file,
      ['user_name,email', ...users.map((name) => `${name},${name}@x.example`)].join('\n'),
    );
    const { exitCode, stdout } = await world.run('create', '--csv', file, '--to', to, '--yes', '--json');
    return { exitCode, ...JSON.parse(stdout || '{}') };
  };
  expect(await create(...names)).toMatchObject({ exitCode: 0, job: to, created: names.length });
  return { world, to, create };
}

test('a command for a file goes on in another directory if the data of the earlier one was deleted', async () => {
  const { world, to, create } = await created('ann');
  expect(await world.run('job', 'purge', to, '--yes')).toMatchObject({ exitCode: 0 });
  expect(await create('bob')).toMatchObject({ exitCode: 0, job: `${to}-2`, created: 1 });
});

test('a command for a file is not resumed if its users were disabled by an undo', async () => {
  const { world, to, create } = await created('ann', 'bob');
  await forgetOutcomes(to, 1, 0);
  // The undo says that it does not know whether bob was created.
  expect(await world.run('undo', to, '--to', `${to}.undo`, '--yes')).toMatchObject({ exitCode: 7 });
  expect(await create('cyd')).toMatchObject({ exitCode: 0, job: `${to}-2`, created: 1 });
});

test('a command for a file does not use the number of a deleted directory again, so that an interrupted run is found', async () => {
  const { to, create } = await created('ann');
  expect(await create('bob')).toMatchObject({ job: `${to}-2`, created: 1 });
  await rm(to, { recursive: true });
  expect(await create('cyd', 'dan')).toMatchObject({ job: `${to}-3`, created: 2 });
  await forgetOutcomes(`${to}-3`, 1);
  expect(await create('cyd', 'dan')).toMatchObject({ job: `${to}-3`, created: 2, resumed: true });
});

test('a run that changed nobody leaves its directory to the next one', async () => {
  const { to, create } = await created('ann');
  for (const name of ['ann', 'ann', 'bob'])
    expect(await create(name)).toMatchObject({
      exitCode: 0,
      job: `${to}-2`,
      existing: name === 'ann' ? 1 : 0,
    });
  expect(await create('bob')).toMatchObject({ job: `${to}-3`, existing: 1, resumed: false });
  expect(await create('bob', 'cyd')).toMatchObject({ job: `${to}-3`, created: 1, resumed: false });
});

test('a directory with a number behind the name does not count as a run if it is of another job', async () => {
  const { world, to, create } = await created('ann');
  for (const [name, number] of [
    ['bob', 2],
    ['cyd', 20261126],
  ]) {
    const file = join(world.directory, `${name}.csv`);
    await writeFile(file, `user_name,algorithm,hash\n${name},md5,${goodHashes.md5}\n`);
    const imported = await world.run('import-hashes', file, '--job', `${to}-${number}`);
    expect(imported).toMatchObject({ exitCode: 0 });
  }
  // An import that goes on is not the interrupted run of the command.
  await forgetOutcomes(`${to}-2`, 0);
  expect(await create('dan')).toMatchObject({ exitCode: 0, job: `${to}-3`, created: 1 });
  expect(await create('eve')).toMatchObject({ exitCode: 0, job: `${to}-4`, created: 1 });
});

test('a directory with a number does not count if the directory without one does not exist', async () => {
  const world = await startWorld();
  const [file, other, to] = ['new.csv', 'other.csv', 'create'].map((name) => join(world.directory, name));
  for (const [path, name, directory] of [
    [other, 'ann', `${to}-20261126`],
    [file, 'bob', to],
  ]) {
    await writeFile(path ?? '', `user_name,email\n${name},${name}@x.example\n`);
    const ended = await world.run('create', '--csv', path ?? '', '--to', directory ?? '', '--yes', '--json');
    expect(ended).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ended.stdout)).toMatchObject({ job: directory, created: 1 });
  }
});

test.each(['/', '/.'])(
  'a name of a directory that ends with %s has its number behind the last word',
  async (end) => {
    const world = await startWorld();
    const [file, to] = [join(world.directory, 'new.csv'), join(world.directory, 'create')];
    for (const [name, directory] of [
      ['ann', to],
      ['bob', `${to}-2`],
      ['cyd', `${to}-3`],
    ]) {
      await writeFile(file, `user_name,email\n${name},${name}@x.example\n`);
      const { stdout } = await world.run('create', '--csv', file, '--to', `${to}${end}`, '--yes', '--json');
      expect(JSON.parse(stdout)).toMatchObject({ job: directory, created: 1 });
    }
  },
);
