import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { JobDirectoryError } from '../model/errors.ts';
import { journalName } from './archive.ts';
import { openJournalDatabase, unwritable } from './database.ts';
import { readEarlierRun } from './read-earlier-run.ts';

/** What a journal knows of a row. */
export interface RowOutcome {
  result: string;
  code: string | null;
  userId: string | null;
}

/** The outcomes of a job, read only. */
export interface OutcomeReader {
  of(row: number): RowOutcome | undefined;
  close(): void;
}

/** Opens the outcomes of a job that imported the file with this digest. Throws a `JobDirectoryError`. */
export async function readOutcomes(directory: string, digest: string): Promise<OutcomeReader> {
  const path = join(directory, journalName);
  const fault = (words: string, hint: string) => new JobDirectoryError(directory, words, hint);
  if (!existsSync(path)) throw fault('it contains no journal of an import', 'Name the directory of the job.');
  const earlier = await readEarlierRun(directory);
  if (!earlier)
    throw fault('its journal cannot be read', 'Is the import still running? Then wait until it ends.');
  if (earlier.job.source !== digest) {
    throw fault(
      `it is the job of another file (${earlier.job.file})`,
      'Name the file of that job, as it was imported, or leave --job out.',
    );
  }
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const connection = openJournalDatabase(DatabaseSync, path);
  try {
    const select = connection.prepare('SELECT result, code, user_id AS userId FROM outcomes WHERE row = ?');
    return { of: (row) => select.get(row) as RowOutcome | undefined, close: connection.close };
  } catch (failure) {
    connection.close();
    throw unwritable(directory, failure);
  }
}
