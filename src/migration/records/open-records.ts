import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pathIn } from '../directory/job-files.ts';
import { isRunning } from '../directory/lock-directory.ts';
import { requireWhole } from '../journal/commit-count.ts';
import { type JournalDatabase, openJournalDatabase, unwritable } from '../journal/database.ts';
import { neverStarted, requireJournal } from '../journal/read-job.ts';
import { isBegun } from '../journal/tables.ts';

export type OpenRecords = NonNullable<Awaited<ReturnType<typeof openRecords>>>;

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
  let copy: string | undefined;
  let connection: JournalDatabase | undefined;
  const close = () => {
    connection?.close();
    if (copy) rmSync(copy, { recursive: true, force: true });
  };
  try {
    copy = isCutOff ? copyOf(path) : undefined;
    connection = copy
      ? openJournalDatabase(DatabaseSync, pathIn(copy, 'journal.db'))
      : openJournalDatabase(DatabaseSync, unlocked(path), { readOnly: true });
    if (!isBegun(directory, connection)) throw neverStarted(directory);
    requireWhole(directory, connection);
    return { connection, isCutOff, close };
  } catch (failure) {
    close();
    // If a run has begun meanwhile, the failure may come from that.
    if (isRunning(DatabaseSync, directory)) return undefined;
    throw unwritable(directory, failure);
  }
}

/**
 * Copies a journal with the log that a run left when it was cut off: SQLite would merge that log into the original. Leaves nothing
 * behind if that fails.
 */
function copyOf(path: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-users-'));
  try {
    for (const name of ['journal.db', 'journal.db-wal'] as const)
      copyFileSync(pathIn(dirname(path), name), pathIn(directory, name));
    return directory;
  } catch (failure) {
    rmSync(directory, { recursive: true, force: true });
    throw failure;
  }
}

function unlocked(path: string): URL {
  const url = pathToFileURL(path);
  url.search = 'immutable=1';
  return url;
}
