import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorCode } from '../../text/error-code.ts';
import { uniqueDraftOf } from '../directory/job-files.ts';
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
  let copy: JournalCopy | undefined;
  let connection: JournalDatabase | undefined;
  const close = () => {
    connection?.close();
    copy?.remove();
  };
  try {
    copy = isCutOff ? copyOf(path) : undefined;
    connection = copy
      ? openJournalDatabase(DatabaseSync, copy.path)
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

/** A copy of a journal. */
interface JournalCopy {
  path: string;
  remove(): void;
}

/**
 * Copies a journal with the log that a run left when it was cut off: SQLite would merge that log into the original. The copy is in
 * the same directory, as a draft: if this process is killed, it is deleted with the other personal data of the job. If nothing can
 * be written there, it is a temporary one.
 */
function copyOf(path: string): JournalCopy {
  const beside = uniqueDraftOf(path);
  try {
    return copyTo(beside, path, () => {
      for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${beside}${end}`, { force: true });
    });
  } catch (failure) {
    if (!unwritableCodes.has(errorCode(failure))) throw failure;
    const directory = mkdtempSync(join(tmpdir(), 'tenant-users-'));
    return copyTo(join(directory, 'journal.db'), path, () =>
      rmSync(directory, { recursive: true, force: true }),
    );
  }
}

/** Codes of the system for a directory in which nothing can be written. */
const unwritableCodes: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Copies a journal and its log. Leaves nothing behind if that fails. */
function copyTo(copy: string, path: string, remove: () => void): JournalCopy {
  try {
    for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${copy}${end}`);
    return { path: copy, remove };
  } catch (failure) {
    remove();
    throw failure;
  }
}

function unlocked(path: string): URL {
  const url = pathToFileURL(path);
  url.search = 'immutable=1';
  return url;
}
