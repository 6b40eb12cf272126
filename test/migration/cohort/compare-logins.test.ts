import { expect, test } from 'vitest';
import { createLoginComparison, falseAlarms } from '../../../src/migration/cohort/compare-logins.ts';

/** Random numbers from 0 to 1, the same in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Population {
  /** The number of users of each algorithm, and the relative odds that they log in. */
  users: readonly number[];
  odds: readonly number[];
}

/**
 * Lets people log in one by one, and looks after every `each` logins. Returns the number of logins at the first alarm.
 */
function firstAlarm({ users, odds }: Population, logins: number, each: number, random: () => number) {
  const look = createLoginComparison();
  const never = [...users];
  for (let login = 1; login <= logins; login += 1) {
    const weights = never.map((left, at) => left * (odds[at] ?? 0));
    let point = random() * weights.reduce((sum, weight) => sum + weight, 0);
    let who = 0;
    for (; point >= (weights[who] ?? 0) && who < weights.length - 1; who += 1) point -= weights[who] ?? 0;
    never[who] = (never[who] ?? 0) - 1;
    if (login % each > 0) continue;
    const counts = never.map((left, at) => ({
      algorithm: `a${at}`,
      logged_in: (users[at] ?? 0) - left,
      never: left,
    }));
    const behind = look(counts).filter(({ isOutOfLine }) => isOutOfLine);
    if (behind.length > 0) return { login, algorithms: behind.map(({ algorithm }) => algorithm) };
  }
  return undefined;
}

test.each([
  ['all alike', { users: [200, 200, 200], odds: [1, 1, 1] }, 1],
  [
    'one at half the odds, at the margin of what is in line',
    { users: [200, 200, 200], odds: [0.5, 1, 1] },
    1,
  ],
  ['the same, looked at seldom', { users: [100, 400, 100], odds: [1, 0.5, 1] }, 20],
] as const)('%s: at most one watch in a hundred raises a false alarm', (_, population, each) => {
  const [random, watches] = [randomFrom(16), 500];
  let alarms = 0;
  for (let run = 0; run < watches; run += 1) {
    if (firstAlarm(population, 300, each, random)) alarms += 1;
  }
  expect(alarms).toBeLessThanOrEqual(watches * falseAlarms);
});

test.each([
  ['half of the users', [500, 250, 250], 17],
  ['a third', [300, 300, 300], 30],
  ['a tenth', [100, 450, 450], 115],
  ['a twentieth', [100, 950, 950], 238],
] as const)(
  'if the hashes of %s do not work, an alarm comes within the given number of logins, for that algorithm alone',
  (_, users, most) => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const alarm = firstAlarm({ users, odds: [0, 1, 1] }, most, 1, randomFrom(seed));
      expect(alarm?.algorithms).toEqual(['a0']);
    }
  },
);

test('an algorithm with which only one in ten can log in is found as well', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const alarm = firstAlarm({ users: [300, 300, 300], odds: [0.1, 1, 1] }, 250, 1, randomFrom(seed));
    expect(alarm?.algorithms).toEqual(['a0']);
  }
});

/**
 * All ways in which these first logins can be divided between two algorithms, with their probabilities at these odds of
 * the first.
 */
function outcomesOf(own: number, others: number, logins: number, odds: number) {
  const choose = (n: number, k: number) => {
    let ways = 1;
    for (let at = 1; at <= k; at += 1) ways = (ways * (n - k + at)) / at;
    return ways;
  };
  const ways = Array.from({ length: logins + 1 }, (_, mine) => ({
    mine,
    weight:
      mine > own || logins - mine > others
        ? 0
        : choose(own, mine) * choose(others, logins - mine) * odds ** mine,
  })).filter(({ weight }) => weight > 0);
  const all = ways.reduce((sum, { weight }) => sum + weight, 0);
  return ways.map(({ mine, weight }) => ({ mine, probability: weight / all }));
}

test('the evidence is on average 1 at the limit, and less for every algorithm whose users log in like the others', () => {
  const meanAt = (own: number, others: number, logins: number, odds: number) => {
    let mean = 0;
    for (const { mine, probability } of outcomesOf(own, others, logins, odds)) {
      const look = createLoginComparison();
      const [first] = look([
        { algorithm: 'mine', logged_in: mine, never: own - mine },
        { algorithm: 'others', logged_in: logins - mine, never: others - logins + mine },
      ]);
      mean += probability * (first?.evidence ?? 0);
    }
    return mean;
  };
  for (const [own, others, logins] of [
    [5, 7, 4],
    [3, 20, 12],
    [12, 4, 9],
    [1, 1, 1],
  ] as const) {
    expect(meanAt(own, others, logins, 0.5)).toBeCloseTo(1, 9);
    expect(meanAt(own, others, logins, 1)).toBeLessThan(1);
    expect(meanAt(own, others, logins, 3)).toBeLessThan(1);
    expect(meanAt(own, others, logins, 0.05)).toBeGreaterThan(1);
  }
});

test('there is no alarm without logins, with one algorithm alone, or for an algorithm whose users are a little slower', () => {
  const look = createLoginComparison();
  const none = look([
    { algorithm: 'md5', logged_in: 0, never: 1000 },
    { algorithm: 'bcrypt', logged_in: 0, never: 1000 },
  ]);
  expect(none.map(({ evidence }) => evidence)).toEqual([1, 1]);
  expect(createLoginComparison()([{ algorithm: 'md5', logged_in: 3, never: 1000 }])).toMatchObject([
    { isOutOfLine: false },
  ]);
  const [late] = createLoginComparison()([
    { algorithm: 'md5', logged_in: 6800, never: 3200 },
    { algorithm: 'bcrypt', logged_in: 9000, never: 1000 },
  ]);
  expect(late).toMatchObject({ isOutOfLine: false });
  expect(late?.evidence).toBeGreaterThan(200);
});
