import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import known from '../../../fixtures/hash-vectors.json' with { type: 'json' };
import { type HashAlgorithm, hashAlgorithms } from '../../../src/contract/attributes.ts';
import type { HashedPassword } from '../../../src/contract/wire.ts';
import { diagnose } from '../../../src/migration/hashes/diagnose.ts';
import { trialsOf } from '../../../src/migration/hashes/diagnose-bcrypt.ts';
import { hashMistakes } from '../../../src/migration/hashes/mistakes.ts';
import { verifyHash } from '../../../src/migration/hashes/verify.ts';
import { bcrypt, hex, hmac, key, keyBytes, makeHash } from './make-hash.ts';
import { madeMistakes } from './mistakes.ts';

test.each(madeMistakes)('diagnose finds $code in $algorithm', async ({ code, password, ...hash }) => {
  expect(await verifyHash(password, hash)).toBe(false);
  const mistake = await diagnose(password, hash);
  expect(mistake).toEqual({ code, ...hashMistakes[code] });
  expect(await diagnose(password, hash)).toEqual(mistake);
});

test('the tests make every mistake of the table', () => {
  expect(new Set(madeMistakes.map(({ code }) => code))).toEqual(new Set(Object.keys(hashMistakes)));
});

test('each mistake has a message that continues a sentence, and a remedy that is a sentence', () => {
  for (const [code, { message, remedy }] of Object.entries(hashMistakes)) {
    expect(message, code).toMatch(/^(?:[a-z]|MD5|SHA).*[^.]$/);
    expect(remedy, code).toMatch(/^[A-Z].*\.$/);
  }
});

const named = [
  ['NESTED_RAW', 0],
  ['NESTED_UPPER', 1],
  ['NESTED_ORDER', 2],
  ['KEY_NOT_DECODED', 3],
] as const;

test.each(named)('diagnose finds %s in the known vectors', async (code, index) => {
  const { password, algorithm, value } = known.must_not_match[index] ?? expect.fail();
  const hash = { algorithm, value, key: known.key } as HashedPassword;
  expect((await diagnose(password, hash))?.code).toBe(code);
});

const both: [string, HashAlgorithm, string, string][] = [
  ['PASSWORD_LF+KEY_NOT_DECODED', 'hmacsha256_base64_key', hmac(key, 'geheim\n'), key],
  ['ALGORITHM_MD5+VALUE_QUOTED', 'bcrypt', `"${makeHash.md5('geheim')}"`, key],
  ['ALGORITHM_BCRYPT+VALUE_BLANKS', 'md5', ` ${bcrypt('geheim')}`, key],
  ['ALGORITHM_BCRYPT+PASSWORD_LF', 'md5', bcrypt('geheim\n'), key],
  ['ALGORITHM_BCRYPT+VALUE_CUT', 'md5', bcrypt('geheim').slice(0, 40), key],
  ['VALUE_BLANKS+VALUE_QUOTED', 'md5', ` "${makeHash.md5('geheim')}" `, key],
  [
    'PASSWORD_UTF16LE+VALUE_HEX_IN_BASE64',
    'md5',
    Buffer.from(hex('md5', Buffer.from('geheim', 'utf16le'))).toString('base64'),
    key,
  ],
  ['PASSWORD_LF+PLAIN_SHA256', 'md5_sha256', hex('sha256', 'geheim\n'), key],
  [
    'PLAIN_SHA1+VALUE_LABEL',
    'md5',
    `{SHA}${Buffer.from(hex('sha1', 'geheim'), 'hex').toString('base64')}`,
    key,
  ],
  ['ALGORITHM_HMAC+KEY_HEX', 'md5', hmac(keyBytes, 'geheim'), keyBytes.toString('hex')],
];

test.each(both)('diagnose finds %s together', async (code, algorithm, value, givenKey) => {
  const mistake = await diagnose('geheim', { algorithm, value, key: givenKey });
  const [one, other] = code.split('+').map((name) => hashMistakes[name as keyof typeof hashMistakes]);
  expect(mistake?.code).toBe(code);
  expect(mistake?.message).toBe(`${one?.message}; and ${other?.message}`);
});

test.each([
  ['KEY_NOT_DECODED', 'sixteen1letters2', Buffer.from('sixteen1letters2').toString('base64')],
  ['KEY_DECODED_TWICE', Buffer.from(key).toString('base64'), key],
  ['KEY_HEX', keyBytes.toString('hex'), key],
  ['KEY_BASE64URL', '-_-_ZmkB', '+/+/ZmkB'],
  ['KEY_UNPADDED', 'c2VjcmV0MQ', 'c2VjcmV0MQ=='],
  ['KEY_BLANKS', ` ${key}`, key],
])('the remedy of %s corrects the mistake', async (code, givenKey, mendedKey) => {
  const value = hmac(Buffer.from(mendedKey, 'base64'), 'geheim');
  const algorithm = 'hmacsha256_base64_key';
  expect((await diagnose('geheim', { algorithm, value, key: givenKey }))?.code).toBe(code);
  expect(await verifyHash('geheim', { algorithm, value, key: mendedKey })).toBe(true);
});

test('diagnose finds no mistake for a password that matches', async () => {
  for (const { password, ...values } of known.vectors) {
    for (const algorithm of hashAlgorithms) {
      const hash = { algorithm, value: values[algorithm], key: known.key };
      expect(await diagnose(password, hash), algorithm).toBeUndefined();
    }
  }
});

const values = fc.oneof(
  ...[8, 16, 20, 28, 32, 48, 64].flatMap((length) => {
    const bytes = fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array));
    return [bytes.map((made) => made.toString('hex')), bytes.map((made) => made.toString('base64'))];
  }),
  fc.string(),
);

test('diagnose finds no mistake for a hash of something else', async () => {
  const hashes = fc.record({ algorithm: fc.constantFrom(...hashAlgorithms), value: values });
  const passwords = fc.oneof(fc.string({ minLength: 5 }), fc.string({ unit: 'grapheme', minLength: 5 }));
  await fc.assert(
    fc.asyncProperty(passwords, hashes, fc.base64String(), async (password, { algorithm, value }, anyKey) => {
      expect(await diagnose(password, { algorithm, value, key: anyKey })).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

test('diagnose finds no mistake for the right hash of another password', async () => {
  for (const algorithm of hashAlgorithms) {
    const value = makeHash[algorithm]('something else');
    expect(await diagnose('geheim', { algorithm, value, key }), algorithm).toBeUndefined();
  }
});

test('a password of any bytes is used unchanged', async () => {
  const bytes = Buffer.concat([randomBytes(12), Buffer.of(0xff)]);
  const value = makeHash.md5(bytes);
  expect((await diagnose(bytes, { algorithm: 'md5_sha256', value }))?.code).toBe('ALGORITHM_MD5');
});

test.each([
  [4, 12],
  [12, 12],
  [13, 8],
  [14, 4],
  [15, 2],
  [16, 1],
])('bcrypt of cost %i is compared at most %i times', async (cost, most) => {
  const trials = await trialsOf(`${'Mu\u0308ll'.repeat(20)} `, [], cost);
  expect(trials).toHaveLength(most);
  expect(trials[0]?.mistakes).toEqual(['BCRYPT_OF_MD5']);
  expect((await trialsOf('geheim', ['ALGORITHM_BCRYPT'], cost))[0]?.mistakes).toEqual([]);
});

test('diagnose can be stopped between two comparisons', async () => {
  const hash = { algorithm: 'bcrypt', value: bcrypt('something else') } as const;
  const stop = new AbortController();
  stop.abort('SIGINT');
  await expect(diagnose('geheim', hash, stop.signal)).rejects.toBe('SIGINT');
});

test('all digests together take less than a second of processor time', async () => {
  const hash = { algorithm: 'hmacsha256_base64_key', value: hmac(key, 'something else'), key } as const;
  const before = process.cpuUsage();
  expect(await diagnose('Müll ', hash)).toBeUndefined();
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(1_000_000);
});
