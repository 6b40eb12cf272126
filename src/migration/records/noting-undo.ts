import { existsSync } from 'node:fs';
import type { SingleCalls } from '../../client/calls.ts';
import { NotSentError } from '../../client/errors.ts';
import { pathIn } from '../directory/job-files.ts';
import { type JournalDatabase, openJournalDatabase, unwritable } from '../journal/database.ts';
import { type JobLock, lockJob, lockJournal } from '../journal/lock.ts';
import { readFacts, storeFact } from '../journal/read-journal.ts';
import { isBegun } from '../journal/tables.ts';

/**
 * Returns the client with a `disableUser` that first stores in the journal of a job that an undo began to disable its users, so
 * that nobody goes on with the job by mistake. If that fails, nothing is sent, and the cause is a `JobDirectoryError`. `now`: epoch
 * milliseconds.
 */
export function notingUndo<Client extends Pick<SingleCalls, 'disableUser'>>(
  client: Client,
  job: string,
  now: () => number,
): Client {
  let noted: Promise<void> | undefined;
  return {
    ...client,
    async disableUser(userId) {
      noted ??= noteUndone(job, now);
      await noted.catch((failure: unknown) => {
        throw new NotSentError(failure);
      });
      return client.disableUser(userId);
    },
  };
}

/** Keeps an earlier time; does nothing if the directory has no journal any more. Throws also while a run has the job. */
async function noteUndone(directory: string, now: () => number): Promise<void> {
  const path = pathIn(directory, 'journal.db');
  if (!existsSync(path)) return;
  const { DatabaseSync } = await import('@photostructure/sqlite');
  let lock: JobLock | undefined;
  let connection: JournalDatabase | undefined;
  try {
    lock = lockJob(DatabaseSync, directory, { now });
    connection = openJournalDatabase(DatabaseSync, path);
    lockJournal(directory, connection);
    if (isBegun(directory, connection) && readFacts(connection).undone === undefined)
      storeFact(connection, 'undone', new Date(now()).toISOString());
  } catch (failure) {
    throw unwritable(directory, failure);
  } finally {
    connection?.close();
    lock?.release();
  }
}
