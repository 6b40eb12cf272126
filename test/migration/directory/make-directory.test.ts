import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../src/migration/directory/make-directory.ts';
import { temporaryDirectory } from '../../world.ts';

test('a directory is made with those above it, for its owner alone, unless it is there', async () => {
  const root = await temporaryDirectory();
  const directory = join(root, 'a', 'b', 'c');
  expect([makeDirectory(directory), makeDirectory(directory), makeDirectory(root)]).toEqual([
    true,
    false,
    false,
  ]);
  for (const made of [directory, join(root, 'a')]) expect((await stat(made)).mode & 0o777).toBe(0o700);
});

test('a link to a directory counts as one, and what is no directory is named', async () => {
  const root = await temporaryDirectory();
  const [file, link, dangling] = ['file', 'link', 'dangling'].map((name) => join(root, name));
  await writeFile(file ?? '', '');
  await mkdir(join(root, 'real'));
  await symlink(join(root, 'real'), link ?? '');
  await symlink(join(root, 'gone'), dangling ?? '');
  expect(makeDirectory(link ?? '')).toBe(false);
  expect(makeDirectory(join(link ?? '', 'below'))).toBe(true);
  expect(() => makeDirectory(file ?? '')).toThrow('EEXIST');
  expect(() => makeDirectory(dangling ?? '')).toThrow('EEXIST');
  expect(() => makeDirectory(join(dangling ?? '', 'below'))).toThrow('EEXIST');
  expect(() => makeDirectory(join(file ?? '', 'below'))).toThrow('ENOTDIR');
});
