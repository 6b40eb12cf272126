import { createHash, createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import known from '../../../fixtures/hash-vectors.json' with { type: 'json' };
import { hashAlgorithms } from '../../../src/contract/attributes.ts';
import type { HashedPassword } from '../../../src/contract/wire.ts';
import { verifyHash } from '../../../src/migration/hashes/verify.ts';
import { storedLegacyHash, verifyStored } from '../../../src/service/passwords/stored-password.ts';

const cases = known.vectors.flatMap((vector) =>
  hashAlgorithms.map((algorithm) => {
    const hash: HashedPassword = { algorithm, value: vector[algorithm], key: known.key };
    return { password: vector.password, hash };
  }),
);

/** The result of `verifyHash`, after the test has checked that the service has the same result. */
async function agreed(password: string, hash: HashedPassword): Promise<boolean> {
  const proof = await verifyHash(password, hash);
  expect(await verifyStored(storedLegacyHash(hash), password), JSON.stringify(hash.algorithm)).toBe(proof);
  return proof;
}

/** Notations of a value, and whether the API accepts each. */
function spellings({ algorithm, value }: HashedPassword): [string, boolean][] {
  if (algorithm === 'bcrypt') {
    const body = value.slice(4);
    const good = [`$2a$${body}`, `$2y$${body}`, `{bcrypt}${value}`, `{BCRYPT}${value}`, body];
    const bad = [`$2x$${body}`, `$2$${body}`, ` ${value}`, value.slice(0, -1), `{crypt}${value}`, `$${body}`];
    return [
      ...good.map((text): [string, boolean] => [text, true]),
      ...bad.map((text): [string, boolean] => [text, false]),
    ];
  }
  const bytes = Buffer.from(value, /^[0-9a-f]+$/.test(value) ? 'hex' : 'base64');
  const [hex, base64] = [bytes.toString('hex'), bytes.toString('base64')];
  const bad = [` ${hex}`, `${hex}\n`, hex.slice(2), Buffer.from(hex).toString('base64'), `0x${hex}`, ''];
  return [
    ...[hex, hex.toUpperCase(), base64, base64.replaceAll('=', '')].map((text): [string, boolean] => [
      text,
      true,
    ]),
    ...bad.map((text): [string, boolean] => [text, false]),
  ];
}

describe('the service and verifyHash have the same result', () => {
  test.each(cases)(
    'with $hash.algorithm of a known vector, for the right and a wrong password',
    async ({ password, hash }) => {
      expect(await agreed(password, hash)).toBe(true);
      expect(await verifyHash(Buffer.from(password), hash)).toBe(true);
      expect(await agreed(`${password}x`, hash)).toBe(false);
    },
  );

  test.each(known.must_not_match)(
    'with a hash that does not match: $mistake',
    async ({ password, algorithm, value }) => {
      const hash = { algorithm, value, key: known.key } as HashedPassword;
      expect(await agreed(password, hash)).toBe(false);
    },
  );

  test.each(cases.slice(4, 8))('with other notations of $hash.algorithm', async ({ password, hash }) => {
    for (const [value, matches] of spellings(hash)) {
      expect(await agreed(password, { ...hash, value }), value.length.toString()).toBe(matches);
    }
  });

  test('with HMAC keys that are base64 and HMAC keys that are not', async () => {
    const keyOf: [string, Buffer][] = [
      ['c2VjcmV0', Buffer.from('secret')],
      ['c2VjcmV0MQ==', Buffer.from('secret1')],
      ['c2VjcmV0MQ', Buffer.from('c2VjcmV0MQ')],
      ['not base64!', Buffer.from('not base64!')],
      ['schlüssel', Buffer.from('schlüssel')],
    ];
    for (const [key, bytes] of keyOf) {
      const value = createHmac('sha256', bytes).update('pässword').digest('base64');
      expect(await agreed('pässword', { algorithm: 'hmacsha256_base64_key', value, key })).toBe(true);
    }
  });

  test('with any text as a value', async () => {
    const letters = fc.constantFrom(...'./ABYZabyz0189');
    const bodies = fc.string({ unit: letters, minLength: 53, maxLength: 53 });
    const bcryptTexts = bodies.map((body) => `$2b$04$${body}`);
    const texts = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF') }),
      bcryptTexts,
    );
    const hashes = fc.record({ algorithm: fc.constantFrom(...hashAlgorithms), value: texts });
    await fc.assert(
      fc.asyncProperty(fc.string(), hashes, async (password, hash) => {
        expect(await agreed(password, { ...hash, key: 'a2V5' })).toBe(false);
      }),
    );
  });
});

test('an HMAC without an HMAC key never matches, since the API rejects it', async () => {
  const value = createHmac('sha256', '').update('secret').digest('base64');
  expect(await verifyHash('secret', { algorithm: 'hmacsha256_base64_key', value })).toBe(false);
  expect(await verifyHash('secret', { algorithm: 'hmacsha256_base64_key', value, key: '' })).toBe(false);
});

test('bcrypt above cost 16, which could take a day, is not computed', async () => {
  const value = `$2b$31$${'a'.repeat(53)}`;
  expect(await agreed('secret', { algorithm: 'bcrypt', value })).toBe(false);
});

test('a password can consist of any bytes', async () => {
  const bytes = randomBytes(24);
  const value = createHash('md5').update(bytes).digest('hex');
  expect(await verifyHash(bytes, { algorithm: 'md5', value })).toBe(true);
});
