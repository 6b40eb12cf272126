import { expect, test } from 'vitest';
import { createBloomFilter } from '../../../src/migration/rows/digest-table.ts';
import { spread } from './spread.ts';

test.each([1, 1000, 4096])('of %d keys none is forgotten, and few others are taken for one', (keys) => {
  const filter = createBloomFilter(keys, 27);
  for (let key = 0; key < keys; key += 1) filter.add(...spread(key));
  for (let key = 0; key < keys; key += 1) expect(filter.mayHave(...spread(key))).toBe(true);
  const others = Array.from({ length: 20_000 }, (_, n) => spread(keys + n));
  const wrong = others.filter((other) => filter.mayHave(...other));
  expect(wrong.length / others.length).toBeLessThan(1 / 30);
});
