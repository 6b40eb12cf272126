import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assessFile } from '../../src/migration/assess/assess-file.ts';
import { openInput } from '../../src/migration/input/open-input.ts';
import { temporaryDirectory } from '../world.ts';
import { goodHashes } from './hashes.ts';
import { recipeOf } from './recipes/recipe-of.ts';

const { bcrypt, md5 } = goodHashes;
const ofMail = createHash('md5').update('ann@b.cn').digest('hex');
const otherwise = 'If no column holds the hashes of passwords, add them, map them';
const missing = 'columns "algorithm" and "hash" are missing';

async function fileOf(column: string, value: string): Promise<string> {
  const file = join(await temporaryDirectory(), 'users.csv');
  await writeFile(file, `user_name,email,${column}\nann,ann@b.cn,${value}\n`);
  return file;
}

test.each([
  [
    'crypted_secret',
    md5,
    'hash may be crypted_secret: if one holds the hashes of passwords, add --map hash=crypted_secret',
  ],
  // Its name says that it is the one from before.
  [
    'kennwort_alt',
    bcrypt,
    'hash may be kennwort_alt: if one holds the hashes of passwords, add --map hash=kennwort_alt',
  ],
  [
    'gravatar',
    ofMail,
    'gravatar holds the MD5 of email, with which others could log in, and is not used: if it is the old password, add --map hash=gravatar',
  ],
])('of a file without a column of hashes it is said that %s may be one', async (column, value, said) => {
  const file = await fileOf(column, value);
  await expect(openInput(file, { ignoreUnknown: true })).rejects.toThrow(`${missing}. ${said}. ${otherwise}`);
  const recipe = await recipeOf('fields: { user_name: { column: user_name } }');
  await expect(openInput(file, { recipe })).rejects.toThrow(
    `${missing}. ${said} (name it in the recipe under password: instead). ${otherwise}`,
  );
});

test('of a file whose column of hashes has a usual name, that column is named', async () => {
  const file = await fileOf('login_kennwort', bcrypt);
  await expect(openInput(file, { ignoreUnknown: true })).rejects.toThrow(
    `${missing}. login_kennwort holds hashes: add --map hash=login_kennwort. ${otherwise}`,
  );
  const recipe = await recipeOf('fields: { user_name: { column: user_name } }');
  await expect(openInput(file, { recipe })).rejects.toThrow(
    'it reads no hashes from this file, which has the column "login_kennwort"',
  );
});

test('of a file without anything like hashes only the ways to import it are named', async () => {
  const file = await fileOf('note', 'new');
  await expect(openInput(file, { ignoreUnknown: true })).rejects.toThrow(`${missing}; add them, map them`);
});

test('a column that is called hash and holds only digests of another one is read only if it is mapped', async () => {
  const said =
    'hash holds the MD5 of email, with which others could log in, and is not used: if it is the old password, add --map hash=hash';
  const map = [{ field: 'hash', column: 'hash' }];
  const file = await fileOf('hash', ofMail);
  for (const allowPasswordless of [false, true]) {
    const options = { algorithm: 'infer', allowPasswordless } as const;
    await expect(openInput(file, { ...options, ignoreUnknown: true })).rejects.toThrow(said);
    await expect(assessFile({ file, ...options })).rejects.toThrow(said);
  }
  const { source } = await openInput(file, { algorithm: 'infer', map });
  await source.close();
  const { passwords } = await assessFile({ file, map });
  expect(passwords).toMatchObject([{ use: 'as-is', users: 1 }]);
  const other = await openInput(await fileOf('hash', md5), { algorithm: 'infer' });
  await other.source.close();
});
