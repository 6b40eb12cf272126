import type { Clock } from '../src/client/retry.ts';

/** A clock that runs so many times faster: what waits keeps its order and its proportions, and services are the real ones. */
export function fastClock(times: number): Clock {
  return {
    now: () => performance.now() * times,
    schedule(wait, wake) {
      const timer = setTimeout(wake, Math.ceil(wait / times));
      return () => clearTimeout(timer);
    },
  };
}

/** The clock of clients and commands in tests, unless they have another: waits before retries are short. */
export const testClock = fastClock(50);

/** A clock that stands still but for the waits of one waiter, which are over at once: the times of events differ by them alone. */
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
