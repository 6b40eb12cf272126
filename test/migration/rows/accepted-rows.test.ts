import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HashedUser } from '../../../src/contract/wire.ts';
import { type WarningCode, warningCodes } from '../../../src/migration/rows/issues/issues.ts';
import { anyCharacter } from '../../text/any-character.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

async function sentFor(
  algorithm: string,
  hash: string,
  key = '',
): Promise<HashedUser['hash-pwd'] | undefined> {
  const { sent } = await runImport(
    stringify([
      ['algorithm', 'hash', 'key'],
      [algorithm, hash, key],
    ]),
  );
  return sent[0]?.['hash-pwd'];
}

const tail = goodHashes.bcrypt.slice(4);

test.each<[string, string, string]>([
  ['md5', 'base64', Buffer.from(goodHashes.md5, 'hex').toString('base64')],
  ['md5', 'base64 without padding', Buffer.from(goodHashes.md5, 'hex').toString('base64').slice(0, 22)],
  ['md5_sha256', 'base64 without padding', goodHashes.hmacsha256_base64_key.slice(0, 43)],
  ['md5_sha256', 'hex', goodHashes.md5_sha256],
  ['md5_sha256', 'base64', goodHashes.hmacsha256_base64_key],
  ['bcrypt', '2a', `$2a$${tail}`],
  ['bcrypt', '2b', `$2b$${tail}`],
  ['bcrypt', '2y', `$2y$${tail}`],
  ['bcrypt', 'cost 4', `$2y$04$${tail.slice(3)}`],
  ['bcrypt', 'cost 14', `$2y$14$${tail.slice(3)}`],
  ['bcrypt', 'no prefix', tail],
])('%s as %s is sent unchanged', async (algorithm, _, hash) => {
  expect(await sentFor(algorithm, hash, 'not for this algorithm')).toEqual({ algorithm, value: hash });
});

test.each(['md5', 'md5_sha256', 'hmacsha256_base64_key'] as const)(
  '%s in capital hex is sent in small letters, since a tenant may compare texts',
  async (algorithm) => {
    const hex = algorithm === 'md5' ? goodHashes.md5 : goodHashes.md5_sha256;
    expect(await sentFor(algorithm, hex.toUpperCase(), 'a key')).toMatchObject({ algorithm, value: hex });
    if (algorithm === 'md5')
      expect(await sentFor(algorithm, `{MD5}${hex.toUpperCase()}`)).toEqual({ algorithm, value: hex });
  },
);

test('a space at an end of a text can be accepted, but not of an identifier or a name', async () => {
  const importing = async (column: string, values: string[], accept: WarningCode[]) => {
    const rows = values.map((value, index) => [`${index}@b.cn`, value]);
    const options = { accept, allowPasswordless: true };
    const { sent, summary } = await runImport(stringify([['email', column], ...rows]), options);
    return { sent: sent.length, codes: summary.codes };
  };
  const values = ['a ', ' b', '\u3000c'];
  for (const column of ['industry', 'mailing_address', 'extension.note', 'name', 'external_id']) {
    const isText = /^(?:industry|mail|ext.*note)/.test(column);
    const rejected = { sent: 0, codes: { OUTER_BLANK: 3 } };
    expect(await importing(column, values, ['TYPOGRAPHIC'])).toEqual(rejected);
    expect(await importing(column, values, ['TYPOGRAPHIC', 'OUTER_BLANK'])).toEqual(
      isText ? { sent: 3, codes: {} } : rejected,
    );
  }
  // A line break is an issue of its own.
  expect(await importing('mailing_address', ['a\n'], ['CONTROL_CHARACTER'])).toEqual({ sent: 1, codes: {} });
});

test.each([goodHashes.hmacsha256_base64_key, goodHashes.md5_sha256])(
  'an HMAC is sent with its HMAC key: %s',
  async (hash) => {
    const algorithm = 'hmacsha256_base64_key';
    expect(await sentFor(algorithm, hash, ' the key ')).toEqual({ algorithm, value: hash, key: ' the key ' });
  },
);

test.each(['bcrypt', 'BCRYPT'])('the wrapper {%s} is removed', async (name) => {
  expect(await sentFor('bcrypt', `{${name}}${goodHashes.bcrypt}`)).toEqual({
    algorithm: 'bcrypt',
    value: goodHashes.bcrypt,
  });
});

test.each([15, 17, 31])(
  'bcrypt of cost %i, which tenants do not accept, is sent only when the warning is accepted',
  async (cost) => {
    const value = `$2b$${cost}$${tail.slice(3)}`;
    const content = stringify([
      ['algorithm', 'hash'],
      ['bcrypt', value],
    ]);
    const { summary, failures } = await runImport(content);
    expect(summary).toMatchObject({ created: 0, invalid: 1, codes: { HASH_COST: 1 } });
    expect(failures[0]?.message).toContain(`${cost}; at most 14`);
    const { sent } = await runImport(content, { accept: ['HASH_COST'] });
    expect(sent).toEqual([{ 'hash-pwd': { algorithm: 'bcrypt', value } }]);
  },
);

test('cells become the fields of the API, and empty cells are left out', async () => {
  const { sent } = await runImport(
    stringify([
      [
        'mobile',
        'email',
        'pwd_must_modify',
        'extension.age',
        'extension.a.b',
        'attr_birthday',
        'value',
        'algorithm',
      ],
      ['+86-13800000000', '', 'false', '30', '', '2024-02-29', goodHashes.md5, 'md5'],
      ['', 'a@b', 'true', '', '', '', goodHashes.md5, 'md5'],
    ]),
  );
  const password = { algorithm: 'md5', value: goodHashes.md5 };
  expect(sent).toEqual([
    {
      mobile: '+86-13800000000',
      pwd_must_modify: false,
      extension: { age: '30' },
      attr_birthday: '2024-02-29',
      'hash-pwd': password,
    },
    { email: 'a@b', pwd_must_modify: true, 'hash-pwd': password },
  ]);
});

test('a user without a password is created only on request, and only if both cells are empty', async () => {
  const content = stringify([
    ['user_name', 'algorithm', 'hash'],
    ['ann', '', ''],
    ['bob', 'md5', ''],
    ['cid', '', goodHashes.md5],
  ]);
  const refused = await runImport(content);
  expect(refused.summary).toMatchObject({ created: 0, invalid: 3 });
  const allowed = await runImport(content, { allowPasswordless: true });
  expect(allowed.sent).toEqual([{ user_name: 'ann' }]);
  expect(allowed.summary.codes).toEqual({ ALGORITHM_MISSING: 1, HASH_MISSING: 1 });
});

test('a file without password columns is accepted on request', async () => {
  const { sent } = await runImport('user_name\nann\n\n"bob"\n', { allowPasswordless: true });
  expect(sent).toEqual([{ user_name: 'ann' }, { user_name: 'bob' }]);
});

test('values arrive byte for byte, including blanks and quotes', async () => {
  const text = fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 40 })
    // U+FDD0 and U+FDD1 are no characters of any text: the reader marks with them what it cannot decode.
    .filter((value) => value.isWellFormed() && !/[\p{Cc}\uFEFF\uFDD0\uFDD1]/u.test(value));
  const user = fc.tuple(text, text, text);
  await fc.assert(
    fc.asyncProperty(fc.array(user, { minLength: 1, maxLength: 5 }), fc.boolean(), async (users, bom) => {
      const rows = users.map(([address, industry, key]) => [
        address,
        'hmacsha256_base64_key',
        goodHashes.md5_sha256,
        industry,
        key,
      ]);
      const { sent } = await runImport(
        stringify([['mailing_address', 'algorithm', 'hash', 'industry', 'key'], ...rows], { bom }),
        { concurrency: 1, accept: warningCodes },
      );
      expect(sent.map((one) => [one.mailing_address, one.industry, one['hash-pwd']?.key])).toEqual(users);
    }),
    { numRuns: 30 },
  );
});

test.each([
  [{ external_id: '\u00a0A–1' }, 'OUTER_BLANK'],
  [{ email: 'o’brien' }, 'EMAIL'],
  [{ mobile: '86–13800000000' }, 'MOBILE'],
  [{ user_name: 'ann\u00a0lee' }, 'USER_NAME'],
])('an accepted warning hides no other issue of its cell: %j', async (cells, code) => {
  const options = { accept: ['TYPOGRAPHIC'], allowPasswordless: true } as const;
  const { sent, summary } = await runImport(stringify([Object.keys(cells), Object.values(cells)]), options);
  expect({ sent, codes: summary.codes }).toEqual({ sent: [], codes: { [code]: 1 } });
});
