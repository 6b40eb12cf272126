import { expect, test } from 'vitest';
import type { Lane } from '../../../src/service/passwords/hashing-queue.ts';
import { openPasswords } from '../../../src/service/passwords/passwords.ts';

const own = '$argon2id$v=19$m=19456,t=2,p=1$of-the-service';

/** Passwords whose comparisons end when they are told to, on a machine of so many cores. */
function startPasswords(cores: number) {
  const ends: (() => void)[] = [];
  const passwords = openPasswords({
    hash: async () => own,
    verify: () => new Promise((resolve) => ends.push(() => resolve(true))),
    cores,
  });
  const compare = async (lane: Lane) => {
    const begun = ends.length;
    const done = passwords.compare(own, 'right', { lane, isAbandoned: () => false });
    while (ends.length === begun) await Promise.resolve();
    return { done, end: ends[begun] ?? (() => {}) };
  };
  return { passwords, compare };
}

test('the comparison of a login is told until it has ended', async () => {
  const { passwords, compare } = startPasswords(2);
  expect(passwords.comparing()).toBeUndefined();
  const { done, end } = await compare('logins');
  const comparing = passwords.comparing();
  expect(comparing).toBeInstanceOf(Promise);
  end();
  await comparing;
  await done;
  expect(passwords.comparing()).toBeUndefined();
});

test('with several at once, the one that began last is told', async () => {
  const { passwords, compare } = startPasswords(2);
  const [first, second] = [await compare('logins'), await compare('logins')];
  first.end();
  await first.done;
  const comparing = passwords.comparing();
  expect(comparing).toBeInstanceOf(Promise);
  second.end();
  await comparing;
  expect(passwords.comparing()).toBeUndefined();
});

test.each([
  ['for an application', 2, 'administration'],
  ['where a core is left for it', 3, 'logins'],
] as const)('a comparison %s is not told', async (_what, cores, lane) => {
  const { passwords, compare } = startPasswords(cores);
  const { done, end } = await compare(lane);
  expect(passwords.comparing()).toBeUndefined();
  end();
  await done;
});
