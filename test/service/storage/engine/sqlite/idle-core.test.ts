import { cpus } from 'node:os';
import { expect, test } from 'vitest';
import { readCores, watchIdleCore } from '../../../../../src/service/storage/engine/sqlite/writer.ts';

/** A machine whose cores are as idle as `idle` says: so many of them, on average. */
function machine(cores: number) {
  let time = 1000;
  let idleTime = 5000;
  const isIdle = watchIdleCore(
    () => ({ cores, idle: idleTime, all: time * cores }),
    () => time,
  );
  return {
    isIdle,
    pass(milliseconds: number, idle: number) {
      time += milliseconds;
      idleTime += milliseconds * idle;
    },
  };
}

test.each([
  [2, 0, false],
  [2, 0.7, false],
  [2, 0.8, true],
  [2, 2, true],
  [8, 0.5, false],
  [8, 1, true],
])('of %d cores %d are idle: is one? %s', (cores, idle, expected) => {
  const { isIdle, pass } = machine(cores);
  expect(isIdle()).toBe(false);
  pass(499, idle);
  expect(isIdle()).toBe(false);
  pass(1, idle);
  expect(isIdle()).toBe(expected);
});

test('each answer is about the time since the one before', () => {
  const { isIdle, pass } = machine(2);
  isIdle();
  pass(600, 0);
  expect(isIdle()).toBe(false);
  pass(600, 1);
  expect(isIdle()).toBe(true);
  pass(600, 0);
  expect(isIdle()).toBe(false);
});

test('a long time in which nobody asked says nothing about now', () => {
  const { isIdle, pass } = machine(2);
  isIdle();
  pass(60_000, 2);
  expect(isIdle()).toBe(false);
  pass(500, 0);
  expect(isIdle()).toBe(false);
});

test('where the system counts no time there is no idle core', () => {
  let time = 0;
  const isIdle = watchIdleCore(
    () => ({ cores: 2, idle: 0, all: 0 }),
    () => time,
  );
  isIdle();
  time += 600;
  expect(isIdle()).toBe(false);
});

test('the times of this machine are of all its cores, and go on', async () => {
  const first = readCores();
  expect(first.cores).toBe(cpus().length);
  expect(first.idle).toBeLessThanOrEqual(first.all);
  await expect.poll(() => readCores().all, { timeout: 10_000 }).toBeGreaterThan(first.all);
  expect(readCores().idle).toBeGreaterThanOrEqual(first.idle);
});
