import { expect, test } from 'vitest';
import { openDuplicateFinder } from '../../../src/migration/rows/duplicates.ts';

test('a key is that of its field, in the form in which the service compares it', () => {
  const seen = openDuplicateFinder(10);
  try {
    expect(seen.enter(1, { user_name: 'ann@a', email: 'ann@a', mobile: '13800000001' })).toEqual([]);
    expect(seen.enter(2, { user_name: 'bob@a', email: 'Ärzte@a', mobile: '852-13800000001' })).toEqual([]);
    expect(seen.enter(3, { user_name: '13800000001' })).toEqual([]);
    expect(seen.enter(4, {})).toEqual([]);
    expect(seen.enter(5, { user_name: 'ANN@A', email: 'ärzte@A', mobile: '+86-13800000001' })).toEqual([
      { unique: 0, first: 1 },
      { unique: 1, first: 1 },
      { unique: 2, first: 2 },
    ]);
    expect(seen.enter(6, { user_name: 'ann@a', email: 'cid@a' })).toEqual([{ unique: 0, first: 1 }]);
    expect(seen.enter(7, { user_name: 'cid@a', email: 'CID@a' })).toEqual([{ unique: 2, first: 6 }]);
  } finally {
    seen.close();
  }
});

test('all rows of a large file, then all of them again', () => {
  const rows = 150_000;
  const seen = openDuplicateFinder(2 * rows);
  const user = (row: number) => ({ user_name: `u${row}`, email: `u${row}@a`, mobile: `${10_000_000 + row}` });
  try {
    for (let row = 1; row <= rows; row += 1) {
      if (seen.enter(row, user(row)).length > 0) throw new Error(`row ${row} is taken for a repeat`);
    }
    for (let row = 1; row <= rows; row += 7) {
      const firsts = seen.enter(rows + row, user(row)).map(({ first }) => first);
      if (firsts.join() !== `${row},${row},${row}`) throw new Error(`row ${row} is named ${firsts}`);
    }
  } finally {
    seen.close();
  }
});

test('values that were made to clash in a fast hash, whatever its seed, are two keys', () => {
  // XXH64 gives them the same digest with every seed.
  const [one, other] = [
    `aha0haja${'m'.repeat(24)}aaaa0s10${'m'.repeat(24)}`,
    `q-dm-e-o${'m'.repeat(24)}aaaax-_g${'m'.repeat(24)}`,
  ];
  const seen = openDuplicateFinder(2);
  expect([seen.enter(1, { user_name: one }), seen.enter(2, { user_name: other })]).toEqual([[], []]);
  seen.close();
});
