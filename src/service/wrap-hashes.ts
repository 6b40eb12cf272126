import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceContext } from './context/context.ts';
import {
  countUnwrapped,
  returnPart,
  storeWrapped,
  takePart,
  type UnwrappedUser,
} from './storage/access/unwrapped-hashes.ts';

/** Milliseconds between two checks for new hashes. */
const interval = 2000;
/** Milliseconds until the next check after the database has failed. */
const afterFailure = 60_000;
/** An import is running if more users than this were added since the last check. */
const mostAdded = 20;
/** Number of checks for which the hashes of an import wait for its end: ten minutes. */
const mostLooks = 300;
/** Number of wrapped hashes per commit. */
const perCommit = 16;
/** Maximum milliseconds that a hash waits for a quiet moment: even on a busy service, one is wrapped every two seconds. */
const longestWait = 2000;
/** The event loop is busy if it was active for this fraction of the last `moment`, as at 400 imports a second. */
const busyFrom = 0.15;
const moment = 100;

/**
 * Opens the wrapping of the fast hashes of imported users in the background, which does nothing by itself before `start`. `quiet`
 * waits until the service has time for a hash.
 */
export function openWrapping(
  { database, passwords, now }: Pick<ServiceContext, 'database' | 'passwords' | 'now'>,
  report: (error: unknown) => void,
  quiet = awaitQuiet(),
) {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const asleep = new AbortController();
  const request = { lane: 'background', isAbandoned: () => isStopped } as const;

  async function wrapPart(): Promise<boolean> {
    const part = await takePart(database, now());
    if (!part) return false;
    const { tenant, users } = part;
    try {
      for (let at = 0; at < users.length; at += perCommit) {
        const batch: [user: UnwrappedUser, wrapped: string][] = [];
        for (const user of users.slice(at, at + perCommit)) {
          await quiet();
          batch.push([user, await passwords.wrap(user.password, request)]);
        }
        await Promise.all(batch.map(([user, wrapped]) => storeWrapped(database, tenant, user, wrapped)));
      }
      await returnPart(database, part, true);
      return true;
    } catch (error) {
      // If the part cannot be returned either, its lease ends by itself; the first failure is the one to report.
      await returnPart(database, part, false).catch(() => {});
      if (isStopped) return false;
      throw error;
    }
  }

  let seen = Number.POSITIVE_INFINITY;
  let looks = 0;

  async function isImporting(): Promise<boolean> {
    const users = await countUnwrapped(database);
    looks = users - seen > mostAdded ? looks + 1 : 0;
    seen = users;
    return looks > 0 && looks <= mostLooks;
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      const part = isImporting().then((isGrowing) => !isGrowing && wrapPart());
      const hasMore = await part.catch((error: unknown) => report(error));
      const pause = hasMore === undefined ? afterFailure : interval;
      if (!hasMore) await sleep(pause, undefined, { signal: asleep.signal, ref: false }).catch(() => {});
    }
  }

  return {
    waiting: () => countUnwrapped(database),
    wrapPart,
    start() {
      running = run();
    },
    async stop() {
      isStopped = true;
      asleep.abort();
      await running;
    },
  };
}

/**
 * Returns a function that waits until the event loop was mostly idle during the last moment, so that an import is not slowed down
 * by its own hashes. While it is idle, hashes follow each other without a pause.
 */
function awaitQuiet(): () => Promise<void> {
  let before = performance.eventLoopUtilization();
  return async () => {
    for (let waited = 0; waited < longestWait; waited += moment) {
      const { utilization } = performance.eventLoopUtilization(before);
      before = performance.eventLoopUtilization();
      if (utilization < busyFrom) return;
      await sleep(moment, undefined, { ref: false });
    }
  };
}
