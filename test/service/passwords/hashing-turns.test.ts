import { expect, test } from 'vitest';
import { createHashingTurns } from '../../../src/service/passwords/hashing-queue.ts';

/** The turns on a machine of so many cores, and the clock and the event loop that they look at. */
function turnsOn(cores: number) {
  const state = { time: 0, events: 0 };
  const turns = createHashingTurns(
    cores,
    () => state.time,
    () => state.events,
  );
  /** Lets a time pass in which so many hashes end, and the event loop handles so many events. */
  const pass = (milliseconds: number, hashes: number, events: number) => {
    for (let hash = 0; hash < hashes; hash += 1) turns.restAfter(10);
    state.time += milliseconds;
    state.events += events;
    return turns.atOnce();
  };
  return { turns, pass };
}

test.each([
  [1, 2, 1],
  [2, 3, 1],
  [3, 3, 2],
  [4, 3, 3],
  [64, 3, 3],
])('on %i cores %i at once, and %i beside other requests', (cores, alone, beside) => {
  const { turns, pass } = turnsOn(cores);
  const atOnce = [turns.atOnce(), pass(60, 6, 30), pass(60, 6, 300), pass(60, 6, 30), pass(60, 0, 10)];
  expect(atOnce).toEqual([alone, alone, beside, alone, alone]);
});

test('a moment says nothing: it is looked at again after a while', () => {
  const { pass } = turnsOn(2);
  const atOnce = [pass(10, 1, 300), pass(10, 1, 300), pass(40, 1, 300), pass(10, 1, 0), pass(45, 1, 0)];
  expect(atOnce).toEqual([3, 3, 1, 1, 3]);
});

test.each([
  [2, 12],
  [4, 0],
])('beside other requests, on %i cores, a hash of 12 ms is followed by %i ms of rest', (cores, rest) => {
  const { turns, pass } = turnsOn(cores);
  expect(turns.restAfter(12)).toBe(0);
  pass(60, 1, 1000);
  expect(turns.restAfter(12)).toBe(rest);
});
