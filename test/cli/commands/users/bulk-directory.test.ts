import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
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

/** A world with the users ann, bob and cid, and a function that runs a command on a file, with results in `list`. */
async function withUsers() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  for (const name of ['ann', 'bob', 'cid'])
    await world.client.createUser({ user_name: name, email: `${name}@x.example` });
  const write = async (name: string, ...rows: string[]) => {
    await mkdir(within(name), { recursive: true });
    await writeFile(within(`${name}/list.csv`), ['user_name,email', ...rows].join('\n'));
    return within(`${name}/list.csv`);
  };
  const to = within('list');
  const onFile = async (command: string, file: string, ...more: string[]) => {
    const { stdout, ...ended } = await world.runWith(
      { mayRefuse: true },
      ...[command, '--csv', file, '--to', to, '--json', ...more],
    );
    return { ...ended, ...JSON.parse(stdout || '{}') };
  };
  return { world, within, write, to, onFile };
}

test('a file of the same name gets another directory, and the records of the first one stay', async () => {
  const { write, to, onFile } = await withUsers();
  const words = ['--key', 'user_name', '--yes'];
  const monday = await write('mon', 'ann,ann@x.example');
  expect(await onFile('update', monday, ...words)).toMatchObject({ exitCode: 0, job: to, existing: 1 });
  const records = await readdir(to);
  const tuesday = await write('tue', 'ann,ann@new.example');
  expect(await onFile('update', tuesday, ...words)).toMatchObject({
    exitCode: 0,
    job: `${to}-2`,
    updated: 1,
  });
  expect(await readdir(to)).toEqual(records);
});

test('an interrupted run stays for its own file and command', async () => {
  const { write, to, onFile } = await withUsers();
  const monday = await write('mon', 'ann,a@x.example', 'bob,b@x.example');
  expect(await onFile('update', monday, '--yes', '--key', 'user_name')).toMatchObject({ updated: 2 });
  await forgetOutcomes(to, 1);
  const tuesday = await write('tue', 'cid,c@x.example');
  const key = ['--key', 'user_name', '--yes'];
  expect(await onFile('update', tuesday, ...key)).toMatchObject({ job: `${to}-2`, updated: 1 });
  expect(await onFile('disable', tuesday, ...key)).toMatchObject({ job: `${to}-3`, disabled: 1 });
  expect(await onFile('update', monday, ...key)).toMatchObject({ exitCode: 0, job: to, resumed: true });
});

test('a list that was not agreed to does not block another one of that name, and nobody is advised to apply it', async () => {
  const { world, write, to, onFile } = await withUsers();
  const [first, second] = [await write('a', 'ann,ann@x.example'), await write('b', 'bob,bob@x.example')];
  expect(await onFile('disable', first)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('nothing was sent'),
  });
  expect(await onFile('disable', second, '--yes')).toMatchObject({
    exitCode: 0,
    job: `${to}-2`,
    disabled: 1,
    stderr: '',
  });
  const { stderr } = await world.run('plan', second, '--to', to, '--allow-passwordless');
  expect(stderr).toContain(`it holds the plan of ${first}, which was not carried out\n`);
  expect(stderr).not.toContain('apply');
});

test('records of an import and of an applied plan stay, even if nobody was changed', async () => {
  const { world, within, write, to, onFile } = await withUsers();
  const file = await write('a', 'ann,ann@x.example');
  const words = ['--allow-passwordless', '--json'];
  expect(await world.run('import-hashes', file, '--job', to, ...words)).toMatchObject({ exitCode: 0 });
  const summary = await readFile(join(to, 'summary.json'), 'utf8');
  expect(await onFile('update', file, '--yes')).toMatchObject({ exitCode: 0, job: `${to}-2`, existing: 1 });
  expect(await readFile(join(to, 'summary.json'), 'utf8')).toBe(summary);
  await rm(within('list-2'), { recursive: true });
  await rm(to, { recursive: true });

  expect(await world.run('plan', file, '--to', to, ...words)).toMatchObject({ exitCode: 0 });
  expect(await world.run('apply', to, '--yes')).toMatchObject({ exitCode: 0 });
  expect(await onFile('update', file, '--yes')).toMatchObject({ exitCode: 0, job: `${to}-2`, existing: 1 });
});

test('records that say what was not done stay', async () => {
  const { write, to, onFile } = await withUsers();
  const file = await write('a', 'dan,dan@x.example');
  for (const job of [to, `${to}-2`])
    expect(await onFile('disable', file, '--yes')).toMatchObject({ exitCode: 7, job, failed: 1 });
  expect(await readFile(join(to, 'failures.csv'), 'utf8')).toContain('UNKNOWN_USER');
});

test('an interrupted run goes on after its file was moved', async () => {
  const { within, write, to, onFile } = await withUsers();
  const file = await write('a', 'ann,a@x.example', 'bob,b@x.example');
  expect(await onFile('update', file, '--yes', '--key', 'user_name')).toMatchObject({ updated: 2 });
  await forgetOutcomes(to, 1);
  await rename(within('a'), within('b'));
  expect(await onFile('update', within('b/list.csv'), '--yes', '--key', 'user_name')).toMatchObject({
    exitCode: 0,
    job: to,
    resumed: true,
  });
});
