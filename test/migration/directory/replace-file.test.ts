import { readdirSync } from 'node:fs';
import { type FileHandle, open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDraft, replaceFile } from '../../../src/migration/directory/replace-file.ts';
import { inDirectory } from '../run-import.ts';

test('texts of any length are written unchanged, and no other file is left beside the result', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'users.csv');
    await writeFile(path, 'before', { mode: 0o644 });
    await writeFile(`${path}.new`, 'of a run that was killed, and longer');
    // Characters of one to four bytes. The writer must cut the text between two characters.
    const texts = ['', 'a', '\u00e4\u20ac'.repeat(200_000), '', `b${'\u{1F600}'.repeat(150_000)}`, 'end\n'];

    await replaceFile(path, texts);
    expect((await readFile(path)).equals(Buffer.from(texts.join('')))).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await replaceFile(path, 'one text');
    expect(await readFile(path, 'utf8')).toBe('one text');
    expect(await readdir(directory)).toEqual(['users.csv']);
  });
});

test('the file stays as it was if an error occurs while the texts are produced', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'users.csv');
    await writeFile(path, 'before');
    function* failing() {
      yield 'half';
      throw new Error('no more');
    }
    await expect(replaceFile(path, failing())).rejects.toThrow('no more');
    expect(await readFile(path, 'utf8')).toBe('before');
    expect(await readdir(directory)).toEqual(['users.csv']);
  });
});

test('the whole file is on disk before it replaces another', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'users.csv');
    const file = await open(path, 'w');
    await file.close();
    const prototype: FileHandle = Object.getPrototypeOf(file);
    const sync = vi.spyOn(prototype, 'sync');
    onTestFinished(() => sync.mockRestore());
    const draft = await openDraft(path);
    await draft.write('after');
    expect(sync).not.toHaveBeenCalled();
    await draft.end();
    expect(sync).toHaveBeenCalledOnce();
    expect(readdirSync(directory).sort()).toEqual(['users.csv', 'users.csv.new']);
    expect(await readFile(path, 'utf8')).toBe('');
    draft.replace();
    await draft.discard();
    expect(await readFile(path, 'utf8')).toBe('after');
    expect(await readdir(directory)).toEqual(['users.csv']);
  });
});

test('a link instead of a draft is replaced, and its target is not changed', async () => {
  await inDirectory(async (directory) => {
    const [path, victim] = [join(directory, 'actions.jsonl'), join(directory, 'victim')];
    await writeFile(victim, 'precious');
    await symlink(victim, `${path}.new`);
    const draft = await openDraft(path);
    await draft.write('');
    await draft.end();
    draft.replace();
    await draft.discard();
    expect(await readFile(victim, 'utf8')).toBe('precious');
    expect(await readFile(path, 'utf8')).toBe('');
  });
});
