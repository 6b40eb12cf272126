import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import known from '../../../fixtures/hash-vectors.json' with { type: 'json' };
import { type HashAlgorithm, hashAlgorithms } from '../../../src/contract/attributes.ts';
import { storedLegacyHash, verifyStored } from '../../../src/service/passwords/stored-password.ts';

const { key, vectors } = known;

async function matches(algorithm: HashAlgorithm, password: string, value: string, hmacKey = key) {
  return verifyStored(storedLegacyHash({ algorithm, value, key: hmacKey }), password);
}

const cases = hashAlgorithms.flatMap((algorithm) =>
  vectors.map((vector) => [algorithm, vector.password, vector[algorithm]] as const),
);

test.each(cases)('%s verifies %s', async (algorithm, password, value) => {
  expect(await matches(algorithm, password, value)).toBe(true);
});

test.each(cases)('%s refuses a value that differs slightly from %s', async (algorithm, password, value) => {
  for (const wrong of ['', `${password} `, password.slice(1), `${password}\0`, password.toUpperCase()]) {
    expect(await matches(algorithm, wrong, value)).toBe(wrong === password);
  }
});

test.each(known.must_not_match)('$algorithm refuses $mistake', async ({ algorithm, password, value }) => {
  expect(await matches(algorithm as HashAlgorithm, password, value)).toBe(false);
});

const digests = ['md5', 'md5_sha256', 'hmacsha256_base64_key'] as const;

test.each(digests)('%s verifies hex in either case and base64 with or without padding', async (algorithm) => {
  for (const vector of vectors) {
    const value = vector[algorithm];
    const bytes = Buffer.from(value, algorithm === 'hmacsha256_base64_key' ? 'base64' : 'hex');
    const hex = bytes.toString('hex');
    const base64 = bytes.toString('base64');
    for (const form of [hex, hex.toUpperCase(), base64, base64.replace(/=+$/, '')]) {
      expect(await matches(algorithm, vector.password, form)).toBe(true);
    }
  }
});

test.each(digests)('%s refuses values that are not a digest of its length', async (algorithm) => {
  for (const vector of vectors) {
    const value = vector[algorithm];
    for (const wrong of [
      '',
      ' ',
      `${value}0`,
      value.slice(2),
      ` ${value}`,
      `${value}\n`,
      value.replace(/./, '*'),
    ]) {
      expect(await matches(algorithm, vector.password, wrong)).toBe(false);
    }
  }
});

test('md5 and hmac hash the UTF-8 bytes of a password', async () => {
  const password = '密码-ñ-🔑';
  const md5 = createHash('md5').update(Buffer.from(password, 'utf8')).digest('hex');
  expect(await matches('md5', password, md5)).toBe(true);
  const hmac = createHmac('sha256', Buffer.from(key, 'base64')).update(password, 'utf8').digest('base64');
  expect(await matches('hmacsha256_base64_key', password, hmac)).toBe(true);
});

test.each(['not base64!', 'schlüssel', 'abc', '====', 'abcde'])(
  'an HMAC key that is not base64, %j, is used as the bytes of its text',
  async (text) => {
    const value = createHmac('sha256', Buffer.from(text, 'utf8')).update('secret').digest('base64');
    expect(await matches('hmacsha256_base64_key', 'secret', value, text)).toBe(true);
    expect(await matches('hmacsha256_base64_key', 'secret', value, `${text}!`)).toBe(false);
  },
);

test('an hmac does not match with another HMAC key', async () => {
  const [vector] = vectors;
  const other = Buffer.from('another key, which is also long').toString('base64');
  const value = vector?.hmacsha256_base64_key ?? '';
  expect(await matches('hmacsha256_base64_key', 'P@ssw0rd123', value)).toBe(true);
  expect(await matches('hmacsha256_base64_key', 'P@ssw0rd123', value, other)).toBe(false);
  expect(await matches('hmacsha256_base64_key', 'P@ssw0rd123', value, '')).toBe(false);
});

/** The cheapest of the vectors, because there are many prefixes. */
const bcrypt = vectors
  .filter(({ bcrypt: value }) => value.startsWith('$2b$04$'))
  .map(({ password, bcrypt: value }) => ({ password, bare: value.slice('$2b$'.length) }));

test('there is a cheap vector for bcrypt', () => {
  expect(bcrypt).toHaveLength(1);
});

test.each(['$2a$', '$2b$', '$2y$', '', '{bcrypt}$2a$', '{bcrypt}$2y$', '{BCRYPT}$2b$', '{bcrypt}'])(
  'bcrypt verifies values that begin with %j',
  async (prefix) => {
    for (const { password, bare } of bcrypt) {
      expect(await matches('bcrypt', password, prefix + bare)).toBe(true);
      expect(await matches('bcrypt', `${password}!`, prefix + bare)).toBe(false);
    }
  },
);

test.each([
  { where: 'salt', last: 21 },
  { where: 'digest', last: 52 },
])(
  'no password matches a bcrypt hash whose $where ends with bits that no encoder writes',
  async ({ last }) => {
    const characters = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
    for (const { password, bare } of bcrypt) {
      const at = bare.indexOf('$') + 1 + last;
      const next = characters[characters.indexOf(bare[at] ?? '') + 1];
      expect(await matches('bcrypt', password, `$2b$${bare.slice(0, at)}${next}${bare.slice(at + 1)}`)).toBe(
        false,
      );
    }
  },
);

test.each(['$2x$', '$2$', '$1$', '$', '{md5}$2b$', '{bcrypt}{bcrypt}', ' $2b$'])(
  'bcrypt refuses values that begin with %j',
  async (prefix) => {
    for (const { password, bare } of bcrypt) {
      expect(await matches('bcrypt', password, prefix + bare)).toBe(false);
    }
  },
);

test.each([
  ['cut off', '$2b$04$abcdefghijklmnopqrstuuFwMibPVIyV1/Vdxb3PVZCmM4bYxIad'],
  ['too long', '$2b$04$abcdefghijklmnopqrstuuFwMibPVIyV1/Vdxb3PVZCmM4bYxIadaa'],
  ['of a cost below bcrypt', '$2b$03$abcdefghijklmnopqrstuuFwMibPVIyV1/Vdxb3PVZCmM4bYxIada'],
  [
    'of a cost that would take hours, and so more than the time limit of a test',
    '$2b$31$abcdefghijklmnopqrstuuFwMibPVIyV1/Vdxb3PVZCmM4bYxIada',
  ],
  ['with a foreign letter', '$2b$04$abcdefghijklmnopqrstuuFwMibPVIyV1/Vdxb3PVZCmM4bYxI!da'],
])('bcrypt does not match a value %s, and does not fail', async (_case, value) => {
  expect(await matches('bcrypt', '123456', value)).toBe(false);
});
