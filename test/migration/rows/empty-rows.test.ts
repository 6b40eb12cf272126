import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { recipeOf } from '../recipes/recipe-of.ts';
import { runImport } from '../run-import.ts';

const { md5 } = goodHashes;

test('a row in which only a flag, an algorithm or a key is filled makes no user', async () => {
  const header = 'user_name,pwd_must_modify,algorithm,hash,key';
  const rows = [',false,,,', ',,md5,,', ',false,md5,,a2V5', `ann,false,md5,${md5},`, 'bob,,,,'];
  const content = [header, ...rows].join('\n');
  const { sent, failures } = await runImport(content, { allowPasswordless: true, concurrency: 1 });
  expect(sent.map((user) => user.user_name)).toEqual(['ann', 'bob']);
  expect(failures.map(({ row, code, message }) => [row, code, message])).toEqual(
    ['1', '2', '3'].map((row) => [
      row,
      'ROW_EMPTY',
      'the row has nothing about a person in the columns that are read',
    ]),
  );
});

test('a record of which a recipe has only constants, defaults and unread columns makes no user', async () => {
  const recipe = await recipeOf(`
fields:
  user_name: { column: login }
  attr_gender: { column: sex, values: { M: male, "": unknow } }
  industry: { value: retail }
  attr_nick_name: { column: nick, default: friend }
  pwd_must_modify: { value: false }
password: { column: hash, algorithm: { value: md5 } }
`);
  const rows = [',,,note,', `ann,M,,,${md5}`, ',M,,,', ',,nick,,', ',X,,,', ',,,,'];
  const content = ['login,sex,nick,note,hash', ...rows].join('\n');
  const options = { recipe, allowPasswordless: true, concurrency: 1 };
  const { sent, failures } = await runImport(content, options);
  expect(sent.map(({ user_name }) => user_name)).toEqual(['ann']);
  expect(failures.map(({ row, code }) => [row, code])).toEqual([
    ['1', 'ROW_EMPTY'],
    // A gender or a nickname makes a user, who would need a hash for this algorithm.
    ['3', 'HASH_MISSING'],
    ['4', 'HASH_MISSING'],
    ['5', 'VALUE_UNKNOWN'],
    ['6', 'ROW_EMPTY'],
  ]);
});
