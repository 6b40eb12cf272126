import { expect, test } from 'vitest';
import { hashPace } from '../../../src/service/passwords/hashing-queue.ts';

/**
 * The pace on a machine with this number of cores. `pass` simulates milliseconds active and idle, events and hashes.
 */
function paceOn(cores: number) {
  const loop = { active: 0, idle: 0, events: 0 };
  let ended = 0;
  const { limit, rest } = hashPace(cores, () => ({ ...loop }));
  const pass = (active: number, idle: number, events = 0, hashes = 0) => {
    loop.active += active;
    loop.idle += idle;
    loop.events += events;
    ended += hashes;
    return limit(ended);
  };
  return { limit: () => limit(ended), pass, rest };
}

test.each([
  [1, 2, 1],
  [2, 3, 1],
  [3, 3, 2],
  [4, 3, 3],
  [64, 3, 3],
])('on %i cores %i hashes run at once, and %i while the event loop is busy', (cores, alone, busy) => {
  const { limit, pass } = paceOn(cores);
  const limits = [limit(), pass(10, 50), pass(60, 20), pass(45, 15), pass(44, 16), pass(0, 100)];
  expect(limits).toEqual([alone, alone, busy, busy, alone, alone]);
});

test('the load is measured over a period, not at one moment', () => {
  const { pass } = paceOn(2);
  expect([pass(20, 0), pass(20, 0), pass(20, 0), pass(0, 20), pass(0, 40)]).toEqual([3, 3, 1, 1, 3]);
});

test('the event loop also counts as busy when it handles many more events than hashes cause, even if it is idle', () => {
  const { pass } = paceOn(2);
  const limits = [
    pass(5, 55, 60, 4),
    pass(5, 55, 119, 4),
    pass(5, 55, 120, 4),
    pass(5, 55, 30),
    pass(5, 55, 29),
  ];
  expect(limits).toEqual([3, 3, 1, 1, 3]);
});

test.each([
  [1, 30],
  [2, 30],
  [3, 0],
])(
  'on %i cores, a hash of 20 ms makes the next one wait for %i ms while the event loop is busy',
  (cores, pause) => {
    const { pass, rest } = paceOn(cores);
    pass(10, 50);
    const before = rest(20);
    pass(60, 0);
    expect([before, rest(20)]).toEqual([0, pause]);
  },
);
