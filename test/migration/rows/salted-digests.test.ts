import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { assessFile } from '../../../src/migration/assess/assess-file.ts';
import { noticesOf } from '../../../src/migration/report/texts/notices.ts';
import { goodHashes } from '../hashes.ts';
import { recipeOf } from '../recipes/recipe-of.ts';
import { inDirectory, runImport } from '../run-import.ts';

const { md5, bcrypt } = goodHashes;
const rows = [
  ['ann', 'md5', md5, 'x7a9'],
  ['bob', 'md5', md5, ''],
  ['cyd', 'md5', md5, 'NULL'],
  ['dan', 'bcrypt', bcrypt, 'x7a9'],
];
const fileOf = (salt: string) => stringify([['user_name', 'algorithm', 'hash', salt], ...rows]);
const options = { ignoreUnknown: true, concurrency: 1 };

test.each([
  ...['salt', 'passwordSalt', 'user.password_salt', 'pwdsalt', 'ec_salt', 'saltkey', '盐值', '加密鹽'],
  ...['Salz', 'salz_wert', 'PasswortSalz', 'sel', 'grain_de_sel', 'sal', 'zout', 'соль', 'ソルト', '솔트'],
])('a digest beside a value in the column %s is not a hash of the API', async (column) => {
  const { sent, failures } = await runImport(fileOf(column), options);
  expect(sent.map((user) => user.user_name)).toEqual(['bob', 'cyd', 'dan']);
  expect(failures).toMatchObject([
    {
      user_name: 'ann',
      code: 'HASH_FOREIGN',
      message: expect.stringContaining(`(digest with a salt in the column ${column})`),
      hint: expect.stringContaining('--foreign-hashes passwordless'),
    },
  ]);
});

test('a user with a salted digest is created without a password on request', async () => {
  const { sent } = await runImport(fileOf('salt'), { ...options, foreignHashes: 'passwordless' });
  expect(sent[0]).toEqual({ user_name: 'ann' });
  expect(sent).toHaveLength(4);
});

test.each(['assault', 'saltire', 'basalt_id', 'salary', 'sal_date', 'sel_id', 'Salzburg', 'консоль'])(
  'the column %s is not a column of salts',
  async (column) => {
    expect((await runImport(fileOf(column), options)).sent).toHaveLength(4);
  },
);

test('a recipe that does not use the column, and an assessment, have the same result', async () => {
  const content = stringify([
    ['用户名', '密码', '盐'],
    ...rows.map(([name, , hash, salt]) => [name, hash, salt]),
  ]);
  const { sent, failures } = await runImport(content, { concurrency: 1 });
  expect(sent.map((user) => user.user_name)).toEqual(['bob', 'cyd', 'dan']);
  expect(failures).toMatchObject([{ user_name: 'ann', code: 'HASH_FOREIGN' }]);
  await inDirectory(async (directory) => {
    for (const [name, text] of Object.entries({ recipe: content, plain: fileOf('salt') })) {
      const file = join(directory, name);
      await writeFile(file, text);
      const { passwords, ready } = await assessFile({ file });
      expect(ready).toBe(3);
      expect(passwords).toContainEqual(
        expect.objectContaining({
          use: 'no',
          users: 1,
          format: expect.stringMatching(/^digest with a salt in the column (salt|盐)$/),
        }),
      );
    }
  });
});

test('a column sal of salaries holds no salts if the recipe ignores it, unlike a column salt', async () => {
  const recipeFor = (column: string) =>
    recipeOf(`
fields: { user_name: { column: user_name } }
password: { column: hash, algorithm: { column: algorithm } }
ignore: [${column}]
`);
  const [sal, salt] = [await recipeFor('sal'), await recipeFor('salt')];
  expect((await runImport(fileOf('sal'), { recipe: sal, concurrency: 1 })).sent).toHaveLength(4);
  expect((await runImport(fileOf('salt'), { recipe: salt, concurrency: 1 })).sent).toHaveLength(3);
});

test.each(['d41d8cd98f00b204e9800998ecf8427e', '{MD5}1B2M2Y8AsgTpgAmY7PhCfg=='])(
  'the hash of an empty password (%s) does not count as a password',
  async (hash) => {
    const content = `user_name,hash\nann,${hash}\n`;
    for (const algorithm of ['md5', 'infer'] as const) {
      const { failures } = await runImport(content, { algorithm });
      expect(failures).toMatchObject([
        {
          code: 'HASH_FOREIGN',
          message: expect.stringContaining('(hash of an empty password)'),
          hint: expect.stringContaining('--allow-passwordless'),
        },
      ]);
    }
  },
);

const texts = ['q0Xy0z', '7f20ae', 'b01c5d', '90ab3e', 'kQzWxv'];
const besideTexts = (hash: string) =>
  stringify([['user_name', 'hash', 'rand'], ...texts.map((text, at) => [`u${at}`, hash, text])]);

test('short random texts beside digests are said to be perhaps salts, whatever their name is', async () => {
  const { summary } = await runImport(besideTexts(md5), { ...options, algorithm: 'infer' });
  expect(summary).toMatchObject({ created: 5, salt_columns: ['rand'] });
  expect(noticesOf(summary)).toContainEqual({
    text: expect.stringContaining('rand may hold salts'),
    isWarning: true,
  });
  const recipe = (ignore: string) =>
    recipeOf(`
fields: { user_name: { column: user_name } }
password: { column: hash, algorithm: { infer: true } }
${ignore}`);
  const read = await runImport(besideTexts(md5), { recipe: await recipe(''), concurrency: 1 });
  expect(read.summary.salt_columns).toEqual(['rand']);
  const ignored = { recipe: await recipe('ignore: [rand]'), concurrency: 1 };
  expect((await runImport(besideTexts(md5), ignored)).summary).not.toHaveProperty('salt_columns');
  const others = await runImport(besideTexts(bcrypt), { ...options, algorithm: 'infer' });
  expect(others.summary).not.toHaveProperty('salt_columns');
});

test('an assessment says which column may hold salts', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'legacy.csv');
    for (const column of ['rand', 'key']) {
      await writeFile(file, besideTexts(md5).replace('rand', column));
      expect((await assessFile({ file })).notices).toContainEqual(
        expect.stringContaining(`${column} may hold salts`),
      );
    }
  });
});
