import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { systemBusyNow } from '../errors/api-error.ts';

/** Who waits for a task: callers that log in without an access token, applications with one, or nobody. */
export type Lane = 'logins' | 'administration' | 'background';

/** Details of a task for the queue. */
export interface HashingRequest {
  lane: Lane;
  /** True if the caller has gone; the task is then not started. */
  isAbandoned(): boolean;
}

/** Maximum number of waiting tasks per lane: about two seconds of work, so that callers are still there when theirs is done. */
const mostWaiting: Record<Lane, number> = { logins: 64, administration: 256, background: 1 };

/** Maximum number of tasks at a time: one of Node's four threads is left for name look-ups, reading files and so on. */
const mostThreads = 3;

/** A task that waits for its turn. */
interface Waiting {
  begin(): void;
  isAbandoned(): boolean;
  /** Rejects the task without running it. */
  leave(): void;
}

/**
 * Runs tasks at a pace. Each lane keeps the order of arrival. Logins and administration alternate, so that neither can starve the
 * other (decision 41); background tasks run when both are empty. A login may use a resting place, and does not wait for background
 * tasks, because a person waits for it. A task is rejected with `systemBusy` and status 503 if its lane is full or its caller has
 * gone; those whose callers have gone leave a full lane. `sleep` waits for a number of milliseconds.
 */
export function createQueue(
  { limit, rest }: ReturnType<typeof hashPace>,
  most: Record<Lane, number> = mostWaiting,
  sleep: (milliseconds: number) => Promise<unknown> = setTimeout,
) {
  const lanes: Record<Lane, Waiting[]> = { logins: [], administration: [], background: [] };
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

  /** Starts all waiting tasks that may start. */
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
      lanes[lane].shift()?.begin();
    }
  }

  /** True if a task of this lane would be rejected now. */
  function isFull(lane: Lane): boolean {
    if (lanes[lane].length < most[lane]) return false;
    const gone = lanes[lane].filter(({ isAbandoned }) => isAbandoned());
    for (const { leave } of gone) leave();
    lanes[lane] = lanes[lane].filter((one) => !gone.includes(one));
    return lanes[lane].length >= most[lane];
  }

  async function restPlace(milliseconds: number): Promise<void> {
    resting += 1;
    await sleep(milliseconds);
    resting -= 1;
    fill();
  }

  async function enqueue<Result>(
    task: () => Promise<Result>,
    { lane, isAbandoned }: HashingRequest,
  ): Promise<Result> {
    // A new task must not overtake waiting ones.
    if (isIdle() && mayBegin(lane)) running[lane] += 1;
    else if (isFull(lane)) throw systemBusyNow();
    else
      await new Promise<void>((begin, reject) => {
        lanes[lane].push({ begin, isAbandoned, leave: () => reject(systemBusyNow()) });
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
  }

  return { enqueue, isFull };
}

/** Milliseconds over which the load of the event loop is measured: the time of a few hashes. */
const span = 50;
/** Active fraction from which the event loop is busy. On two cores creates alone reach half, waiting for a core and the disk. */
const busyFrom = 0.75;
/** Events per hash from which the event loop is busy: a create alone has three, a login eleven at most (PostgreSQL). */
const busyEvents = 30;
/** Pause after a hash, as a multiple of its duration, if a single hash at a time would still take half of the machine. */
const restTimes = 1.5;

/** Returns totals of the event loop: milliseconds active and idle, and number of events. */
function readLoopLoad() {
  const { active, idle } = performance.eventLoopUtilization();
  return { active, idle, events: performance.nodeTiming.uvMetricsInfo.events };
}

/**
 * The pace of hashes: one per core and one in reserve, so that no core waits for the next one. While the event loop is busy, one
 * core is left to it, so that look-ups do not wait during a storm of creates; with two cores, the single hash also rests. The loop
 * is busy if it was active for most of the time, or processed many more events than creates cause: when hashes keep the callers of
 * look-ups waiting for a core, the loop itself is idle too.
 */
export function hashPace(cores = availableParallelism(), readLoop = readLoopLoad) {
  let before = { ...readLoop(), ended: 0 };
  let isBusy = false;

  return {
    /** Maximum number of tasks that may run now. `ended`: number of tasks that have ended so far. */
    limit(ended: number): number {
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
    /** Milliseconds for which a place stays empty after a task that took `took` milliseconds, unless it was a login. */
    rest: (took: number) => (isBusy && cores <= 2 ? restTimes * took : 0),
  };
}
