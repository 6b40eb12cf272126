import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeTimeIndex } from '../../../../src/service/storage/users/time-index.ts';

const second = fc.integer({ min: 0, max: 40 }).map((value) => value * 1000);
const bound = fc.oneof(second, fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY));

test('finds and counts as going through all users would', () => {
  const users = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 3000, size: 'max' });
  const changes = fc.array(fc.tuple(fc.nat(2999), fc.integer({ min: 0, max: 40_000 })), { maxLength: 20 });
  const page = fc.tuple(fc.nat(3000), fc.integer({ min: 10, max: 100 }));
  fc.assert(
    fc.property(users, changes, bound, bound, page, (times, moved, from, until, [skip, limit]) => {
      const index = makeTimeIndex();
      for (const [at, time] of moved) if (at < times.length) times[at] = time + 1;
      for (const [at, time] of times.entries()) index.set(at + 1, time);
      const seqs = times.flatMap((time, at) => (time >= from && time < until ? [at + 1] : []));
      const expected = { total: seqs.length, page: seqs.slice(skip, skip + limit) };
      expect(index.find(from, until, skip, limit)).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('a user whose time changes is found by the new one only', () => {
  const index = makeTimeIndex();
  for (let seq = 1; seq <= 5000; seq += 1) index.set(seq, 1000);
  index.set(4000, 9000);
  expect(index.find(9000, 10_000, 0, 10)).toEqual({ total: 1, page: [4000] });
  expect(index.find(0, 9000, 3998, 10)).toEqual({ total: 4999, page: [3999, ...range(4001, 9)] });
});

test('times before 1970 and after 2106 count as the ends of this span', () => {
  const index = makeTimeIndex();
  for (const [at, time] of [-5000, 0, Date.UTC(2026, 0), Date.UTC(2200, 0)].entries())
    index.set(at + 1, time);
  expect(index.find(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 10).total).toBe(4);
  expect(index.find(Date.UTC(2025, 0), Number.POSITIVE_INFINITY, 0, 10).page).toEqual([3, 4]);
  expect(index.find(Number.NEGATIVE_INFINITY, Date.UTC(2025, 0), 0, 10).page).toEqual([1, 2]);
});

function range(first: number, length: number): number[] {
  return Array.from({ length }, (_, index) => first + index);
}
