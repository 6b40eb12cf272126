import { openPasswords } from '../src/service/passwords/passwords.ts';

/** The least that Argon2id costs. */
export const testCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/**
 * The passwords of test services: the service's own, with the least that Argon2id costs, and without the waits that hide how long
 * a comparison took. What the service costs by itself, and how long it waits, is tested in service/passwords.
 */
export const testPasswords = openPasswords({
  cost: testCost,
  sleep: () => Promise.resolve(),
});
