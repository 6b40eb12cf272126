import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { recipeOf } from './recipe-of.ts';

const { bcrypt, md5 } = goodHashes;

/** A recipe that lists one algorithm. */
const listing = `
fields: { user_name: { column: login } }
password: { column: hash, algorithm: { column: enc, values: { BLOWFISH: bcrypt } } }
`;

test('a word that the table of algorithms lacks is rejected, even if it is the name of an algorithm of the API', async () => {
  const recipe = await recipeOf(listing);
  const rows = [`ann,BLOWFISH,${bcrypt}`, `bob,MD5,${md5}`, `cyd,bcrypt,${bcrypt}`, `dan,NTLM,${md5}`];
  const content = ['login,enc,hash', ...rows].join('\n');
  for (const foreignHashes of ['reject', 'passwordless'] as const) {
    const { sent, failures, summary } = await runImport(content, { recipe, foreignHashes });
    const created = foreignHashes === 'reject' ? ['ann'] : ['ann', 'dan'];
    expect(sent.map((user) => user.user_name)).toEqual(created);
    expect(failures.slice(0, 2).map(({ code, message }) => [code, message])).toEqual([
      ['ALGORITHM_UNKNOWN', expect.stringContaining('(MD5)')],
      ['ALGORITHM_UNKNOWN', expect.stringContaining('(bcrypt)')],
    ]);
    expect(summary.unknown_algorithms).toMatchObject({ md5: 1, bcrypt: 1 });
  }
});

test('a user whose hash is foreign needs no algorithm that the recipe lists', async () => {
  const recipe = await recipeOf(listing);
  const content = 'login,enc,hash\nann,MD5,"$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA"\n';
  const { sent } = await runImport(content, { recipe, foreignHashes: 'passwordless' });
  expect(sent).toEqual([{ user_name: 'ann' }]);
  const { failures } = await runImport(content, { recipe });
  expect(failures[0]?.message).toMatch(/enc: the algorithm .*Argon2/);
});

test('the algorithm of each row is inferred from the form of its hash, and never guessed', async () => {
  const rows = [
    bcrypt,
    md5,
    `{bcrypt}${bcrypt}`,
    `bcrypt$${bcrypt}`,
    `{CRYPT}${bcrypt}`,
    `md5$$${md5}`,
    goodHashes.md5_sha256,
    'secret',
    '',
  ];
  const content = `user_name,hash\n${rows.map((hash, index) => `u${index},${hash}`).join('\n')}\n`;
  const run = await runImport(content, { algorithm: 'infer' });
  expect(run.sent.map((user) => user['hash-pwd'])).toEqual([
    { algorithm: 'bcrypt', value: bcrypt },
    { algorithm: 'md5', value: md5 },
    ...[2, 3, 4].map(() => ({ algorithm: 'bcrypt', value: bcrypt })),
    { algorithm: 'md5', value: md5 },
  ]);
  expect(run.failures.map(({ row, code, message }) => [row, code, message])).toEqual([
    [
      '7',
      'ALGORITHM_MISSING',
      expect.stringContaining('it can be SHA-256 over MD5, hex or HMAC-SHA256, hex'),
    ],
    ['8', 'HASH_SHAPE', expect.any(String)],
    ['9', 'PASSWORD_MISSING', expect.any(String)],
  ]);
});
