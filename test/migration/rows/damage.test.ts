import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileColumns } from '../../../src/migration/rows/columns.ts';
import { fieldFinder } from '../../../src/migration/rows/fields/suggest-field.ts';
import type { Issue } from '../../../src/migration/rows/issues/issues.ts';
import { validateRows } from '../../../src/migration/rows/validate-rows.ts';
import { openSource } from '../../../src/migration/source/open-source.ts';
import { goodHashes } from '../hashes.ts';
import { inDirectory, runImport } from '../run-import.ts';

const identifiers = ['user_name', 'external_id', 'mobile', 'email', 'zip_code'] as const;
const names = ['name', 'first_name', 'last_name', 'attr_nick_name'] as const;
const header = [...identifiers, ...names, 'mailing_address', 'extension.number', 'algorithm', 'hash'];
type Column = (typeof header)[number];

const good: Record<Column, string> = {
  user_name: 'ann',
  external_id: 'E-1',
  mobile: '86-13800000000',
  email: 'ann@example.com',
  zip_code: '01000',
  name: 'Ann Lee',
  first_name: 'Ann',
  last_name: 'Lee',
  attr_nick_name: 'annie',
  mailing_address: 'Road 1',
  'extension.number': '42',
  algorithm: 'md5',
  hash: goodHashes.md5,
};

const fileOf = (rows: Partial<Record<Column, string>>[]) =>
  stringify([header, ...rows.map((row) => header.map((column) => row[column] ?? ''))]);

const digits = fc.stringMatching(/^[1-9]\d{0,14}$/);
const marker = fc.constantFrom(
  ...['NULL', 'null', '\\N', '(null)', '<null>', '[NULL]', 'None', 'undefined', 'N/A', 'n/a', 'NaN', 'nil'],
);
const spreadsheetError = fc.constantFrom(
  ...['#N/A', '#REF!', '#NAME?', '#VALUE!', '#DIV/0!', '#NUM!', '#NULL!', 'Err:502', 'Err:510', '#####'],
);
const scientific = fc
  .tuple(
    digits,
    digits,
    fc.constantFrom('.', ','),
    fc.constantFrom('E', 'e'),
    fc.integer({ min: 1, max: 40 }),
  )
  .map(
    ([whole, part, point, letter, power]) =>
      `${whole[0]}${point}${part}${letter}+${String(power).padStart(2, '0')}`,
  );
const blank = fc.constantFrom(' ', '\u00a0', '\u3000', '\u2003');
const inside = fc.constantFrom('\0', '\u001b', '\u0007', '\ufffd', '\ufdd0', '锟斤拷', '??', '? ?');

/** Values with each kind of damage. NUL is missing, since it is an error of the file. */
const damaged: fc.Arbitrary<{ column: Column; value: string }> = fc.oneof(
  fc.record({ column: fc.constantFrom(...identifiers, 'extension.number'), value: scientific }),
  fc.record({
    column: fc.constantFrom('user_name', 'external_id', 'mobile', 'zip_code'),
    value: digits.map((number) => `${number}.0`),
  }),
  fc.record({ column: fc.constantFrom(...header.slice(0, -2)), value: fc.oneof(marker, spreadsheetError) }),
  fc
    .record({ column: fc.constantFrom(...identifiers, ...names), space: blank, atEnd: fc.boolean() })
    .map(({ column, space, atEnd }) => ({
      column,
      value: atEnd ? `${good[column]}${space}` : `${space}${good[column]}`,
    })),
  fc
    .record({ column: fc.constantFrom(...identifiers, ...names), at: fc.nat({ max: 3 }), what: inside })
    .map(({ column, at, what }) => {
      const value = good[column] ?? '';
      return { column, value: value.slice(0, at) + what + value.slice(at) };
    }),
  fc.record({ column: fc.constantFrom(...names), at: fc.nat({ max: 3 }) }).map(({ column, at }) => ({
    column,
    value: `${(good[column] ?? '').slice(0, at)}?${good[column]?.slice(at + 1)}`,
  })),
);

test('an identifier, name or number with any kind of damage is never sent', async () => {
  await fc.assert(
    fc.asyncProperty(damaged, async ({ column, value }) => {
      const sent = await runImport(fileOf([{ ...good, [column]: value }])).then(
        (run) => run.sent,
        (failure: Error) => (/NUL byte/.test(failure.message) ? [] : Promise.reject(failure)),
      );
      expect(sent).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

const people = [
  'Jennifer Null',
  'Ünal Öz',
  "Siobhán O'Brien",
  '李小龙',
  '佐藤 健',
  'Anna-Maria',
  'Na Li',
  'Nguyễn Thảo',
];
const addresses = [
  '北京市朝阳区建国路88号',
  '12 "Rose Court", London',
  'Why Not? Road 1',
  'c/o N/A GmbH',
  '',
  '#7, Main St',
];

/** A clean row, as old systems write it, with values such as `12e5`. */
function cleanRow(number: number): Record<Column, string> {
  const hex = ((number * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0');
  const ids = [`E-${number}`, `${hex}-${number}`, `${number}`, `${hex}e${number}`, `null-${number}`];
  const person = people[number % people.length] ?? '';
  const [first = '', last = ''] = person.split(' ');
  return {
    user_name: number % 3 === 0 ? `${hex}.${number}` : `${number}e${number % 97}`,
    external_id: ids[number % ids.length] ?? '',
    mobile: number % 4 === 0 ? '' : `86-${13_000_000_000 + number}`,
    email: `na+${number}@example.com`,
    zip_code: number % 2 === 0 ? String(number % 100_000).padStart(5, '0') : '',
    name: person,
    first_name: first,
    last_name: last,
    attr_nick_name: number % 5 === 0 ? `${first}!` : '',
    mailing_address: addresses[number % addresses.length] ?? '',
    'extension.number': String(number % 1000),
    algorithm: 'md5',
    hash: goodHashes.md5,
  };
}

test('5,000 clean rows have no issue', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'clean.csv');
    await writeFile(file, fileOf(Array.from({ length: 5000 }, (_, index) => cleanRow(index + 1))));
    const source = await openSource(file, fieldFinder({}));
    try {
      const issues: Issue[] = [];
      let rows = 0;
      for await (const list of validateRows(source, compileColumns(source))) {
        for (const row of list) {
          rows += 1;
          if (!row.user) issues.push(...row.issues);
        }
      }
      expect({ rows, issues: issues.slice(0, 5) }).toEqual({ rows: 5000, issues: [] });
    } finally {
      await source.close();
    }
  });
});
