import { createHash, createHmac } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const fileOf = (algorithm: string, hash: string) =>
  stringify([
    ['user_name', 'algorithm', 'hash'],
    ['ann', algorithm, hash],
  ]);

test.each([
  ['MD5', goodHashes.md5],
  ['Bcrypt', goodHashes.bcrypt],
  ['', `{bcrypt}${goodHashes.bcrypt}`],
  ['', `{MD5}${goodHashes.md5}`],
])('the algorithm "%s" of %s is understood', async (algorithm, value) => {
  const { sent, failures } = await runImport(fileOf(algorithm, value));
  expect(failures).toEqual([]);
  const name = value === goodHashes.md5 || value.startsWith('{MD5}') ? 'md5' : 'bcrypt';
  expect(sent[0]?.['hash-pwd']).toEqual({ algorithm: name, value: value.replace(/^\{\w+\}/, '') });
});

test.each([
  ['md5', goodHashes.md5.slice(0, 20), '(20 of 32 characters)', 'wide enough'],
  ['md5_sha256', goodHashes.md5_sha256.slice(0, 50), '(50 of 64 characters)', 'wide enough'],
  ['bcrypt', goodHashes.bcrypt.slice(0, 20), '(20 of 60 characters)', 'wide enough'],
  ['bcrypt', `{CRYPT}${goodHashes.bcrypt}`, '({CRYPT})', 'Remove the prefix if the old system made bcrypt'],
  ['bcrypt', `bcrypt$${goodHashes.bcrypt}`, '(bcrypt with a prefix)', 'Remove the prefix bcrypt$.'],
  [
    'bcrypt',
    '$P$BsaltsaltHashHashHashHashHashHa',
    '(phpass (WordPress, phpBB), salted)',
    'set a new password',
  ],
  ['', '$wp$2y$10$abc', '(bcrypt over a digest (Django, passlib, WordPress))', 'set a new password'],
  ['bcrypt', '!', '(no usable password (Django, LDAP, Unix))', 'The user had no password'],
  ['bcrypt', '$shiro1$SHA-256$500000$c2FsdA==$aGFzaA==', '(digest, salted (Apache Shiro))', 'set a new'],
  ['md5', 'md5'.concat('0'.repeat(32)), 'PostgreSQL', 'set a new password'],
  ['md5', '0'.repeat(40), '(it looks like SHA-1, hex)', 'Compare the cell'],
  ['', '{SASL}ann@example.com', '(password of another system behind {SASL})', 'set a new password'],
  ['', 'sha1$$'.concat('0'.repeat(40)), '(SHA-1 (Django, without a salt))', 'set a new password'],
  [
    '',
    '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=aa$c2FsdA==$aGFzaA==',
    '(scrypt (Firebase))',
    'set a new password',
  ],
  ['', '{noop}hunter2', '{noop}', 'keep the file secret'],
])(
  'the message for %s with %s says what the hash is, and what can be done',
  async (algorithm, value, said, hint) => {
    const { failures, written } = await runImport(fileOf(algorithm, value));
    expect(failures[0]?.message).toContain(said);
    expect(failures[0]?.hint).toContain(hint);
    if (value.length > 2) expect(written).not.toContain(value);
  },
);

const ofDes = 'abJnggxhB/yWI';

test.each([
  ...['{SSHA}!c2FsdHNhbHRzYWx0c2FsdHNhbHQ=', `{CRYPT}!${goodHashes.bcrypt}`, '{CRYPT}*', '{CRYPT}!!'],
  ...['!$6$salt$abc', '!!$6$salt$abc', `*${goodHashes.bcrypt}`, `!${ofDes}`, '*LK*', '*LK*$6$salt$abc'],
])('an account that was locked in its hash, %s, is never created without a password', async (hash) => {
  for (const algorithm of ['', 'bcrypt', 'infer'] as const) {
    const given = algorithm === 'infer' ? '' : algorithm;
    const { sent, failures } = await runImport(fileOf(given, hash), {
      ...(algorithm === 'infer' ? { algorithm } : {}),
      foreignHashes: 'passwordless',
      allowPasswordless: true,
    });
    expect([algorithm, sent]).toEqual([algorithm, []]);
    expect(failures).toMatchObject([{ code: 'HASH_LOCKED' }]);
  }
});

test.each(['!', '*', '!!', '*NP*', `!${'a'.repeat(40)}`, '*'.concat('0A'.repeat(20))])(
  'a mark of an account without a password, %s, does not mean that it was locked',
  async (hash) => {
    const { sent } = await runImport(fileOf('', hash), { foreignHashes: 'passwordless' });
    expect(sent).toEqual([{ user_name: 'ann' }]);
  },
);

test.each(['PASSWORD_BCRYPT', 'bcrypt-12', 'Blowfish', 'bcrypt 2y'])(
  'a bcrypt hash whose algorithm has the name %s is rejected even with --foreign-hashes passwordless',
  async (name) => {
    const { sent, failures } = await runImport(fileOf(name, goodHashes.bcrypt), {
      foreignHashes: 'passwordless',
    });
    expect(sent).toEqual([]);
    expect(failures).toMatchObject([{ code: 'ALGORITHM_UNKNOWN' }]);
  },
);

test.each([
  ['HMAC-SHA256', goodHashes.hmacsha256_base64_key],
  ['hmac_sha256_hex', goodHashes.md5_sha256],
  ['md5-sha256', goodHashes.md5_sha256],
  ['SHA256(MD5)', goodHashes.md5_sha256],
  ['MD5-HEX', goodHashes.md5],
  ['md-5', `{md5}${goodHashes.md5}`],
])('a digest of the API whose algorithm is spelt %s never loses its password', async (name, hash) => {
  const { sent, failures } = await runImport(fileOf(name, hash), { foreignHashes: 'passwordless' });
  expect(sent).toEqual([]);
  expect(failures).toMatchObject([{ code: 'ALGORITHM_UNKNOWN' }]);
  expect(failures[0]?.message).toContain(name);
});

test.each([
  ['bcrypt', goodHashes.bcrypt.toLowerCase(), 'upper or lower case'],
  ['bcrypt', `{bcrypt}${goodHashes.bcrypt.toUpperCase().replace('$2B', '$2b')}`, 'upper or lower case'],
  ['hmacsha256_base64_key', goodHashes.hmacsha256_base64_key.toUpperCase(), 'upper or lower case'],
  ['md5_sha256', goodHashes.hmacsha256_base64_key.replace('=', '').toUpperCase(), 'upper or lower case'],
  ['', goodHashes.bcrypt.toLowerCase(), 'upper or lower case'],
  ['bcrypt', goodHashes.bcrypt.replace(/y$/, 'z'), 'no program writes'],
  ['bcrypt', goodHashes.bcrypt.replace('Mye', 'Myf'), 'no program writes'],
])(
  'a hash of %s that was changed, so that no password can match it, is rejected',
  async (algorithm, hash, said) => {
    const options = { key: 'a key', ...(algorithm === '' ? { algorithm: 'infer' as const } : {}) };
    const { sent, failures, written } = await runImport(fileOf(algorithm, hash), options);
    expect(sent).toEqual([]);
    expect(failures).toMatchObject([{ code: 'HASH_SHAPE', message: expect.stringContaining(said) }]);
    const remedy = said === 'no program writes' ? 'compare it with its source' : 'from a column that keeps';
    expect(failures[0]?.hint).toContain(remedy);
    expect(written).not.toContain(hash);
  },
);

test.each([
  ['md5_sha256', 'base64'],
  ['md5_sha256', 'hex'],
  ['hmacsha256_base64_key', 'base64'],
  ['hmacsha256_base64_key', 'hex'],
] as const)('the %s of an empty password, in %s, is rejected as such', async (algorithm, form) => {
  const key = Buffer.alloc(32, 'k').toString('base64');
  const digestOf = (password: string) =>
    algorithm === 'md5_sha256'
      ? createHash('sha256').update(createHash('md5').update(password).digest('hex'))
      : createHmac('sha256', Buffer.from(key, 'base64')).update(password);
  const hash = digestOf('').digest(form);
  const content = stringify([
    ['user_name', 'algorithm', 'hash', 'key'],
    ['ann', algorithm, hash, key],
    ['bob', algorithm, digestOf('a password').digest(form), key],
  ]);
  const { sent, failures } = await runImport(content);
  expect(sent).toMatchObject([{ user_name: 'bob' }]);
  expect(failures).toMatchObject([{ user_name: 'ann', code: 'HASH_FOREIGN' }]);
  expect(failures[0]?.hint).toContain('The user had no password');
  const withDefault = await runImport(`user_name,hash\nann,${hash}\n`, { algorithm, key });
  expect(withDefault.sent).toEqual([]);
});

test('digests in hex, in letters of one case, are accepted', async () => {
  for (const hash of [goodHashes.md5, goodHashes.md5.toUpperCase()]) {
    expect((await runImport(fileOf('md5', hash))).sent).toHaveLength(1);
  }
});

test.each([
  ['HMAC-SHA1', 'aa'.repeat(20)],
  ['md5_salted', goodHashes.md5],
  ['bcrypt_sha256', goodHashes.bcrypt],
  ['bcrypt_peppered', goodHashes.bcrypt],
  ['PBKDF2', 'aGFzaA=='],
  ['MD5 salted', goodHashes.md5],
])('a user with %s is created without a password on request', async (name, hash) => {
  const { sent } = await runImport(fileOf(name, hash), { foreignHashes: 'passwordless' });
  expect(sent).toEqual([{ user_name: 'ann' }]);
});

test.each([
  '$P$BDrRBXpHlq9PFbLdPvCYyCgGM9Fvs0/',
  '{SSHA}c2FsdHNhbHRzYWx0c2FsdHNhbHQ=',
  'pbkdf2_sha256$260000$salt$aGFzaGhhc2hoYXNo',
  'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3',
  'ee26b0dd4af7e749'.repeat(8),
  '{noop}hunter2',
  '$2x$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
])('the hash %s in the column of user names or external IDs is not written to the records', async (hash) => {
  const content = stringify([
    ['user_name', 'external_id', 'algorithm', 'hash'],
    [hash, '', 'md5', 'ann'],
    ['', hash, 'md5', 'ann'],
    ['bob', hash, 'md5', 'bob'],
  ]);
  const { sent, failures, written } = await runImport(content);
  expect(sent).toEqual([]);
  expect(failures.map(({ user_name, external_id }) => [user_name, external_id])).toEqual([
    ['', ''],
    ['', ''],
    ['bob', ''],
  ]);
  expect(written).not.toContain(hash);
});

test.each(['1234567890123456', '12345678901234567890', 'jean.dupont12', 'kPq3v9TzX1bYw5RmN8sL2cHd7FgA'])(
  'a rejected row with the user name %s, which some system could take for a hash, is still found by it',
  async (name) => {
    const { failures } = await runImport(
      stringify([
        ['user_name', 'algorithm', 'hash'],
        [name, 'md5', 'x'],
      ]),
    );
    expect(failures).toMatchObject([{ user_name: name, code: 'HASH_SHAPE' }]);
  },
);
