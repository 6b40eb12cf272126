import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { warningCodes } from '../../../src/migration/rows/issues/issues.ts';
import { delimiterList } from '../../../src/migration/source/detect-delimiter.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

/** The encoding, its name in the library that writes it, and letters that it has. */
const writers = [
  ['utf-8', 'utf8', 'aé字🐯'],
  ['utf-16le', 'utf16-le', 'aé字🐯'],
  ['utf-16be', 'utf16-be', 'aé字🐯'],
  ['gb18030', 'gb18030', 'aé字🐯中€'],
  ['windows-1252', 'win1252', 'aé€ß‘'],
] as const;

const hashes = Object.entries(goodHashes).map(([algorithm, hash]) => ({ algorithm, hash }));

test.each(writers)(
  'hashes, HMAC keys and texts are unchanged byte for byte after %s',
  async (encoding, writer, letters) => {
    const text = fc.string({
      unit: fc.constantFrom(...letters, ...',;|"+/=$ '),
      minLength: 1,
      maxLength: 20,
    });
    const row = fc.record({ industry: text, key: text, password: fc.constantFrom(...hashes) });
    const file = fc.record({
      rows: fc.array(row, { minLength: 1, maxLength: 8 }),
      delimiter: fc.constantFrom(...delimiterList),
      quoted: fc.boolean(),
      lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    });
    await fc.assert(
      fc.asyncProperty(file, async ({ rows, delimiter, quoted, lineEnd }) => {
        const lines = rows.map(({ industry, key, password }) => [
          industry,
          password.algorithm,
          password.hash,
          key,
        ]);
        const content = stringify([['industry', 'algorithm', 'hash', 'key'], ...lines], {
          delimiter,
          quoted,
          record_delimiter: lineEnd,
        });
        const { sent, failures } = await runImport(iconv.encode(content, writer), {
          encoding,
          accept: warningCodes,
          concurrency: 1,
        });
        expect(failures).toEqual([]);
        expect(
          sent.map((user) => [user.industry, user['hash-pwd']?.algorithm, user['hash-pwd']?.value]),
        ).toEqual(lines.map((line) => line.slice(0, 3)));
        const keys = sent.map((user) => user['hash-pwd']?.key);
        expect(keys).toEqual(
          lines.map(([, algorithm, , key]) => (algorithm === 'hmacsha256_base64_key' ? key : undefined)),
        );
      }),
      { numRuns: 15 },
    );
  },
);

test('a value of 8 MB beside a decimal number is an issue of its row', async () => {
  const image = `data:image/png;base64,\\/${'A'.repeat(1 << 23)}`;
  const record = `{"user_name": "ann", "head_img": "${image}", "industry": 1.50}`;
  const { failures } = await runImport(`${record}\n`, { allowPasswordless: true });
  expect(failures.map(({ code }) => code)).toEqual(['CELL_TOO_LARGE']);
});
