import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { making } from './making.ts';

const { bcrypt, md5, md5_sha256: nested } = goodHashes;

type Case = [names: string[], rows: string[][], password: object | undefined, open?: string];

test.each<Case>([
  [['pwd'], [[md5], [`{bcrypt}${bcrypt}`]], { column: 'pwd', algorithm: { infer: true } }],
  [
    ['pwd', 'enc'],
    [
      [`bcrypt$${bcrypt}`, 'BLOWFISH'],
      [nested, 'sha256(md5)'],
      [nested, 'house'],
    ],
    {
      column: 'pwd',
      strip: ['bcrypt$'],
      algorithm: { column: 'enc', values: { BLOWFISH: 'bcrypt', 'sha256(md5)': 'md5_sha256' } },
    },
    'enc has house',
  ],
  // NTLM has the form of MD5.
  [
    ['pwd', 'enc'],
    [
      [md5, 'NTLM'],
      [md5, 'MD5'],
    ],
    { column: 'pwd', algorithm: { column: 'enc', values: { MD5: 'md5' } } },
    'enc has NTLM',
  ],
  [['pwd', 'enc'], [[md5, 'MD5']], { column: 'pwd', algorithm: { infer: true } }],
  [
    ['whatever'],
    [[nested], [nested]],
    { column: 'whatever', algorithm: { infer: true } },
    'several algorithms',
  ],
  [
    ['pwd'],
    [[md5], ['$P$BDrRBXpHlq9PFbLdPvCYyCgGM9Fvs0/']],
    { column: 'pwd', algorithm: { infer: true } },
    'the password of 1 user cannot be kept',
  ],
  // SQL Server and MySQL write 0x before bytes in hex, PostgreSQL \x.
  ...['0x', '\\x'].map(
    (prefix): Case => [
      ['pwd'],
      [[`${prefix}${md5.toUpperCase()}`], [`${prefix}${md5}`]],
      { column: 'pwd', strip: [prefix], algorithm: { infer: true } },
    ],
  ),
  [
    ['whatever'],
    [[`0x${nested}`], [`0x${md5}`]],
    { column: 'whatever', strip: ['0x'], algorithm: { infer: true } },
    'several algorithms',
  ],
  // A column that contains plain passwords is never used as a column of hashes.
  [['password'], [['secret 1'], ['secret 2']], undefined, 'password holds no known hashes and is not used'],
])('the recipe for hashes in %j', async (names, rows, password, open?: string) => {
  const lines = rows.map((cells, index) => ['u', index, ',', cells.join(',')].join(''));
  const made = await making(`user_name,${names.join(',')}\n${lines.join('\n')}\n`);
  expect(made.recipe.password).toEqual(password);
  expect(made.open).toEqual(open === undefined ? [] : [expect.stringContaining(open)]);
  for (const hash of [nested, bcrypt, md5, 'secret 1', '$P$B']) expect(made.text).not.toContain(hash);
});
