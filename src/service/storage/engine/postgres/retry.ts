import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';

/** Maximum number of tries of a query, statement or transaction. */
export const mostTries = 12;

/** Longest pause before a try, in milliseconds. */
const longest = 250;

/**
 * True if another transaction was in the way (40001, 40P01): nothing has happened, and the rule is to try again. Some engines do
 * not queue writers, but let all of them start and reject all but one. 40003 leaves the outcome open.
 */
export function isRace(error: unknown): boolean {
  return error instanceof DatabaseError && error.code?.startsWith('40') === true && error.code !== '40003';
}

/** Waits before another try: longer each time, and for a random time, so that competitors do not retry simultaneously. */
export function pause(tries: number): Promise<void> {
  return sleep(Math.random() * Math.min(longest, 2 ** tries));
}

/** Runs something that has no effect if it fails, and retries it after temporary failures. */
export async function insist<Result>(
  run: () => Promise<Result>,
  passes: (error: unknown) => boolean = isRace,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === mostTries || !passes(error)) throw error;
      await pause(tries);
    }
  }
}
