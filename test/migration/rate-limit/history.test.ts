import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordHistory } from '../../../src/migration/rate-limit/history.ts';

test('the history has at most 300 samples without gaps, however long the run, and counts every call', () => {
  const waits = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 500 });
  fc.assert(
    fc.property(waits, (steps) => {
      const series = recordHistory(1000);
      let time = 1000;
      for (const [index, wait] of steps.entries()) {
        time += wait;
        series.note(time, index % 3 === 0 ? 'throttled' : 'answered', 8, index % 2 ? Infinity : 50);
      }
      const samples = series.samples();
      expect(samples.length).toBeLessThanOrEqual(300);
      for (const [index, sample] of samples.entries()) expect(sample.at).toBeCloseTo(index * sample.seconds);
      const sum = (what: 'answered' | 'throttled') =>
        samples.reduce((total, sample) => total + sample[what], 0);
      expect(sum('throttled')).toBe(Math.ceil(steps.length / 3));
      expect(sum('answered')).toBe(steps.length - Math.ceil(steps.length / 3));
      const end = (samples.at(-1)?.at ?? 0) + (samples.at(-1)?.seconds ?? 0);
      expect(end * 1000).toBeGreaterThanOrEqual(time - 1000);
    }),
  );
});

test('each sample has the limit at its end', () => {
  const series = recordHistory(0);
  series.note(0, 'answered', 8, Infinity);
  series.note(100, 'failed', 16, 50);
  expect(series.samples()).toEqual([
    { at: 0, seconds: 0.25, answered: 1, throttled: 0, failed: 1, concurrency: 16, rate: 50 },
  ]);
});
