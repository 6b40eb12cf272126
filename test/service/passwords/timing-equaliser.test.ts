import { expect, test } from 'vitest';
import { createTimingEqualiser, openPasswords } from '../../../src/service/passwords/passwords.ts';

const request = { lane: 'administration', isAbandoned: () => false } as const;

/** An equaliser on a clock that the test moves, and a comparison that takes so many milliseconds on it. */
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

test('the slowest scheme decides, and a single slow comparison does not', async () => {
  const { equaliser, compare } = start();
  expect(equaliser.slowest()).toBe(0);
  for (const milliseconds of [20, 20, 120]) await compare('slow', milliseconds);
  expect(await compare('quick', 3)).toEqual({ result: 'done', took: 3 });
  expect(equaliser.slowest()).toBe(20);
});

test('a scheme that became faster counts with its latest comparisons', async () => {
  const { equaliser, compare } = start();
  await compare('any', 60);
  expect(equaliser.slowest()).toBe(60);
  for (let round = 0; round < 9; round += 1) await compare('any', 2);
  expect(equaliser.slowest()).toBe(2);
});

test('a scheme that was not used for an hour is forgotten', async () => {
  const { equaliser, compare } = start();
  await compare('slow', 900);
  for (let minutes = 0; minutes < 61; minutes += 1) await compare('quick', 60_000);
  await compare('quick', 30);
  expect(equaliser.slowest()).toBe(60_000);
  for (let round = 0; round < 9; round += 1) await compare('quick', 30);
  expect(equaliser.slowest()).toBe(30);
});

/** How many milliseconds a comparison takes, by the beginning of the stored form. */
const costs: [form: RegExp, milliseconds: number][] = [
  [/^\$argon2|"wrapped"/, 30],
  [/"md5"/, 0],
  [/"bcrypt"/, 90],
];
const own = '$argon2id$v=19$m=19456,t=2,p=1$of-the-service';
const md5 = '{"algorithm":"md5","value":"e10adc3949ba59abbe56e057f20f883e"}';
const wrapped = '{"algorithm":"md5","wrapped":"$argon2id$of-the-digest"}';
const bcrypt =
  '{"algorithm":"bcrypt","value":"$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"}';

/**
 * Passwords on a clock that the test moves, on which a comparison takes its cost; and the time that a mismatch takes.
 */
function startPasswords() {
  let time = 0;
  const passwords = openPasswords({
    hash: async () => '$argon2id$decoy',
    verify: async (stored, password) => {
      time += costs.find(([form]) => form.test(stored))?.[1] ?? 0;
      return password === 'right';
    },
    now: () => time,
    sleep: async (milliseconds) => {
      time += milliseconds;
    },
  });
  const timeOf = async (stored: string | null) => {
    const start = time;
    expect(await passwords.compare(stored, 'wrong', request)).toEqual({ matches: false, outdated: false });
    return time - start;
  };
  return { passwords, timeOf };
}

test('a mismatch takes the same time for every stored form, and for a user without a password', async () => {
  const { timeOf } = startPasswords();
  const times = [await timeOf(own), await timeOf(md5), await timeOf(wrapped), await timeOf(null)];
  expect(times).toEqual([30, 30, 30, 30]);
});

test('the time of a mismatch does not reveal that the hashes of the older system are slow', async () => {
  const { timeOf } = startPasswords();
  expect(await timeOf(bcrypt)).toBe(90);
  expect([await timeOf(own), await timeOf(null), await timeOf(bcrypt), await timeOf(md5)]).toEqual([
    90, 90, 90, 90,
  ]);
});

test('a digest is compared even while other tasks occupy every place of the queue', async () => {
  const passwords = openPasswords({
    hash: async () => own,
    verify: (stored) => (stored === md5 ? Promise.resolve(true) : new Promise(() => {})),
  });
  for (let place = 0; place < 8; place += 1) void passwords.compare(own, 'wrong', request);
  expect(await passwords.compare(md5, 'right', request)).toEqual({ matches: true, outdated: true });
});

test('a match does not wait, and a match with a legacy hash asks for a new hash', async () => {
  const { passwords } = startPasswords();
  expect(await passwords.compare(own, 'right', request)).toEqual({ matches: true, outdated: false });
  expect(await passwords.compare(md5, 'right', request)).toEqual({ matches: true, outdated: true });
  expect(await passwords.compare(wrapped, 'right', request)).toEqual({ matches: true, outdated: true });
  const former = '$argon2id$v=19$m=4096,t=3,p=1$of-the-service';
  expect(await passwords.compare(former, 'right', request)).toEqual({ matches: true, outdated: true });
});

test('by default passwords are hashed with 19 MiB and two passes', async () => {
  const passwords = openPasswords();
  const stored = await passwords.hash('right', request);
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.compare(stored, 'right', request)).toEqual({ matches: true, outdated: false });
});

test('one hash that fails does not break every later comparison', async () => {
  let isBroken = true;
  const passwords = openPasswords({
    hash: async () => {
      if (isBroken) throw new Error('out of memory');
      return own;
    },
    verify: async () => true,
  });
  await expect(passwords.compare(own, 'any', request)).rejects.toThrow('out of memory');
  isBroken = false;
  expect(await passwords.compare(own, 'any', request)).toMatchObject({ matches: true });
});
