import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DatabaseSync } from '@photostructure/sqlite';
import { uniqueDraftOf } from '../directory/job-files.ts';
import { isRunning } from '../directory/lock-directory.ts';
import { requireWhole } from '../journal/commit-count.ts';
import { type JournalDatabase, openJournalDatabase, unwritable } from '../journal/database.ts';
import { neverStarted, requireJournal } from '../journal/read-job.ts';
import { isBegun } from '../journal/tables.ts';
import { JobDirectoryError } from '../model/errors.ts';

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
  let opened: OpenJournal | undefined;
  const close = () => {
    opened?.connection.close();
    opened?.remove();
  };
  try {
    opened = isCutOff ? openCopy(DatabaseSync, path) : openUnlocked(DatabaseSync, path);
    const { connection } = opened;
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

/** An open journal. `remove`: deletes its files if it is a copy, after it was closed. */
interface OpenJournal {
  connection: JournalDatabase;
  remove(): void;
}

function openUnlocked(Database: typeof DatabaseSync, path: string): OpenJournal {
  const url = pathToFileURL(path);
  url.search = 'immutable=1';
  return { connection: openJournalDatabase(Database, url, { readOnly: true }), remove() {} };
}

/**
 * Opens a copy of a journal with the log that a run left when it was cut off: SQLite would merge that log into the original. The copy
 * is in the same directory, as a draft: if this process is killed, it is deleted with the other personal data of the job. If it cannot
 * be made there, such as on a full disk, it is a temporary one. Throws a `JobDirectoryError` if nothing can be written there either.
 */
function openCopy(Database: typeof DatabaseSync, path: string): OpenJournal {
  const beside = uniqueDraftOf(path);
  try {
    return openAt(Database, path, beside, () => {
      for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${beside}${end}`, { force: true });
    });
  } catch {
    return openTemporary(Database, path);
  }
}

function openTemporary(Database: typeof DatabaseSync, path: string): OpenJournal {
  try {
    const directory = mkdtempSync(join(tmpdir(), 'tenant-users-'));
    const remove = () => rmSync(directory, { recursive: true, force: true });
    return openAt(Database, path, join(directory, 'journal.db'), remove);
  } catch (failure) {
    if (!(failure instanceof Error && 'syscall' in failure)) throw failure;
    throw new JobDirectoryError(
      dirname(path),
      `a run of it was cut off, and the copy of its journal that is read cannot be written, neither there nor in ${tmpdir()} (${failure.message})`,
      'Free some space in one of the two, or set TMPDIR to a directory that can be written to; then rerun the same command.',
    );
  }
}

/** Copies a journal and its log, and opens the copy. Leaves nothing behind if that fails. */
function openAt(Database: typeof DatabaseSync, path: string, copy: string, remove: () => void): OpenJournal {
  let connection: JournalDatabase | undefined;
  try {
    for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${copy}${end}`);
    connection = openJournalDatabase(Database, copy);
    // Only now SQLite makes a further file, for which there may be no room.
    connection.exec('SELECT 1 FROM sqlite_master');
    return { connection, remove };
  } catch (failure) {
    connection?.close();
    remove();
    throw failure;
  }
}
