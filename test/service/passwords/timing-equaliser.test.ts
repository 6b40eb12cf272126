import { expect, test } from 'vitest';
import { createTimingEqualiser } from '../../../src/service/passwords/stored-password.ts';

/** An equaliser with a clock of its own, and a comparison that takes so many milliseconds of it. */
function start() {
  let time = 1000;
  const equaliser = createTimingEqualiser(() => time);
  const compare = (scheme: string, milliseconds: number) =>
    equaliser.time(scheme, async () => {
      time += milliseconds;
      return 'done';
    });
  return { equaliser, compare };
}

test('the slowest scheme decides, and a single delay does not', async () => {
  const { equaliser, compare } = start();
  expect(equaliser.slowest()).toBe(0);
  for (const milliseconds of [20, 20, 120]) await compare('slow', milliseconds);
  expect(await compare('quick', 3)).toEqual({ result: 'done', took: 3 });
  expect(equaliser.slowest()).toBe(20);
});

test('a scheme that became quicker counts with its latest comparisons', async () => {
  const { equaliser, compare } = start();
  await compare('any', 60);
  expect(equaliser.slowest()).toBe(60);
  for (let round = 0; round < 9; round += 1) await compare('any', 2);
  expect(equaliser.slowest()).toBe(2);
});
