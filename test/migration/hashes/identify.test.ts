import fc from 'fast-check';
import { expect, test } from 'vitest';
import known from '../../../fixtures/hash-vectors.json' with { type: 'json' };
import { hashAlgorithms } from '../../../src/contract/attributes.ts';
import { foreignHash } from '../../../src/migration/hashes/foreign-schemes.ts';
import { hashFormats } from '../../../src/migration/hashes/formats.ts';
import { identify } from '../../../src/migration/hashes/identify.ts';
import type { HashKind } from '../../../src/migration/hashes/identity.ts';
import { verifyHash } from '../../../src/migration/hashes/verify.ts';
import { bcrypt, hex, makeHash, raw } from './make-hash.ts';

/** What it can be, in short: `algorithm or - | format | sure`, with an exclamation mark if the API accepts it. */
function shortly({ algorithm, format, accepted, sure }: HashKind): string {
  return `${accepted ? '!' : ''}${algorithm ?? '-'} | ${format} | ${sure}`;
}

const md5 = raw('md5', 'geheim');
const sha256 = raw('sha256', 'geheim');
const body = bcrypt('geheim').slice(7);

const of32 = (encoding: string) => [
  `!md5_sha256 | SHA-256 over MD5, ${encoding} | possible`,
  `!hmacsha256_base64_key | HMAC-SHA256, ${encoding} | possible`,
  `- | SHA-256 or SM3 of the password, ${encoding} | possible`,
];

test.each([
  [md5.toString('hex'), ['!md5 | MD5, hex | likely', '- | NT hash or MD4, hex | possible']],
  [md5.toString('base64'), ['!md5 | MD5, base64 | likely', '- | NT hash or MD4, base64 | possible']],
  [sha256.toString('hex').toUpperCase(), of32('hex')],
  [sha256.toString('base64'), of32('base64')],
  [hex('md5', 'geheim').slice(8, 24), ['- | half of an MD5, or MySQL before 4.1, hex | possible']],
  [hex('sha1', 'geheim'), ['- | SHA-1, hex | likely']],
  [hex('sha224', 'geheim'), ['- | SHA-224, hex | likely']],
  [raw('sha384', 'geheim').toString('base64'), ['- | SHA-384, base64 | likely']],
  [hex('sha512', 'geheim'), ['- | SHA-512, hex | likely']],
  [`$2a$10$${body}`, ['!bcrypt | bcrypt $2a$, cost 10 | certain']],
  [`{bcrypt}$2y$12$${body}`, ['!bcrypt | bcrypt $2y$, cost 12 | certain']],
  [`08$${body}`, ['!bcrypt | bcrypt without a prefix, cost 8 | certain']],
  [`$2x$10$${body}`, ['bcrypt | bcrypt $2x$, cost 10 | certain']],
  [
    `$2b$17$${body}`,
    ['bcrypt | bcrypt $2b$, cost 17 (above 16: the local service never matches it) | certain'],
  ],
  [
    `$2b$10$${body.toLowerCase()}`,
    ['bcrypt | bcrypt $2b$, cost 10 (its letters have lost their upper or lower case) | certain'],
  ],
  [`$2b$10$${body.slice(3)}`, ['bcrypt | bcrypt, cut short | certain']],
  ['$2$10$abc', ['- | bcrypt in its first form ($2$) | certain']],
  ['$1$salt$abcdefghijklmnopqrstu/', ['- | MD5 crypt, salted | certain']],
  ['$5$rounds=5000$salt$abc', ['- | SHA-256 crypt, salted | certain']],
  ['$6$salt$abc', ['- | SHA-512 crypt, salted | certain']],
  ['$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', ['- | Argon2 | certain']],
  ['$scrypt$ln=16,r=8,p=1$c2FsdA$aGFzaA', ['- | scrypt | certain']],
  ['$y$j9T$salt$abc', ['- | yescrypt | certain']],
  ['pbkdf2_sha256$260000$salt$aGFzaA=', ['- | PBKDF2 | certain']],
  ['$P$BsaltsaltHashHashHashHashHashHa', ['- | phpass (WordPress, phpBB), salted | certain']],
  ['{SSHA}c2FsdHNhbHRzYWx0c2FsdHNhbHQ=', ['- | salted digest (LDAP) | certain']],
  [`${hex('md5', 'x')}:salt`, ['- | digest with a salt behind a colon | certain']],
  ['*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19', ['- | MySQL PASSWORD() | certain']],
  ['argon2$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', ['- | Argon2 | certain']],
  [`!${'a'.repeat(40)}`, ['- | no usable password (Django, LDAP, Unix) | certain']],
  ['{SSHA}!c2FsdHNhbHQ=', ['- | hash of an account that was locked with ! or * | certain']],
  ['!', ['- | no usable password (Django, LDAP, Unix) | certain']],
  ['{noop}hunter2', ['- | plain text behind {noop} or {cleartext} | certain']],
  [`{PKCS5S2}${'A'.repeat(64)}`, ['- | PBKDF2 (Atlassian) | certain']],
  [`AQAAAA${'A'.repeat(76)}==`, ['- | PBKDF2 (ASP.NET Identity) | certain']],
  ['$shiro1$SHA-256$500000$c2FsdA==$aGFzaA==', ['- | digest, salted (Apache Shiro) | certain']],
  [`${hex('sha256', 'x')}:salt:1`, ['- | digest, salted (Magento) | certain']],
  [`:B:1234:${hex('md5', 'x')}`, ['- | digest, salted (MediaWiki) | certain']],
  [`md5${hex('md5', 'x')}`, ['- | MD5 over password and user name (PostgreSQL) | certain']],
  [`0x0100${'0'.repeat(48)}`, ['- | digest, salted (SQL Server) | certain']],
  [hex('md5', 'geheim').slice(5, 25), ['- | part of an MD5 (DedeCMS), hex | possible']],
  ['hello', []],
  ['', []],
])('%s', (text, kinds) => {
  expect(identify(text).kinds.map(shortly)).toEqual(kinds);
  expect(identify(text).damage).toEqual([]);
});

test.each([
  [` ${hex('md5', 'geheim')}`, 'md5', ['VALUE_BLANKS']],
  [`"${bcrypt('geheim')}"`, 'bcrypt', ['VALUE_QUOTED']],
  [` '${sha256.toString('base64')}'`, 'md5_sha256', ['VALUE_BLANKS', 'VALUE_QUOTED']],
])('%s is recognised as damaged', (text, algorithm, damage) => {
  const found = identify(text);
  expect(found.damage).toEqual(damage);
  expect(found.kinds[0]?.algorithm).toBe(algorithm);
  expect(found.kinds.map(({ accepted }) => accepted)).not.toContain(true);
});

test.each([
  [`{SHA256}${sha256.toString('hex')}`, '- | SHA-256 or SM3 of the password, hex | possible'],
  [`{SHA-256}${sha256.toString('base64')}`, '- | SHA-256 or SM3 of the password, base64 | possible'],
  [`{MD4}${md5.toString('hex')}`, '- | NT hash or MD4, hex | possible'],
])('a label before a digest says that the API does not take it: %#', (text, kind) => {
  const { kinds, use, remedy } = identify(text);
  expect({ kinds: kinds.map(shortly), use }).toEqual({ kinds: [kind], use: 'no' });
  expect(remedy).toContain('These users need a new password');
});

test('a bcrypt hash that is cut short is to be exported again, since the password need not be lost', () => {
  const { use, remedy } = identify(bcrypt('geheim').slice(0, 50));
  expect({ use, remedy }).toEqual({
    use: 'no',
    remedy: expect.stringContaining('columns that are wide enough'),
  });
});

test('the algorithms suggested for a hash include its own', async () => {
  const passwords = fc.string({ unit: 'grapheme', minLength: 1 });
  await fc.assert(
    fc.asyncProperty(passwords, fc.constantFrom(...hashAlgorithms), async (password, algorithm) => {
      const kinds = identify(makeHash[algorithm](password)).kinds;
      expect(kinds).toContainEqual(expect.objectContaining({ algorithm, accepted: true }));
    }),
    { numRuns: 40 },
  );
});

test('the API accepts every hash of which identify says so', async () => {
  for (const { password, ...values } of known.vectors) {
    for (const algorithm of hashAlgorithms) {
      const taken = identify(values[algorithm]).kinds.filter(({ accepted }) => accepted);
      expect(taken.map((kind) => kind.algorithm)).toContain(algorithm);
      expect(await verifyHash(password, { algorithm, value: values[algorithm], key: known.key })).toBe(true);
    }
  }
});

test.each(hashAlgorithms)('no foreign hash has the form of %s', (algorithm) => {
  fc.assert(
    fc.property(fc.stringMatching(hashFormats[algorithm]), (value) => {
      expect(foreignHash(value)).toBeUndefined();
    }),
  );
});
