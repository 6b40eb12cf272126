import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../text/error-code.ts';

/** Milliseconds to wait for other processes, and the age in milliseconds from which a lock counts as abandoned. */
const lockTimeout = 15_000;
const stale = 3000;

/** Runs `work` while no other process does so for the same file, whose directory must exist. The lock is a directory beside it. */
export async function withLock<Result>(file: string, work: () => Result | Promise<Result>): Promise<Result> {
  const release = await takeLock(file);
  try {
    return await work();
  } finally {
    // The work is already done. A lock that cannot be released becomes stale, and another process takes it.
    await release().catch(() => {});
  }
}

/** Takes the lock. Waits only while another process has it: other errors, such as a read-only directory, would not go away. */
async function takeLock(file: string): Promise<() => Promise<void>> {
  const { lock } = await import('proper-lockfile');
  const giveUp = Date.now() + lockTimeout;
  for (let step = 10; ; step = Math.min(step * 1.3, 250)) {
    try {
      return await lock(file, { realpath: false, stale, onCompromised: () => {} });
    } catch (cause) {
      if (errorCode(cause) !== 'ELOCKED' || Date.now() > giveUp) throw cause;
      await sleep(step * (0.5 + Math.random()));
    }
  }
}
