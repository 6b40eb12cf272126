import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyHash } from '../../../src/migration/hashes/verify.ts';
import type { WarningCode } from '../../../src/migration/rows/issues.ts';
import { runImport } from '../run-import.ts';

const algorithm = 'hmacsha256_base64_key';

function importing(key: string, value: string, accept: WarningCode[] = []) {
  return runImport(`user_name,hash\nann,${value}\n`, { algorithm, key, accept });
}

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
    const bytes = fc.constantFrom(16, 17, 20, 25, 32, 40, 64).map((length) => randomBytes(length));
    await fc.assert(
      fc.asyncProperty(bytes, async (secret) => {
        const key = written(secret);
        const value = createHmac('sha256', secret).update('password').digest('base64');
        fc.pre(!(await verifyHash('password', { algorithm, value, key })));
        // A text without a digit, or without a capital letter, may be a word.
        fc.pre(/\d/.test(key) && (/^[0-9a-f]+$/i.test(key) || (/[a-z]/.test(key) && /[A-Z]/.test(key))));
        const { sent, failures } = await importing(key, value);
        expect({ sent, codes: failures.map(({ code }) => code) }).toEqual({ sent: [], codes: ['KEY_FORM'] });
        expect((await importing(key, value, ['KEY_FORM'])).sent).toMatchObject([{ 'hash-pwd': { key } }]);
      }),
      { numRuns: 30 },
    );
  },
);

test('an HMAC key in base64, and one that is a text, are not warnings', async () => {
  const value = createHmac('sha256', 'x').update('password').digest('base64');
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
    fc.asyncProperty(keys, async (key) => {
      expect((await importing(key, value)).sent).toHaveLength(1);
    }),
    { numRuns: 60 },
  );
});
