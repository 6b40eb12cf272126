import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../world.ts';

const root = resolve(import.meta.dirname, '../../..');

/** A copy of the program that nobody has run yet. */
async function copyProgram() {
  const directory = await temporaryDirectory();
  const kept = join(root, 'dist/cache');
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(root, name), join(directory, name), {
      recursive: true,
      filter: (path) => !path.startsWith(kept),
    });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  const cache = join(directory, `dist/cache/${process.version}-${process.arch}`);
  const env = { PATH: process.env.PATH, HOME: directory };
  return {
    cache,
    run: () =>
      execFileSync(process.execPath, [join(directory, 'bin/tenant-users.js'), 'explain', '7'], {
        env,
      }).toString(),
    /** Which file each is: one that is written again is another one. */
    files: () => readdirSync(cache).map((name) => [name, statSync(join(cache, name)).ino] as const),
  };
}

test('compiled code is kept, and taken while it fits', async () => {
  const { run, files, cache } = await copyProgram();
  const said = run();
  expect(said).toContain('7: Partly done');
  const first = files();
  expect(first.map(([name]) => name)).toContainEqual(expect.stringMatching(/^start-[\w-]{8}\.cjs\.code$/));
  expect(run()).toBe(said);
  expect(files(), 'taken').toEqual(first);
  const [[one = ''] = [], [other = ''] = []] = first;
  writeFileSync(join(cache, one), 'damaged');
  writeFileSync(join(cache, other), readFileSync(join(cache, other)).subarray(0, 1000));
  expect(run()).toBe(said);
  const changed = files().filter(([, ino], index) => ino !== first[index]?.[1]);
  expect(changed.map(([name]) => name)).toEqual([one, other]);
});

test.runIf(process.platform !== 'win32')(
  'code where others can write is neither taken nor written',
  async () => {
    const { run, cache } = await copyProgram();
    const said = run();
    chmodSync(cache, 0o777);
    const [name = ''] = readdirSync(cache);
    writeFileSync(join(cache, name), 'of another');
    expect(run()).toBe(said);
    expect(readFileSync(join(cache, name), 'utf8')).toBe('of another');
  },
);
