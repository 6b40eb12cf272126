import { existsSync } from 'node:fs';
import { pathIn } from '../directory/job-files.ts';
import { type JournalDatabase, openJournalDatabase, unwritable } from '../journal/database.ts';
import { lockJob, lockJournal } from '../journal/lock.ts';
import { type JobFacts, readFacts, storeFact } from '../journal/read-journal.ts';
import { isBegun } from '../journal/tables.ts';

/**
 * Stores in the journal of a job what another command has made of it, so that nobody goes on with the job by mistake. Keeps a fact
 * that is there; does nothing if the directory has no journal any more. Throws a `JobDirectoryError`, also while a run has the job.
 */
export async function noteFact<Name extends 'undone'>(
  directory: string,
  name: Name,
  value: JobFacts[Name],
  now: () => number,
): Promise<void> {
  const path = pathIn(directory, 'journal.db');
  if (!existsSync(path)) return;
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const lock = lockJob(DatabaseSync, directory, { now });
  let connection: JournalDatabase | undefined;
  try {
    connection = openJournalDatabase(DatabaseSync, path);
    lockJournal(directory, connection);
    if (isBegun(directory, connection) && readFacts(connection)[name] === undefined)
      storeFact(connection, name, value);
  } catch (failure) {
    throw unwritable(directory, failure);
  } finally {
    connection?.close();
    lock.release();
  }
}
