import { rmSync } from 'node:fs';
import { pathIn } from '../directory/job-files.ts';
import { requireOwnDirectory } from '../directory/own-directory.ts';
import { removeResults } from '../journal/archive.ts';
import { lockJob } from '../journal/lock.ts';
import { mayHaveChanged } from './purge-job.ts';

/**
 * Deletes the journal and the results of a job that has ended and changed nobody, so that its directory can be used again. Returns
 * false, and deletes nothing, if it may have changed somebody. Throws a `JobDirectoryError` if another process has the directory.
 */
export async function clearIdleRun(directory: string, now: () => number): Promise<boolean> {
  requireOwnDirectory(directory);
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const lock = lockJob(DatabaseSync, directory, { now });
  try {
    if (mayHaveChanged(DatabaseSync, directory, 'journal.db')) return false;
    // The journal last: with results and no journal, nobody could say whose they are.
    removeResults(directory);
    rmSync(pathIn(directory, 'journal.db'), { force: true });
    return true;
  } finally {
    lock.release();
  }
}
