import { open, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { ImportOptions } from '../../../src/migration/import-users.ts';
import { runCommand } from '../../world.ts';
import { goodHashes } from '../hashes.ts';
import { recipeOf } from '../recipes/recipe-of.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';

/** Few rows with long values: the file is many times as long as its beginning. */
const rows = Array.from(
  { length: 1200 },
  (_, row) => `user${row},md5,${goodHashes.md5},"data:image/png;base64,${'A'.repeat(400)}"\n`,
);
const content = `user_name,algorithm,hash,head_img\n${rows.join('')}`;

/** How often a use of a file reads each byte of it. */
async function passesOf(
  text: Buffer,
  use: (file: string, directory: string) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, text);
    const { size } = await stat(file);
    const handle = await open(file);
    const reading = vi.spyOn(Object.getPrototypeOf(handle), 'read');
    await handle.close();
    try {
      await use(file, directory);
      const results = await Promise.all(reading.mock.results.map(({ value }) => value));
      count = results.reduce((sum, { bytesRead }) => sum + bytesRead, 0) / size;
    } finally {
      reading.mockRestore();
    }
  });
  return count;
}

/** The same for an import. */
const passes = (text: Buffer, options: Partial<ImportOptions> = {}) =>
  passesOf(text, (file, directory) =>
    importFile(recordingClient(), { file, jobDirectory: join(directory, 'job'), dryRun: true, ...options }),
  );

/** The beginning of 64 KiB is read three more times, to find encoding, delimiter and digests of another column. */
const beginnings = 0.5;

test('a UTF-8 file is read twice', async () => {
  expect(await passes(Buffer.from(content))).toBeLessThan(2 + beginnings);
});

test('so is the file of an import into a database that does not exist yet', async () => {
  const found = await passesOf(Buffer.from(content), async (file, directory) => {
    const target = ['--local', join(directory, 'new.db'), '--job', join(directory, 'job'), '--yes'];
    const { exitCode } = await runCommand(['import-hashes', file, ...target], {
      configDirectory: directory,
      env: {},
    });
    expect(exitCode).toBe(0);
  });
  expect(found).toBeLessThan(2 + beginnings);
});

test('with canaries a file is read three times, even if the last row is one', async () => {
  const list = [{ line: 1, userName: 'user1199', password: 'secret' }];
  const found = await passes(Buffer.from(content), { canaries: { name: 'known', list } });
  expect(found).toBeGreaterThan(2.9);
  expect(found).toBeLessThan(3 + beginnings);
});

test('with a canary in the first row a file is read little more than twice', async () => {
  const list = [{ line: 1, userName: 'user0', password: 'secret' }];
  const found = await passes(Buffer.from(content), { canaries: { name: 'known', list } });
  expect(found).toBeLessThan(2 + 2 * beginnings);
});

test('a file whose recipe disables people is read once more for all readings that check its rows', async () => {
  const recipe = await recipeOf(`
fields: { user_name: { column: user_name }, head_img: { column: head_img } }
password: { column: hash, algorithm: { column: algorithm } }
disable: { where: { column: user_name, in: [user7] } }
`);
  expect(await passes(Buffer.from(content), { recipe })).toBeLessThan(3 + beginnings);
  const list = [{ line: 1, userName: 'user1199', password: 'secret' }];
  const found = await passes(Buffer.from(content), { recipe, canaries: { name: 'known', list } });
  expect(found).toBeGreaterThan(3.9);
  expect(found).toBeLessThan(4 + beginnings);
});
