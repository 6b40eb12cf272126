import type { Clock } from '../src/client/retry.ts';

/** A clock that is faster by this factor. Waits keep their order and proportions, and services are real. */
export function fastClock(times: number): Clock {
  return {
    now: () => performance.now() * times,
    schedule(wait, wake) {
      const timer = setTimeout(wake, Math.ceil(wait / times));
      return () => clearTimeout(timer);
    },
  };
}

/** The clock of clients and commands in tests by default, with which waits before retries are short. */
export const testClock = fastClock(50);

/**
 * A clock that stands still, except for the waits of one caller, which end immediately. Only they change the times of
 * events.
 */
export function jumpingClock(): Clock {
  let time = 0;
  return {
    now: () => time,
    schedule(wait, wake) {
      const due = time + wait;
      const timer = setTimeout(() => {
        time = Math.max(time, due);
        wake();
      }, 1);
      return () => clearTimeout(timer);
    },
  };
}
