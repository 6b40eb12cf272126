import { existsSync } from 'node:fs';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockDirectory } from '../../../src/migration/directory/lock-directory.ts';
import { startWorld, temporaryDirectory } from '../../world.ts';

test('of two comparisons or plans in one directory the second is refused, and the files of the first are complete', async () => {
  const world = await startWorld();
  await world.client.createUser({ user_name: 'user0' });
  const file = join(world.directory, 'legacy.csv');
  await writeFile(file, `user_name\n${Array.from({ length: 600 }, (_, at) => `user${at}\n`).join('')}`);
  const to = join(world.directory, 'lists');
  for (const [command, ...options] of [['compare'], ['plan', '--allow-passwordless']] as const) {
    const words = [command, file, '--to', to, ...options];
    const first = world.run(...words, '--json');
    while (!(existsSync(join(to, 'extra.csv.new')) || existsSync(join(to, 'actions.jsonl.new'))))
      await new Promise((resolve) => setImmediate(resolve));
    expect(await world.run(...words)).toMatchObject({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringMatching(
        /lists: in use by another run: process \d+ on .*\nWait until it ends, or name another directory with --to\.\n/,
      ),
    });
    const { stdout } = await first;
    expect(JSON.parse(stdout)).toMatchObject(
      command === 'compare' ? { missing: 599 } : { totals: { create: 599 } },
    );
    expect((await readdir(to)).filter((name) => /^running|\.new$/.test(name))).toEqual([]);
    await rename(to, join(world.directory, command));
  }
  const missing = await readFile(join(world.directory, 'compare/missing.csv'), 'utf8');
  expect(missing.trim().split('\n')).toHaveLength(600);
});

test('a directory whose lock was released can be locked again, and what a killed process left does not lock it', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'running.lock'), '');
  await writeFile(join(directory, 'running.json'), '{"pid":1}');
  for (const _ of [1, 2]) {
    const lock = await lockDirectory(directory, () => 0);
    expect(JSON.parse(await readFile(join(directory, 'running.json'), 'utf8'))).toMatchObject({
      pid: process.pid,
      started_at: '1970-01-01T00:00:00.000Z',
    });
    await expect(lockDirectory(directory, () => 0)).rejects.toThrow('in use by another run: process');
    lock.release();
    lock.release();
    expect(await readdir(directory)).toEqual([]);
  }
});

test('a directory that was made for a plan and stays empty is removed again, and one with a file is kept', async () => {
  const directory = join(await temporaryDirectory(), 'new');
  (await lockDirectory(directory, () => 0)).release();
  expect(existsSync(directory)).toBe(false);
  const lock = await lockDirectory(directory, () => 0);
  await writeFile(join(directory, 'plan.json'), '{}');
  lock.release();
  expect(await readdir(directory)).toEqual(['plan.json']);
});
