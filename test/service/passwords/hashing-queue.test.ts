import { expect, test } from 'vitest';
import { takeTurns } from '../../../src/service/passwords/hashing-queue.ts';

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
  const inTurn = takeTurns({ atOnce: () => 2, restAfter: () => 0 });
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
  const inTurn = takeTurns({ atOnce: () => 1, restAfter: () => 0 });
  const started: number[] = [];
  const [one, two] = [task(started, 1), task(started, 2)];
  const results = [inTurn(one.run), inTurn(two.run)];
  one.fail();
  await expect(results[0]).rejects.toThrow('failed');
  two.end();
  expect(await results[1]).toBe(2);
  expect(await inTurn(() => Promise.resolve(3))).toBe(3);
});

test('when more may run at once, those who wait come in with the next that ends', async () => {
  let most = 1;
  const inTurn = takeTurns({ atOnce: () => most, restAfter: () => 0 });
  const started: number[] = [];
  const tasks = [0, 1, 2, 3].map((number) => task(started, number));
  const results = tasks.map(({ run }) => inTurn(run));
  most = 2;
  tasks[0]?.end();
  await results[0];
  expect(started).toEqual([0, 1, 2]);
  most = 1;
  tasks[1]?.end();
  await results[1];
  expect(started).toEqual([0, 1, 2]);
  for (const { end } of tasks) end();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
});

test('after a task its place stays empty for as long as it shall', async () => {
  const inTurn = takeTurns({ atOnce: () => 1, restAfter: () => 50 });
  const started: number[] = [];
  const [one, two] = [task(started, 1), task(started, 2)];
  const results = [inTurn(one.run), inTurn(two.run)];
  const began = performance.now();
  one.end();
  expect(await results[0]).toBe(1);
  two.end();
  expect(await results[1]).toBe(2);
  expect(performance.now() - began).toBeGreaterThan(45);
  expect(started).toEqual([1, 2]);
});
