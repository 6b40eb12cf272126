import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDigestTable, type TableSize } from '../../../src/migration/rows/digest-table.ts';
import { spread } from './spread.ts';

/** Rows of a key each, and for each row the one that had its key first: as told, and as a plain search finds it. */
function both(numbers: readonly number[], room?: TableSize) {
  const rows = openDigestTable(new Set(numbers).size, room);
  const plain = new Map<number, number>();
  try {
    const told = numbers.map((number, index) => rows.enter(...spread(number), index + 1));
    const found = numbers.map((number, index) => {
      if (!plain.has(number)) plain.set(number, index + 1);
      return plain.get(number);
    });
    return { told, found };
  } finally {
    rows.close();
  }
}

test('however little room there is, the first row is told exactly', () => {
  const rooms = fc.record({
    tables: fc.integer({ min: 1, max: 3 }),
    slots: fc.integer({ min: 2, max: 9 }),
    // The smallest filter is soon full of ones, and takes each key for one that was moved.
    filter: fc.integer({ min: 5, max: 12 }),
  });
  const numbers = fc.array(fc.nat({ max: 150 }), { minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(rooms, numbers, (room, list) => {
      const { told, found } = both(list, room);
      expect(told).toEqual(found);
    }),
    { numRuns: 200 },
  );
});

test('over tables that are moved again and again', () => {
  const keys = 30_000;
  const again = Array.from({ length: keys }, (_, n) => (n * 7919) % (2 * keys));
  const { told, found } = both([...Array(keys).keys(), ...again], { tables: 4, slots: 64, filter: 18 });
  // Compared as text: to compare arrays of this length item by item takes seconds.
  expect(told.join() === found.join()).toBe(true);
  expect(told.slice(keys).filter((row) => row <= keys).length).toBeGreaterThan(keys / 3);
});
