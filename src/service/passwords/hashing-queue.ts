import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { systemBusyNow } from '../errors/api-error.ts';

/** Who waits: callers who log in and need no credentials, applications with a token, or nobody. */
export type Lane = 'logins' | 'administration' | 'background';

/** What the queue knows about a task. */
export interface HashingRequest {
  lane: Lane;
  /** Has the caller gone? Then the task is not begun. */
  isAbandoned(): boolean;
}

/** Tasks that may wait in each lane: about two seconds of work, so that whoever waits is still there when it is done. */
const mostWaiting: Record<Lane, number> = { logins: 64, administration: 256, background: 1 };

const ofNobody: HashingRequest = { lane: 'administration', isAbandoned: () => false };

/** How many tasks run at the same time, which may change meanwhile. */
export interface HashPace {
  /** The most that may run now; `ended` are all tasks that have ended so far. */
  limit(ended: number): number;
  /** Milliseconds that the place of a task, unless it is a login's, stays empty when it took so many. */
  rest(took: number): number;
}

/** One of Node's four threads is left for other work, such as resolving names and reading files. */
const mostThreads = 3;

/**
 * Runs tasks at a pace. Each lane keeps the order of arrival. Logins and administration take turns, so that neither can
 * starve the other (decision 41), and what runs in the background comes when both are empty. Somebody waits for a login: it
 * takes a place that rests, and does not wait for what runs in the background. A full lane, and a task whose
 * caller has gone, reject with `systemBusy` and status 503. `sleep` waits for so many milliseconds.
 */
export function createQueue(
  { limit, rest }: HashPace,
  most: Record<Lane, number> = mostWaiting,
  sleep: (milliseconds: number) => Promise<unknown> = setTimeout,
): <Result>(task: () => Promise<Result>, request?: HashingRequest) => Promise<Result> {
  const lanes: Record<Lane, (() => void)[]> = { logins: [], administration: [], background: [] };
  const isIdle = () => Object.values(lanes).every((lane) => lane.length === 0);
  const running: Record<Lane, number> = { logins: 0, administration: 0, background: 0 };
  let resting = 0;
  let ended = 0;
  let last: Lane = 'administration';

  function mayBegin(lane: Lane): boolean {
    const { logins, administration, background } = running;
    const inTheWay = logins + administration + (lane === 'logins' ? 0 : background + resting);
    return logins + administration + background < mostThreads && inTheWay < limit(ended);
  }

  /** Begins what may begin of those who wait. */
  function fill(): void {
    for (;;) {
      const order: Lane[] =
        last === 'logins'
          ? ['administration', 'logins', 'background']
          : ['logins', 'administration', 'background'];
      const lane = order.find((one) => lanes[one].length > 0 && mayBegin(one));
      if (!lane) return;
      if (lane !== 'background') last = lane;
      running[lane] += 1;
      lanes[lane].shift()?.();
    }
  }

  async function restPlace(milliseconds: number): Promise<void> {
    resting += 1;
    await sleep(milliseconds);
    resting -= 1;
    fill();
  }

  return async (task, { lane, isAbandoned } = ofNobody) => {
    // A newcomer must not overtake those who wait.
    if (isIdle() && mayBegin(lane)) running[lane] += 1;
    else if (lanes[lane].length >= most[lane]) throw systemBusyNow();
    else
      await new Promise<void>((resolve) => {
        lanes[lane].push(resolve);
        fill();
      });
    const began = performance.now();
    try {
      if (isAbandoned()) throw systemBusyNow();
      return await task();
    } finally {
      running[lane] -= 1;
      ended += 1;
      const pause = lane === 'logins' ? 0 : rest(performance.now() - began);
      if (pause > 0) void restPlace(pause);
      fill();
    }
  };
}

/** Milliseconds over which the load of the event loop is measured: a few hashes long. */
const span = 50;
/** On two cores creates alone keep the event loop active for half of the time: it waits for a core, and for the disk. */
const busyFrom = 0.75;
/** Events of the event loop for each hash: a create alone has three, a login eleven at most (PostgreSQL). */
const busyEvents = 30;
/** For how many times the time of a hash the next one waits, where the one core would still be half of the machine. */
const restTimes = 1.5;

/** What the event loop has done so far: milliseconds for which it was active and idle, and the events that it took. */
export interface LoopLoad {
  active: number;
  idle: number;
  events: number;
}

function readLoopLoad(): LoopLoad {
  const { active, idle } = performance.eventLoopUtilization();
  return { active, idle, events: performance.nodeTiming.uvMetricsInfo.events };
}

/**
 * The pace of hashes. There is one for each core and one in reserve, so that no core waits for the next one; while the event
 * loop is busy, one core is left to it, so that look-ups do not wait for a storm of creates, and with two cores the one hash
 * also rests. The loop is busy when it was active for most of the time, or took many more events than creates have: where
 * hashes keep the callers of look-ups waiting for a core, it is idle, too.
 */
export function hashPace(cores = availableParallelism(), readLoop: () => LoopLoad = readLoopLoad): HashPace {
  let before = { ...readLoop(), ended: 0 };
  let isBusy = false;

  return {
    limit(ended) {
      const now = { ...readLoop(), ended };
      const active = now.active - before.active;
      const all = active + now.idle - before.idle;
      if (all >= span) {
        const hashes = Math.max(1, ended - before.ended);
        isBusy = active >= busyFrom * all || now.events - before.events >= busyEvents * hashes;
        before = now;
      }
      return Math.min(mostThreads, isBusy ? Math.max(1, cores - 1) : cores + 1);
    },
    rest: (took) => (isBusy && cores <= 2 ? restTimes * took : 0),
  };
}
