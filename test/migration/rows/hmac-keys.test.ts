import { createHmac, randomBytes } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyHash } from '../../../src/migration/hashes/verify.ts';
import type { WarningCode } from '../../../src/migration/rows/issues/issues.ts';
import { runImport } from '../run-import.ts';

const algorithm = 'hmacsha256_base64_key';

/** Imports a row for each key. */
function importing(keys: string[], hashOf: (key: string) => string, accept: WarningCode[] = []) {
  const rows = keys.map((key, index) => [`user-${index}`, hashOf(key), key]);
  return runImport(stringify([['user_name', 'hash', 'key'], ...rows]), { algorithm, accept });
}

const hmacOf = (secret: Buffer | string) => createHmac('sha256', secret).update('password').digest('base64');

/** A text without a digit, or without a capital letter, may be a word. */
const mayBeBytes = (key: string) =>
  /\d/.test(key) && (/^[0-9a-f]+$/i.test(key) || (/[a-z]/.test(key) && /[A-Z]/.test(key)));

/** The forms in which programs write the bytes of an HMAC key. */
const forms = {
  hex: (bytes: Buffer) => bytes.toString('hex'),
  'hex in capitals': (bytes: Buffer) => bytes.toString('hex').toUpperCase(),
  base64url: (bytes: Buffer) => bytes.toString('base64url'),
  'base64 without padding': (bytes: Buffer) => bytes.toString('base64').replaceAll('=', ''),
  'base64 with a blank before it': (bytes: Buffer) => ` ${bytes.toString('base64')}`,
  'base64 with a blank behind it': (bytes: Buffer) => `${bytes.toString('base64')} `,
  'base64 in single quotes': (bytes: Buffer) => `'${bytes.toString('base64')}'`,
};

test.each(Object.entries(forms))(
  'an HMAC key in %s, with which nobody could log in, is a warning',
  async (_, written) => {
    const secret = fc.constantFrom(16, 17, 20, 25, 32, 40, 64).map((length) => randomBytes(length));
    const secrets = fc.array(secret, { minLength: 10, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(secrets, async (all) => {
        const values = new Map(all.map((bytes) => [written(bytes), hmacOf(bytes)]));
        const keys: string[] = [];
        for (const [key, value] of values)
          if (mayBeBytes(key) && !(await verifyHash('password', { algorithm, value, key }))) keys.push(key);
        fc.pre(keys.length > 0);
        const hashOf = (key: string) => values.get(key) ?? '';
        const { sent, failures } = await importing(keys, hashOf);
        expect({ sent, codes: failures.map(({ code }) => code) }).toEqual({
          sent: [],
          codes: keys.map(() => 'KEY_FORM'),
        });
        const accepted = await importing(keys, hashOf, ['KEY_FORM']);
        expect(accepted.sent.map((user) => user['hash-pwd']?.key).sort()).toEqual([...keys].sort());
      }),
      { numRuns: 3 },
    );
  },
);

test('an HMAC key in base64, and one that is a text, are not warnings', async () => {
  const keys = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    fc.constantFrom(
      'my secret key',
      'MySecretKey1',
      ' my own secret key ',
      "'quoted'",
      'correct-horse-battery-staple-1',
      'f47ac10b-58cc-4372-a567-0e02b2c3d479',
      'söcret',
      'abcdef12',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(keys, { minLength: 10, maxLength: 10 }), async (all) => {
      expect((await importing(all, () => hmacOf('x'))).sent).toHaveLength(10);
    }),
    { numRuns: 6 },
  );
});

test('the form of an HMAC key for all rows is checked, too', async () => {
  const key = Buffer.from('a key of 32 bytes, which is hex.').toString('hex');
  const content = `user_name,hash\nann,${hmacOf('x')}\n`;
  const { sent, failures } = await runImport(content, { algorithm, key });
  expect({ sent, failures }).toMatchObject({ sent: [], failures: [{ code: 'KEY_FORM' }] });
  expect((await runImport(content, { algorithm, key: 'my secret key' })).sent).toHaveLength(1);
});
