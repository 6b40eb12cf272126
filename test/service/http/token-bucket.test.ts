import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenBucket } from '../../../src/service/http/token-bucket.ts';

const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 });

test('no more calls pass than burst and rate allow, and a caller who waits as long as told passes', () => {
  const rates = fc.record({
    perSecond: fc.integer({ min: 1, max: 50 }),
    burst: fc.integer({ min: 1, max: 20 }),
  });
  fc.assert(
    fc.property(rates, gaps, ({ perSecond, burst }, waits) => {
      const bucket = createTokenBucket([{ from: 0, perSecond }], burst);
      let elapsed = 0;
      let passed = 0;
      let given = 0;
      for (const wait of waits) {
        elapsed += wait;
        given = bucket.acquire(elapsed);
        if (given === 0) passed += 1;
        expect(passed).toBeLessThanOrEqual(burst + (elapsed * perSecond) / 1000 + 1e-6);
      }
      if (given > 0) expect(bucket.acquire(elapsed + given + 1e-6)).toBe(0);
    }),
  );
});

test('a changed limit holds from the time of the change, and at 0 nothing passes until the next change', () => {
  const bucket = createTokenBucket([
    { from: 0, perSecond: 4 },
    { from: 1000, perSecond: 0 },
    { from: 3000, perSecond: 2 },
  ]);
  const passing = (elapsed: number, calls: number) =>
    Array.from({ length: calls }, () => bucket.acquire(elapsed)).filter((wait) => wait === 0).length;
  expect(passing(0, 6)).toBe(4);
  expect(passing(500, 6)).toBe(2);
  expect(passing(1500, 2)).toBe(0);
  expect(bucket.acquire(1600)).toBe(1400);
  expect(passing(3000, 1)).toBe(0);
  expect(passing(3500, 3)).toBe(1);
  expect(passing(9000, 5)).toBe(2);
});
