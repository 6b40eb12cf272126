import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { assessFile } from '../../../src/migration/assess/assess-file.ts';
import { temporaryDirectory } from '../../world.ts';
import { goodHashes } from '../hashes.ts';
import { recipeOf } from '../recipes/recipe-of.ts';

test('unknown values are counted for their columns, even if a name and a value share words', async () => {
  const file = join(await temporaryDirectory(), 'a.csv');
  await writeFile(file, 'login,sex,sex old\nann,old x,x\nbob,m,x\n');
  const recipe = await recipeOf(
    'fields: { user_name: { column: login }, attr_gender: { column: sex, values: { m: male } }, industry: { column: sex old, values: { m: a } } }\ndisable: { where: { column: login, match: "^z" } }',
  );
  const { unknown_values: unknown } = await assessFile({ file, recipe });
  expect(unknown).toEqual([
    { column: 'sex old', value: 'x', rows: 2 },
    { column: 'sex', value: 'old x', rows: 1 },
  ]);
});

test('names that look like values are names in a header that has others, and in JSON', async () => {
  const directory = await temporaryDirectory();
  const hash = createHash('md5').update('secret').digest('hex');
  const annotated = { user_name: 'ann', mail: 'ann@example.com', 'memberOf@odata.context': 'x', hash };
  const [mail, number] = ['ann@example.com', '13800138000'];
  for (const [content, found] of [
    [JSON.stringify([annotated]), ['user_name', 'mail', 'hash']],
    [`user_name,hash,${number}\nann,${hash},1\n`, ['user_name', 'hash']],
    [`${mail},${number}\n${mail},${number}\n`, undefined],
    [`user_name,${hash}\nann,${hash}\n`, undefined],
  ] as const) {
    const file = join(directory, 'users');
    await writeFile(file, content);
    const assessed = assessFile({ file });
    if (found) {
      const { columns } = await assessed;
      expect(columns.flatMap(({ name, field }) => (field === null ? [] : [name]))).toEqual(found);
    } else await expect(assessed).rejects.toThrow('the first line looks like a row');
  }
});

test.each([
  ['without a recipe', undefined, ['group']],
  ['with one that does not read it', 'fields: { user_name: { column: login } }', ['group']],
  ['with one that reads it', 'fields: { user_name: { column: login }, industry: { column: group } }', []],
  ['with one that leaves it out', 'fields: { user_name: { column: login } }\nignore: [group]', []],
])(
  'a column that is not read and has the values of a status is named, whatever its name is: %s',
  async (_, text, found) => {
    const file = join(await temporaryDirectory(), 'a.csv');
    const rows = ['ann,Active,Sales,8', 'bob,Suspended,Law,9', 'cyd, Archived ,Ops,'];
    await writeFile(file, `login,group,team,x/1\n${rows.join('\n')}\n`);
    const given = text === undefined ? {} : { recipe: await recipeOf(text) };
    const { status_columns: statuses } = await assessFile({ file, ...given });
    expect(statuses).toEqual(found);
  },
);

test('IDs that a tenant gave are no user names', async () => {
  const file = join(await temporaryDirectory(), 'a.csv');
  await writeFile(file, 'user_id,email\n20201028102749564-9082-DC8CD2722,ann@example.org\n');
  const { columns } = await assessFile({ file });
  expect(columns.flatMap(({ field }) => field ?? [])).toEqual(['email']);
});

test('digests of another column are not counted as passwords, nor hashes in a column whose name does not say so', async () => {
  const file = join(await temporaryDirectory(), 'a.csv');
  const md5Of = (text: string) => createHash('md5').update(text).digest('hex');
  for (const [header, salt, use, remedy] of [
    ['login,pwd', '', 'none', 'Before anybody loses a password: pwd holds the MD5 of login'],
    [
      'login,legacy_ref',
      'x',
      'none',
      'Before anybody loses a password: hash may be legacy_ref: if one holds the hashes of passwords, add --map',
    ],
    ['login,pwd', 'x', 'as-is', 'Import it as it is'],
  ] as const) {
    await writeFile(file, `${header}\nann,${md5Of(`${salt}ann`)}\nbob,${md5Of(`${salt}bob`)}\n`);
    const { passwords, notices } = await assessFile({ file });
    expect(passwords).toMatchObject([{ use, users: 2, remedy: expect.stringContaining(remedy) }]);
    const reasons = passwords.flatMap(({ remedy }) => remedy.split('a password: ')[1] ?? []);
    expect(notices).toEqual(expect.arrayContaining(reasons));
  }
});

test.each([
  ['MD5', `0x${goodHashes.md5}`, 'strip', "strip: ['0x']"],
  ['MD5 of PostgreSQL', `\\x${goodHashes.md5.toUpperCase()}`, 'strip', "strip: ['\\x']"],
  ['32 bytes', `0x${goodHashes.md5_sha256}`, 'depends', 'name the algorithm'],
  ['SHA-1', `0x${'a9'.repeat(20)}`, 'no', 'a new password'],
  ['SQL Server', `0x0100${'0'.repeat(48)}`, 'no', 'a new password'],
])('of %s, as a database writes bytes, the use is that of the digest', async (_, hash, use, remedy) => {
  const file = join(await temporaryDirectory(), 'a.csv');
  await writeFile(file, `login,password_hash\nann,${hash}\n`);
  const { passwords } = await assessFile({ file });
  expect(passwords).toMatchObject([{ use, users: 1, remedy: expect.stringContaining(remedy) }]);
});

test('passwords that others can compute are named, however few there are', async () => {
  const file = join(await temporaryDirectory(), 'a.csv');
  const rows = ['ann', 'bob', 'cyd'].map((name, at) => {
    const text = at === 0 ? name : `x${name}`;
    return `${name},${createHash('md5').update(text).digest('hex')}`;
  });
  await writeFile(file, `login,pwd\n${rows.join('\n')}\n`);
  const { passwords, notices } = await assessFile({ file });
  expect(passwords).toMatchObject([{ use: 'as-is', users: 3 }]);
  expect(notices).toContainEqual(
    expect.stringMatching(/^pwd holds the MD5 of login in 1 of the first 3 values: /),
  );
});

test('the list of the users whom a job created is no file of users', async () => {
  const file = join(await temporaryDirectory(), 'users.csv');
  await writeFile(file, 'row,user_name,user_id,result,found_by_look_up\n1,ann,u1,created,\n');
  await expect(assessFile({ file })).rejects.toThrow('this is the users.csv of a job, not a file of users');
});

test('an encoding that was named, and is probably another one, is noticed', async () => {
  const file = join(await temporaryDirectory(), 'users.csv');
  const names = ['Łukasz Wiśniewski', 'Anna Kamińska', 'Paweł Wójcik', 'Michał Dąbrowski'];
  const rows = names.map((name, at) => `u${at},${name},${goodHashes.md5}\n`);
  await writeFile(file, iconv.encode(`user_name,name,hash\n${rows.join('')}`, 'windows-1250'));
  const noticesAs = async (encoding: 'windows-1250' | 'windows-1252') =>
    (await assessFile({ file, encoding })).notices.filter((text) => text.includes('another encoding'));
  expect(await noticesAs('windows-1252')).toEqual([expect.stringContaining('£ukasz for Łukasz')]);
  expect(await noticesAs('windows-1250')).toEqual([]);
});
