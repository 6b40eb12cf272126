import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';

/** Tries of one query, statement or transaction. */
export const mostTries = 12;

/** Longest pause before a try, in milliseconds. */
const longest = 250;

/**
 * True when another transaction was in the way (40001, 40P01): nothing has happened, and to try again is the rule. Some
 * engines do not queue writers, but let all of them start and refuse all but one. 40003 leaves the outcome open.
 */
export function isRace(error: unknown): boolean {
  return error instanceof DatabaseError && error.code?.startsWith('40') === true && error.code !== '40003';
}

/** Waits before another try: longer each time, and not as long as others who failed at the same moment. */
export function pause(tries: number): Promise<void> {
  return sleep(Math.random() * Math.min(longest, 2 ** tries));
}

/** Runs something that has no effect when it fails, again after each failure that passes. */
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
