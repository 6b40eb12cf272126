import { openPasswords } from '../src/service/passwords/passwords.ts';

/** The lowest cost of Argon2id. */
export const testCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/**
 * The passwords of test services. They are the service's own, with the lowest cost of Argon2id, and without the waits
 * that hide how long a comparison took. The real cost and the waits are tested in service/passwords.
 */
export const testPasswords = openPasswords({
  cost: testCost,
  sleep: () => Promise.resolve(),
});
