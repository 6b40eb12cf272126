import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uniqueAttributes } from '../../../../src/contract/normal-forms.ts';
import { keyFields } from '../../../../src/migration/actions/keys.ts';
import { openInput } from '../../../../src/migration/input/open-input.ts';
import { createDuplicateSearch } from '../../../../src/migration/rows/issues/duplicates.ts';
import { type ValidatedRow, validateRows } from '../../../../src/migration/rows/validate-rows.ts';
import { temporaryDirectory } from '../../../world.ts';
import { goodHashes } from '../../hashes.ts';
import { recipeOf } from '../../recipes/recipe-of.ts';

test('values are compared in the form in which the service compares them', () => {
  const search = createDuplicateSearch(10, uniqueAttributes);
  expect(search.add(1, { user_name: 'ann@a', email: 'ann@a', mobile: '13800000001' })).toEqual([]);
  expect(search.add(2, { user_name: 'bob@a', email: 'Ärzte@a', mobile: '852-13800000001' })).toEqual([]);
  expect(search.add(3, { user_name: '1001' })).toEqual([]);
  expect(search.add(4, {})).toEqual([]);
  expect(search.add(5, { user_name: 'ANN@A', email: 'ärzte@A', mobile: '+86-13800000001' })).toEqual([
    { field: 'user_name', first: 1 },
    { field: 'mobile', first: 1 },
    { field: 'email', first: 2 },
  ]);
  expect(search.add(6, { user_name: 'ann@a', email: 'cid@a' })).toEqual([{ field: 'user_name', first: 1 }]);
  expect(search.add(7, { user_name: 'cid@a', email: 'CID@a' })).toEqual([
    { field: 'user_name', first: 6 },
    { field: 'email', first: 6 },
  ]);
});

test('a user name that an earlier row has as e-mail address or mobile number is a duplicate, and the reverse', () => {
  const search = createDuplicateSearch(20, keyFields);
  const ownTwice = {
    user_name: '13800000001',
    email: 'ann@a',
    mobile: '+86-13800000001',
    external_id: 'bob',
  };
  expect(search.add(1, ownTwice)).toEqual([]);
  expect(search.add(2, { user_name: 'ANN@A' })).toEqual([{ field: 'user_name', first: 1 }]);
  expect(search.add(3, { user_name: '86-13800000001' })).toEqual([{ field: 'user_name', first: 1 }]);
  expect(search.add(4, { mobile: '13800000001' })).toEqual([{ field: 'mobile', first: 1 }]);
  expect(search.add(5, { user_name: 'bob' })).toEqual([]);
  expect(search.add(6, { user_name: 'cid@a', external_id: 'ann@a' })).toEqual([]);
  expect(search.add(7, { email: 'CID@a' })).toEqual([{ field: 'email', first: 6 }]);
  expect(search.add(8, { user_name: '852-13800000001' })).toEqual([]);
  expect(search.add(9, { mobile: '+852-13800000001' })).toEqual([{ field: 'mobile', first: 8 }]);
  // Numbers of employees are not mobile numbers.
  expect([search.add(10, { user_name: '86-1001' }), search.add(11, { user_name: '1001' })]).toEqual([[], []]);
  // Without a column of mobile numbers, no user name is one.
  const findNames = createDuplicateSearch(2, ['user_name', 'email']);
  expect(findNames.add(1, { user_name: '86-13800000001' })).toEqual([]);
  expect(findNames.add(2, { user_name: '13800000001' })).toEqual([]);
});

test('in a large file that is read twice, every row of the second pass is a duplicate', () => {
  const rows = 150_000;
  const search = createDuplicateSearch(2 * rows, uniqueAttributes);
  const user = (row: number) => ({ user_name: `u${row}`, email: `u${row}@a`, mobile: `${10_000_000 + row}` });
  const taken: number[] = [];
  for (let row = 1; row <= rows; row += 1) {
    if (search.add(row, user(row)).length > 0) taken.push(row);
  }
  expect(taken).toEqual([]);
  const misnamed: string[] = [];
  for (let row = 1; row <= rows; row += 7) {
    const firsts = search.add(rows + row, user(row)).map(({ first }) => first);
    if (firsts.join() !== `${row},${row},${row}`) misnamed.push(`${row}: ${firsts}`);
  }
  expect(misnamed).toEqual([]);
});

test('the first row is reported correctly, even if the table is as full as it can be', () => {
  const numbers = fc.array(fc.nat({ max: 150 }), { minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(numbers, (list) => {
      const search = createDuplicateSearch(list.length, ['user_name']);
      const plain = new Map<number, number>();
      for (const [index, number] of list.entries()) {
        const row = index + 1;
        const first = plain.get(number);
        if (first === undefined) plain.set(number, row);
        const expected = first === undefined ? [] : [{ field: 'user_name', first }];
        expect(search.add(row, { user_name: `u${number}` })).toEqual(expected);
      }
    }),
    { numRuns: 200 },
  );
});

test('values that collide in a fast hash with every seed are still different values', () => {
  // XXH64 gives them the same digest with every seed.
  const [one, other] = [
    `aha0haja${'m'.repeat(24)}aaaa0s10${'m'.repeat(24)}`,
    `q-dm-e-o${'m'.repeat(24)}aaaax-_g${'m'.repeat(24)}`,
  ];
  const search = createDuplicateSearch(2, ['user_name']);
  expect([search.add(1, { user_name: one }), search.add(2, { user_name: other })]).toEqual([[], []]);
});

test('the table needs at most 9 bytes for each value that the file may have', () => {
  const values = 1_000_000 * uniqueAttributes.length;
  const before = process.memoryUsage().arrayBuffers;
  const search = createDuplicateSearch(1_000_000, uniqueAttributes);
  expect((process.memoryUsage().arrayBuffers - before) / values).toBeLessThan(9);
  expect(search.add(1, { user_name: 'ann' })).toEqual([]);
});

test('a caller can stop while the file is read for those who are not disabled', async () => {
  const file = join(await temporaryDirectory(), 'users.csv');
  await writeFile(file, `login,left,pwd\nann,x,${goodHashes.md5}\nbob,,${goodHashes.md5}\n`);
  const recipe = await recipeOf(
    'fields: { user_name: { column: login } }\npassword: { column: pwd, algorithm: { infer: true } }\ndisable: { where: { column: left, filled: true } }',
  );
  const { source, columns } = await openInput(file, { recipe });
  let read = 0;
  async function* readRows() {
    for await (const list of source.readRows()) {
      read += 1;
      yield list;
    }
  }
  for await (const list of validateRows({ ...source, readRows }, columns)) {
    expect([list, read]).toEqual([[], 1]);
    break;
  }
  await source.close();
});

test('each reading of a file whose recipe disables people finds the same duplicates, also after one that was ended', async () => {
  const file = join(await temporaryDirectory(), 'users.csv');
  const recipe = await recipeOf(
    'fields: { user_name: { column: login }, email: { column: mail } }\npassword: { column: pwd, algorithm: { infer: true } }\ndisable: { where: { column: left, filled: true } }',
  );
  const value = fc.integer({ min: 0, max: 9 });
  const row = fc.record({ login: value, mail: value, left: fc.boolean(), isBroken: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), fc.nat(4), async (list, most) => {
      const lines = list.map(({ login, mail, left, isBroken }) =>
        [`u${login}`, `u${mail}@b.cn`, left ? 'x' : '', isBroken ? 'cut' : goodHashes.md5].join(','),
      );
      await writeFile(file, `login,mail,left,pwd\n${lines.join('\n')}\n`);
      const { source, columns } = await openInput(file, { recipe });
      async function read(sameColumns: typeof columns, lists = Number.POSITIVE_INFINITY): Promise<unknown[]> {
        const found: unknown[] = [];
        for await (const rows of validateRows(source, sameColumns)) {
          found.push(...rows);
          if (found.length >= lists) break;
        }
        return found;
      }
      const first = await read({ ...columns });
      await read(columns, most);
      expect([await read(columns), await read(columns)]).toEqual([first, first]);
      await source.close();
    }),
    { numRuns: 40 },
  );
});

test.each(['', 'disable: { where: { column: state, in: [left] } }'])(
  'each reading names every row that can be sent and has a value of one that is left out, once: %s',
  async (disable) => {
    const file = join(await temporaryDirectory(), 'users.csv');
    const recipe = await recipeOf(`
fields: { user_name: { column: login }, email: { column: mail } }
password: { column: pwd, algorithm: { infer: true } }
skip: { where: [{ column: state, in: [gone] }] }
${disable || 'ignore: []'}
`);
    const value = fc.integer({ min: 0, max: 6 });
    const state = fc.constantFrom('', 'gone', ...(disable ? ['left'] : []));
    const row = fc.record({ login: value, mail: value, state, isBroken: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (list) => {
        const lines = list.map(({ login, mail, state, isBroken }) =>
          [`u${login}`, `u${mail}@b.cn`, state, isBroken ? 'cut' : goodHashes.md5].join(','),
        );
        await writeFile(file, `login,mail,state,pwd\n${lines.join('\n')}\n`);
        const { source, columns } = await openInput(file, { recipe });
        for (const _ of ['first', 'second', 'third']) {
          const rows: ValidatedRow[] = [];
          for await (const some of validateRows(source, columns)) rows.push(...some);
          const gone = rows.flatMap((one) => ('skippedUser' in one && one.skippedUser) || []);
          const expected = rows.filter(
            (row) =>
              row.user &&
              !row.isDisabled &&
              gone.some((one) => one.user_name === row.user?.user_name || one.email === row.user?.email),
          );
          expect(rows.flatMap(({ sharing }) => sharing ?? []).sort((a, b) => a - b)).toEqual(
            expected.map((one) => one.row),
          );
        }
        await source.close();
      }),
      { numRuns: 40 },
    );
  },
);
