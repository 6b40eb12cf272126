import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { recipeOf } from '../recipes/recipe-of.ts';
import { runImport } from '../run-import.ts';

test.each([
  ...['a9'.repeat(20), 'a9'.repeat(64), 'a9'.repeat(28)],
  `{MD5}{${'A'.repeat(43)}=}${goodHashes.md5}`,
  `{${'A'.repeat(43)}=}${goodHashes.md5}`,
  `${'ab'.repeat(16)}:${'cd'.repeat(64)}`,
  `${'ab'.repeat(8)}.${'cd'.repeat(32)}`,
  `${'cd'.repeat(64)}.${'ab'.repeat(16)}`,
  'a:3:{s:4:"hash";s:40:"x";s:4:"salt";s:3:"abc";s:8:"hashFunc";s:4:"sha1";}',
  '$hmac-sha256$YWJj$YWJj',
  '$firescrypt$ln=14,r=8,p=1$YWJj$YWJj$YWJj$YWJj',
  '$bcrypt-sha512$v=2,t=2b,r=12$abc$def',
  '$md5-crypt$salt$abc',
  '$sha256$pf=YWJj$YWJj$YWJj',
  `16384$8$1$${'ab'.repeat(16)}$${'cd'.repeat(32)}`,
  `-pbkdf2-${'ab'.repeat(20)},${'cd'.repeat(16)},10`,
  'ab'.repeat(50),
  `0x${'a9'.repeat(20)}`,
  `0x${'A9'.repeat(64)}`,
])(
  'somebody with the hash %s, which the API does not accept, is created without a password on request',
  async (hash) => {
    const file = stringify([
      ['user_name', 'hash'],
      ['ann', hash],
    ]);
    const { failures, written } = await runImport(file, { algorithm: 'infer' });
    expect(failures).toMatchObject([{ code: 'HASH_FOREIGN' }]);
    expect(written).not.toContain(hash);
    const { sent } = await runImport(file, { algorithm: 'infer', foreignHashes: 'passwordless' });
    expect(sent).toEqual([{ user_name: 'ann' }]);
  },
);

test('the message for a bcrypt hash in a PHP array says how a recipe takes it out, and that recipe does', async () => {
  const hash = `a:1:{s:4:"hash";s:60:"${goodHashes.bcrypt}";}`;
  const file = stringify([
    ['user_name', 'hash'],
    ['ann', hash],
  ]);
  const { failures } = await runImport(file, { algorithm: 'infer' });
  const [step = ''] = /replace: \[.*\]/.exec(failures[0]?.hint ?? '') ?? [];
  const recipe = await recipeOf(
    `fields: { user_name: { column: user_name } }\npassword: { column: hash, ${step}, algorithm: { infer: true } }`,
  );
  const { sent } = await runImport(file, { recipe });
  expect(sent[0]?.['hash-pwd']).toEqual({ algorithm: 'bcrypt', value: goodHashes.bcrypt });
});

test.each(['0x', '\\x'])(
  'the message for a hash that a database wrote as bytes, after %s, says what to do',
  async (prefix) => {
    const { md5, bcrypt } = goodHashes;
    const content = stringify([
      ['user_name', 'hash'],
      ['ann', `${prefix}${md5}`],
      ['bob', `${prefix}${Buffer.from(bcrypt).toString('hex')}`],
    ]);
    const { failures } = await runImport(content, { algorithm: 'infer', foreignHashes: 'passwordless' });
    const hint = expect.stringContaining(`remove the ${prefix}, with strip: ['${prefix}'] under password:`);
    expect(failures).toMatchObject([
      { code: 'HASH_SHAPE', hint },
      { code: 'HASH_SHAPE', hint },
    ]);
    const recipe = await recipeOf(
      `fields: { user_name: { column: user_name } }\npassword: { column: hash, strip: ['${prefix}'], algorithm: { infer: true } }`,
    );
    const { sent } = await runImport(content, { recipe });
    expect(sent.map((user) => user['hash-pwd'])).toEqual([{ algorithm: 'md5', value: md5 }]);
  },
);
