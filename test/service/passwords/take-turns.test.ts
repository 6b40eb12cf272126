import { expect, test } from 'vitest';
import { takeTurns } from '../../../src/service/passwords/take-turns.ts';

/** A task that ends when it is told to. */
function task(started: number[], number: number) {
  let settle = { end: () => {}, fail: () => {} };
  const promise = new Promise<number>((resolve, reject) => {
    settle = { end: () => resolve(number), fail: () => reject(new Error('failed')) };
  });
  const run = () => {
    started.push(number);
    return promise;
  };
  return { run, ...settle };
}

test('at most so many run at once, and the others follow in the order in which they came', async () => {
  const inTurn = takeTurns(2);
  const started: number[] = [];
  const tasks = [0, 1, 2, 3].map((number) => task(started, number));
  const results = tasks.map(({ run }) => inTurn(run));
  expect(started).toEqual([0, 1]);
  tasks[1]?.end();
  expect(await results[1]).toBe(1);
  expect(started).toEqual([0, 1, 2]);
  for (const { end } of tasks) end();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
});

test('a task that fails gives its turn on', async () => {
  const inTurn = takeTurns(1);
  const started: number[] = [];
  const [one, two] = [task(started, 1), task(started, 2)];
  const results = [inTurn(one.run), inTurn(two.run)];
  one.fail();
  await expect(results[0]).rejects.toThrow('failed');
  two.end();
  expect(await results[1]).toBe(2);
  expect(await inTurn(() => Promise.resolve(3))).toBe(3);
});
