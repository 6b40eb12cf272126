import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isRunning } from '../directory/lock-directory.ts';
import { requireWhole } from '../journal/database/commit-count.ts';
import {
  type JournalDatabase,
  openCopy,
  openJournalDatabase,
  unwritable,
} from '../journal/database/database.ts';
import { isBegun } from '../journal/database/tables.ts';
import { neverStarted, requireJournal } from '../journal/reading/open-job.ts';

/**
 * Opens the journal of a job for reading, without locking or changing it, so that a run may begin meanwhile. Returns `undefined`
 * while a run lasts. Throws a `JobDirectoryError` if there is no journal.
 */
export async function openRecords(directory: string) {
  const path = requireJournal(directory);
  const { DatabaseSync } = await import('@photostructure/sqlite');
  if (isRunning(DatabaseSync, directory)) return undefined;
  /** True if the last run was cut off. */
  const isCutOff = existsSync(`${path}-wal`);
  let connection: JournalDatabase | undefined;
  try {
    const unlocked = Object.assign(pathToFileURL(path), { search: 'immutable=1' });
    connection = isCutOff
      ? openCopy(DatabaseSync, path)
      : openJournalDatabase(DatabaseSync, unlocked, { readOnly: true });
    if (!isBegun(directory, connection)) throw neverStarted(directory);
    requireWhole(directory, connection);
    return { connection, isCutOff, close: connection.close };
  } catch (failure) {
    connection?.close();
    // If a run has begun meanwhile, the failure may come from that.
    if (isRunning(DatabaseSync, directory)) return undefined;
    throw unwritable(directory, failure);
  }
}
