import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { openDigestFile } from '../../../src/migration/rows/digest-file.ts';
import { inDirectory } from '../run-import.ts';

afterEach(() => vi.unstubAllEnvs());

/** Slots of so many keys, which all belong at the same place; the row of each is 1 more than its number. */
const crowd = (from: number, to: number, low: number) =>
  Uint32Array.from(Array.from({ length: to - from }, (_, n) => [from + n, low, from + n + 1]).flat());

test.each([0, 0x7fff_ffff, 0xffff_ffff])(
  'keys that crowd at %d are found, also around the end of a table, and no others',
  (low) => {
    const file = openDigestFile(600, 2);
    try {
      file.add(0, crowd(0, 200, low));
      file.add(1, crowd(1000, 1150, low));
      file.add(0, crowd(200, 300, low));
      for (let high = 0; high < 300; high += 1) expect(file.rowOf(0, high, low)).toBe(high + 1);
      for (let high = 1000; high < 1150; high += 1) expect(file.rowOf(1, high, low)).toBe(high + 1);
      expect([file.rowOf(0, 300, low), file.rowOf(0, 1000, low), file.rowOf(1, 0, low)]).toEqual([0, 0, 0]);
    } finally {
      file.close();
    }
  },
);

test('a free slot is no key, and a table takes no more keys than it has room for', () => {
  const file = openDigestFile(10, 1);
  try {
    file.add(0, new Uint32Array(30));
    expect(file.rowOf(0, 0, 0)).toBe(0);
    expect(() => file.add(0, crowd(0, 100, 5))).toThrow(RangeError);
  } finally {
    file.close();
  }
});

test('the file has no name, and is made only when there are keys', () =>
  inDirectory(async (directory) => {
    vi.stubEnv('TMPDIR', directory);
    vi.stubEnv('TEMP', directory);
    const file = openDigestFile(10, 1);
    expect(file.rowOf(0, 1, 1)).toBe(0);
    file.add(0, crowd(1, 3, 1));
    expect(await readdir(directory)).toEqual([]);
    expect(file.rowOf(0, 1, 1)).toBe(2);
    file.close();
  }));

test('where there can be no file, the error names the directory and the way out', () =>
  inDirectory(async (directory) => {
    const missing = join(directory, 'missing');
    vi.stubEnv('TMPDIR', missing);
    vi.stubEnv('TEMP', missing);
    const file = openDigestFile(10, 1);
    expect(() => file.add(0, crowd(1, 3, 1))).toThrow(
      expect.objectContaining({
        name: 'JobDirectoryError',
        directory: missing,
        message: expect.stringContaining('ENOENT'),
        hint: expect.stringContaining('TMPDIR'),
      }),
    );
    file.close();
  }));
