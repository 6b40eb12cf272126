import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const fileOf = (rows: string[][]) =>
  stringify([
    ['user_name', 'email', 'mobile', 'external_id', 'algorithm', 'hash'],
    ...rows.map((cells) => [...cells, 'md5', goodHashes.md5]),
  ]);

test('the first row stays, and each later one names it; an external id may repeat', async () => {
  const { sent, failures } = await runImport(
    fileOf([
      ['ann', 'ann@a', '+86-13800000001', 'x'],
      ['bob', 'ANN@A', '', 'x'],
      ['Ann', '', '13800000001', 'x'],
      ['cid', '', '852-13800000001', 'x'],
      ['', '', '', 'x'],
      ['dan', '', '86-13800000001', 'x'],
    ]),
    { concurrency: 1 },
  );
  expect(sent.map((user) => user.user_name)).toEqual(['ann', 'cid', undefined]);
  expect(failures.map(({ row, code, message }) => [row, code, message])).toEqual([
    ['2', 'DUPLICATE_EMAIL', 'email: an earlier row of the file has this e-mail address (row 1)'],
    [
      '3',
      'DUPLICATE_USER_NAME',
      'user_name: an earlier row of the file has this user name (row 1); mobile: an earlier row of the file has this mobile number (row 1)',
    ],
    ['6', 'DUPLICATE_MOBILE', 'mobile: an earlier row of the file has this mobile number (row 1)'],
  ]);
});

test('a broken row keeps its key; a row whose cells moved has none', async () => {
  const content = `user_name,algorithm,hash\nann,md5,short\nann,md5,${goodHashes.md5}\nbob,md5\nbob,md5,${goodHashes.md5}\n`;
  const { sent, failures } = await runImport(content);
  expect(failures.map(({ row, code }) => [row, code])).toEqual([
    ['1', 'HASH_SHAPE'],
    ['2', 'DUPLICATE_USER_NAME'],
    ['3', 'CELLS'],
  ]);
  expect(sent.map((user) => user.user_name)).toEqual(['bob']);
});

test('duplicates are found over any distance, as a plain search finds them', async () => {
  const rows = fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 700 });
  await fc.assert(
    fc.asyncProperty(rows, async (numbers) => {
      const { failures } = await runImport(fileOf(numbers.map((number) => [`u${number}`, '', '', ''])));
      const repeated = numbers.flatMap((number, index) => {
        const first = numbers.indexOf(number);
        return first === index ? [] : [`${index + 1} after ${first + 1}`];
      });
      const found = failures.map(
        ({ row, message }) => `${row} after ${/row (\d+)/.exec(message ?? '')?.[1]}`,
      );
      expect(found).toEqual(repeated);
    }),
    { numRuns: 10 },
  );
});
