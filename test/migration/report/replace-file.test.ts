import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceFile } from '../../../src/migration/report/replace-file.ts';
import { inDirectory } from '../run-import.ts';

test('texts of any length stand in the file as they are, and nothing stands beside it', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'users.csv');
    await writeFile(path, 'before', { mode: 0o644 });
    await writeFile(`${path}.new`, 'of a run that was killed, and longer');
    // Characters of one to four bytes: wherever a text is cut, it is between two of them.
    const texts = ['', 'a', '\u00e4\u20ac'.repeat(200_000), '', `b${'\u{1F600}'.repeat(150_000)}`, 'end\n'];

    await replaceFile(path, texts);
    expect((await readFile(path)).equals(Buffer.from(texts.join('')))).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await replaceFile(path, 'one text');
    expect(await readFile(path, 'utf8')).toBe('one text');
    expect(await readdir(directory)).toEqual(['users.csv']);
  });
});

test('what fails while the texts are made leaves the file as it was', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'users.csv');
    await writeFile(path, 'before');
    function* failing() {
      yield 'half';
      throw new Error('no more');
    }
    await expect(replaceFile(path, failing())).rejects.toThrow('no more');
    expect(await readFile(path, 'utf8')).toBe('before');
  });
});
