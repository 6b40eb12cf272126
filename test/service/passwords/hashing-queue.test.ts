import { expect, test } from 'vitest';
import { createQueue } from '../../../src/service/passwords/hashing-queue.ts';

/** A task that runs until the test ends it. */
function task(started: number[], number: number) {
  let control = { end: () => {}, fail: () => {} };
  const promise = new Promise<number>((resolve, reject) => {
    control = { end: () => resolve(number), fail: () => reject(new Error('failed')) };
  });
  const run = () => {
    started.push(number);
    return promise;
  };
  return { run, ...control };
}

const logins = { lane: 'logins', isAbandoned: () => false } as const;
const administration = { lane: 'administration', isAbandoned: () => false } as const;

const paceOf = (limit: () => number) => ({ limit, rest: () => 0 });

test('no more tasks than the limit run at once, and the others follow in the order in which they arrived', async () => {
  const { enqueue } = createQueue(paceOf(() => 2));
  const started: number[] = [];
  const tasks = [0, 1, 2, 3].map((number) => task(started, number));
  const results = tasks.map(({ run }) => enqueue(run, administration));
  expect(started).toEqual([0, 1]);
  tasks[1]?.end();
  expect(await results[1]).toBe(1);
  expect(started).toEqual([0, 1, 2]);
  for (const { end } of tasks) end();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
});

test('a task that fails lets the next one start', async () => {
  const { enqueue } = createQueue(paceOf(() => 1));
  const started: number[] = [];
  const [one, two] = [task(started, 1), task(started, 2)];
  const results = [enqueue(one.run, administration), enqueue(two.run, administration)];
  one.fail();
  await expect(results[0]).rejects.toThrow('failed');
  two.end();
  expect(await results[1]).toBe(2);
  expect(await enqueue(() => Promise.resolve(3), administration)).toBe(3);
});

test('when the limit is raised, waiting tasks start as soon as the next task ends', async () => {
  let most = 1;
  const { enqueue } = createQueue(paceOf(() => most));
  const started: number[] = [];
  const tasks = [0, 1, 2, 3].map((number) => task(started, number));
  const results = tasks.map(({ run }) => enqueue(run, administration));
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

test('logins and administration take turns, even if many more of one kind are waiting', async () => {
  const { enqueue } = createQueue(paceOf(() => 1));
  const started: number[] = [];
  const tasks = [0, 1, 2, 3, 4, 5].map((number) => task(started, number));
  const lanes = [logins, logins, logins, logins, administration, administration];
  const results = tasks.map(({ run }, index) => enqueue(run, lanes[index] ?? administration));
  for (const { end } of tasks) end();
  await Promise.all(results);
  expect(started).toEqual([0, 1, 4, 2, 5, 3]);
});

test('background tasks run when no other task waits', async () => {
  const { enqueue } = createQueue(paceOf(() => 1));
  const started: number[] = [];
  const tasks = [0, 1, 2, 3].map((number) => task(started, number));
  const background = { lane: 'background', isAbandoned: () => false } as const;
  const lanes = [logins, background, logins, administration];
  const results = tasks.map(({ run }, index) => enqueue(run, lanes[index] ?? administration));
  for (const { end } of tasks) end();
  await Promise.all(results);
  expect(started).toEqual([0, 2, 3, 1]);
});

test('a full lane rejects tasks immediately, and the other lane still accepts them', async () => {
  const { enqueue } = createQueue(
    paceOf(() => 1),
    { logins: 2, administration: 2, background: 1 },
  );
  const started: number[] = [];
  const tasks = [0, 1, 2, 3, 4].map((number) => task(started, number));
  const lanes = [logins, logins, logins, logins, administration];
  const results = tasks.map(({ run }, index) => enqueue(run, lanes[index] ?? administration));
  await expect(results[3]).rejects.toMatchObject({ status: 503 });
  for (const { end } of tasks) end();
  expect(await Promise.all([results[0], results[1], results[2], results[4]])).toEqual([0, 1, 2, 4]);
});

test('in a full lane, tasks whose callers have gone make room', async () => {
  const { enqueue } = createQueue(
    paceOf(() => 1),
    { logins: 2, administration: 2, background: 1 },
  );
  const started: number[] = [];
  const tasks = [0, 1, 2].map((number) => task(started, number));
  const last = task(started, 3);
  let isGone = false;
  const leaving = { lane: 'logins', isAbandoned: () => isGone } as const;
  const [running, left, stays] = tasks.map(({ run }, index) => enqueue(run, index === 1 ? leaving : logins));
  isGone = true;
  const next = enqueue(last.run, logins);
  await expect(left).rejects.toMatchObject({ status: 503 });
  for (const { end } of [...tasks, last]) end();
  expect(await Promise.all([running, stays, next])).toEqual([0, 2, 3]);
  expect(started).toEqual([0, 2, 3]);
});

test('a task whose caller has gone is not started', async () => {
  const { enqueue } = createQueue(paceOf(() => 1));
  const started: number[] = [];
  const tasks = [0, 1, 2].map((number) => task(started, number));
  const gone = { lane: 'logins', isAbandoned: () => true } as const;
  const results = tasks.map(({ run }, index) => enqueue(run, index === 1 ? gone : logins));
  for (const { end } of tasks) end();
  await expect(results[1]).rejects.toMatchObject({ status: 503 });
  expect([await results[0], await results[2]]).toEqual([0, 2]);
  expect(started).toEqual([0, 2]);
});

/** A queue of one place that pauses until the test ends the pause. */
function openResting() {
  const pauses: { milliseconds: number; end(): void }[] = [];
  const sleep = (milliseconds: number) => new Promise<void>((end) => void pauses.push({ milliseconds, end }));
  return { pauses, ...createQueue({ limit: () => 1, rest: () => 7 }, undefined, sleep) };
}

test('the place of a task pauses before the next task takes it, except after a login', async () => {
  const { pauses, enqueue } = openResting();
  const started: number[] = [];
  const tasks = [0, 1, 2].map((number) => task(started, number));
  const results = tasks.map(({ run }, index) => enqueue(run, index === 0 ? logins : administration));
  tasks[0]?.end();
  expect(await results[0]).toBe(0);
  expect({ started, pauses }).toEqual({ started: [0, 1], pauses: [] });
  tasks[1]?.end();
  expect(await results[1]).toBe(1);
  expect({ started, pauses }).toMatchObject({ started: [0, 1], pauses: [{ milliseconds: 7 }] });
  pauses[0]?.end();
  tasks[2]?.end();
  expect(await results[2]).toBe(2);
});

test('a login does not wait for a pause to end', async () => {
  const { pauses, enqueue } = openResting();
  const started: number[] = [];
  const [first, second, login] = [task(started, 0), task(started, 1), task(started, 2)];
  const created = enqueue(first.run, administration);
  first.end();
  await created;
  const later = enqueue(second.run, administration);
  const loggedIn = enqueue(login.run, logins);
  for (const { end } of [second, login]) end();
  expect(await loggedIn).toBe(2);
  expect(started).toEqual([0, 2]);
  pauses[0]?.end();
  expect(await later).toBe(1);
});

test('a login does not wait for background tasks, and other tasks do', async () => {
  const { enqueue } = createQueue(paceOf(() => 1));
  const started: number[] = [];
  const tasks = [0, 1, 2].map((number) => task(started, number));
  const background = { lane: 'background', isAbandoned: () => false } as const;
  const lanes = [background, administration, logins];
  const results = tasks.map(({ run }, index) => enqueue(run, lanes[index] ?? administration));
  tasks[2]?.end();
  expect(await results[2]).toBe(2);
  expect(started).toEqual([0, 2]);
  for (const { end } of tasks) end();
  await Promise.all(results);
  expect(started).toEqual([0, 2, 1]);
});

test('with four threads, hashing leaves one for other work', async () => {
  const { enqueue } = createQueue(paceOf(() => 3));
  const started: number[] = [];
  const tasks = [0, 1, 2, 3].map((number) => task(started, number));
  const background = { lane: 'background', isAbandoned: () => false } as const;
  const results = tasks.map(({ run }, index) => enqueue(run, index === 0 ? background : logins));
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toEqual([0, 1, 2]);
  for (const { end } of tasks) end();
  await Promise.all(results);
});
