import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { wrappedBcrypt } from '../../../src/migration/hashes/foreign-schemes.ts';
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
  // What the bcrypt was made of, only a word can say.
  [
    ['pwd', 'enc'],
    [
      [bcrypt, 'CRYPT_BLOWFISH'],
      [bcrypt, 'md5+bcrypt'],
    ],
    { column: 'pwd', algorithm: { column: 'enc', values: { CRYPT_BLOWFISH: 'bcrypt' } } },
    'enc has md5+bcrypt (1 row): say under values: what it means',
  ],
  [
    ['pwd', 'enc'],
    [[bcrypt, 'bcrypt_sha256']],
    { column: 'pwd', algorithm: { column: 'enc', values: {} } },
    'enc has bcrypt_sha256',
  ],
  // Where a hash shows its scheme, so does its word.
  [
    ['pwd', 'enc'],
    [
      [bcrypt, 'bcrypt'],
      ['$P$BDrRBXpHlq9PFbLdPvCYyCgGM9Fvs0/', 'phpass'],
    ],
    { column: 'pwd', algorithm: { infer: true } },
    'the password of 1 user cannot be kept',
  ],
  [['pwd', 'enc'], [[md5, 'MD5']], { column: 'pwd', algorithm: { infer: true } }],
  [
    ['pass_hash'],
    [[nested], [nested]],
    { column: 'pass_hash', algorithm: { infer: true } },
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
    ['pass_hash'],
    [[`0x${nested}`], [`0x${md5}`]],
    { column: 'pass_hash', strip: ['0x'], algorithm: { infer: true } },
    'several algorithms',
  ],
  // XenForo, beside a hash that cannot be kept.
  [
    ['pwd'],
    [[`"a:1:{s:4:""hash"";s:60:""${bcrypt}"";}"`], ['$P$BDrRBXpHlq9PFbLdPvCYyCgGM9Fvs0/']],
    { column: 'pwd', replace: [wrappedBcrypt.replace], algorithm: { infer: true } },
    'the password of 1 user cannot be kept',
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

test.each([
  ['md5', 'the MD5'],
  ['sha1', 'the SHA-1'],
  ['sha256', 'the SHA-256'],
])(
  'the %s of the e-mail address is no password, whatever the name of its column is',
  async (algorithm, words) => {
    const digestOf = (text: string) => createHash(algorithm).update(text).digest('hex');
    // A database may have written it as bytes.
    for (const [name, before] of [
      ['email_md5', ''],
      ['pwd', ''],
      ['pwd', '0x'],
      ['digest', '\\x'],
    ] as const) {
      const lines = [0, 1, 2].map(
        (index) => `u${index}, U${index}@b.cn,${before}${digestOf(`u${index}@b.cn`)}`,
      );
      const content = `user_name,email,${name}\n${lines.join('\n')}\n`;
      const made = await making(content);
      expect(made.recipe.password).toBeUndefined();
      const [said, other] = name === 'email_md5' ? [made.notes, made.open] : [made.open, made.notes];
      expect(other).toEqual([]);
      expect(said).toEqual([
        expect.stringContaining(`${name} holds ${words} of email, with which others could log in`),
      ]);
      const { password } = (await making(content, {}, [{ field: 'hash', column: name }])).recipe;
      expect(password).toMatchObject({ column: name });
    }
  },
);

test.each([
  [11, true],
  [9, false],
])(
  'a column of passwords of which %i of 20 are the MD5 of the login is asked about: %s',
  async (some, isAsked) => {
    const md5Of = (text: string) => createHash('md5').update(text).digest('hex');
    const lines = Array.from({ length: 20 }, (_, at) => `u${at},${md5Of(at < some ? `u${at}` : `x${at}`)}`);
    const content = `user_name,password\n${lines.join('\n')}\n`;
    const made = await making(content);
    expect(made.recipe.password?.column).toBe(isAsked ? undefined : 'password');
    expect(made.open).toEqual(
      isAsked ? [expect.stringContaining('password holds the MD5 of user_name')] : [],
    );
    const said = `password holds the MD5 of user_name in ${some} of the first 20 values: others could log in as these people until they change the password`;
    expect(made.notes).toEqual(isAsked ? [] : [said]);
    const mapped = await making(content, {}, [{ field: 'hash', column: 'password' }]);
    expect([mapped.open, mapped.notes]).toEqual([[], [said]]);
  },
);

test('which column names the algorithm and how the hashes were made are two questions', async () => {
  const rows = [0, 1, 2].map((at) => `u${at},${nested},hmac-sha256/key-${at}23456/rounds=1000,x`);
  const made = await making(`login,password,algo,enc\n${rows.join('\n')}\n`, {
    algorithm: ['algo'],
    made: ['md5_sha256'],
  });
  expect(made.recipe.password).toEqual({ column: 'password', algorithm: { value: 'md5_sha256' } });
  // Its texts are no words that a recipe could read.
  expect(made.columns.find(({ name }) => name === 'algo')).toMatchObject({ field: null });
  expect(made.open).toEqual([]);
});

test('a column of algorithms is not asked about where the hashes show them', async () => {
  const people = [bcrypt, md5].map((value, at) => ({
    login: `u${at}`,
    custom: { algorithm: at === 0 ? 'bcrypt' : 'md5', hash: { value } },
  }));
  const asked = await making(JSON.stringify(people));
  expect(asked.open).toEqual([expect.stringContaining('hash may be custom.hash.value')]);
  const made = await making(JSON.stringify(people), {}, [{ field: 'hash', column: 'custom.hash.value' }]);
  expect(made.recipe.fields.user_name).toEqual({ column: 'login' });
  expect([made.open, made.recipe.password?.algorithm]).toEqual([[], { infer: true }]);
});
