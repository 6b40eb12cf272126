import { pathIn } from '../../directory/job-files.ts';
import { type JournalDatabase, openJournalDatabase } from './database.ts';
import { lockJob, lockJournal } from './lock.ts';

/**
 * Opens the journal of a job for a change that is no run of the job, and closes it after. Runs, and other programs, are kept out
 * meanwhile. Rejects with a `JobDirectoryError` if one of them has it, and with what opening or changing it fails with. `now`: epoch
 * milliseconds.
 */
export async function editJournal<Result>(
  directory: string,
  now: () => number,
  edit: (connection: JournalDatabase) => Result | Promise<Result>,
): Promise<Result> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const lock = lockJob(DatabaseSync, directory, { now });
  let connection: JournalDatabase | undefined;
  try {
    connection = openJournalDatabase(DatabaseSync, pathIn(directory, 'journal.db'));
    lockJournal(directory, connection);
    return await edit(connection);
  } finally {
    connection?.close();
    lock.release();
  }
}
