import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand, temporaryDirectory } from '../../../world.ts';

const hash = '0'.repeat(32);

/** A command line in directories of the test: `in(NAME)` makes one the current one. */
async function start() {
  const directory = await realpath(await temporaryDirectory());
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  return {
    directory,
    async in(name: string) {
      await mkdir(join(directory, name), { recursive: true });
      process.chdir(join(directory, name));
    },
    run: (...args: string[]) =>
      runCommand(['--yes', ...args], { configDirectory: join(directory, 'config'), env: {} }),
  };
}

const file = (last: string) => `user_name,algorithm,hash\nann,md5,${hash}\n${last},md5,${hash}\n`;

/** Runs a command as a shell would, after the change of directory before it. */
async function runProposed({ run }: Awaited<ReturnType<typeof start>>, command: string) {
  const [, there, words = ''] = /^cd (\S+) && tenant-users (.*)$/.exec(command) ?? [];
  if (there) process.chdir(there);
  return run(...words.split(' '));
}

test('status proposes the command of a job for the directory where it was given', async () => {
  const world = await start();
  await world.in('here');
  await writeFile('users.csv', file('').replace(/^,/m, 'x'.repeat(200)));
  expect((await world.run('import-hashes', 'users.csv', '--local', 't.db')).exitCode).toBe(7);
  const next = 'tenant-users import-hashes users.csv --local t.db --only failed';
  expect((await world.run('import-hashes', 'status', 'users.csv.import')).stderr).toContain(`\n  ${next}\n`);
  await writeFile('users.csv', file('bob'));
  await world.in('elsewhere');
  const { stdout } = await world.run('import-hashes', 'status', '../here/users.csv.import', '--json');
  const [{ command }] = JSON.parse(stdout).next;
  expect(command).toBe(`cd ${world.directory}/here && ${next}`);
  expect(await runProposed(world, command)).toMatchObject({ exitCode: 0 });
});

test('merge proposes a command that finds the file, the database and the directory of the whole', async () => {
  const world = await start();
  for (const shard of ['1', '2']) {
    await world.in(`s${shard}`);
    await writeFile('users.csv', file('x'.repeat(200)));
    const part = ['--shard', `${shard}/2`, '--local', '../t.db'];
    expect((await world.run('import-hashes', 'users.csv', ...part)).exitCode).toBeOneOf([0, 7]);
  }
  await world.in('.');
  const merged = await world.run(
    'import-hashes',
    'merge',
    's1/users.csv.import',
    's2/users.csv.import',
    '--job',
    'whole',
  );
  const { directory } = world;
  const command = `cd ${directory}/s1 && tenant-users import-hashes users.csv --local ../t.db --job ${directory}/whole --only failed`;
  expect(merged).toMatchObject({ exitCode: 7, stderr: expect.stringContaining(`\n  ${command}\n`) });
  await writeFile('s1/users.csv', file('bob'));
  expect(await runProposed(world, command)).toMatchObject({ exitCode: 0 });
});
