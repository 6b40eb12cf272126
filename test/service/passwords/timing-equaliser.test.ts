import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTimingEqualiser } from '../../../src/service/passwords/stored-password.ts';

test('the slowest scheme sets the pace, and a single delay does not', async () => {
  const pace = createTimingEqualiser();
  expect(pace.slowest()).toBe(0);
  for (const milliseconds of [20, 20, 120]) await pace.time('slow', () => setTimeout(milliseconds));
  const { result, took } = await pace.time('quick', () => Promise.resolve('done'));
  expect(result).toBe('done');
  expect(took).toBeLessThan(15);
  expect(pace.slowest()).toBeGreaterThan(15);
  expect(pace.slowest()).toBeLessThan(100);
});

test('a scheme that became quicker is remembered as it is now', async () => {
  const pace = createTimingEqualiser();
  await pace.time('any', () => setTimeout(60));
  for (let round = 0; round < 9; round += 1) await pace.time('any', () => Promise.resolve());
  expect(pace.slowest()).toBeLessThan(30);
});
