import { JobDirectoryError } from '../job-directory-error.ts';

/** Results of SQLite for a file that is no database, or no longer a whole one. */
const damaged: ReadonlySet<unknown> = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT']);

/** A failure of the disk or of the journal's database, in words that name the way out. */
export function unwritable(directory: string, failure: unknown): JobDirectoryError {
  if (failure instanceof JobDirectoryError) return failure;
  const reason = failure instanceof Error ? failure.message : 'no reason given';
  const isDamaged =
    failure instanceof Error && 'sqliteCodeName' in failure && damaged.has(failure.sqliteCodeName);
  const fault = isDamaged
    ? `its journal is damaged (${reason})`
    : `the journal cannot be written there (${reason})`;
  const hint = isDamaged
    ? 'Restore it from a copy, or name another job directory: users that were made before are found by their keys then, those without one would be made again.'
    : 'Mend it and run the same command again: what may have been sent is looked up first.';
  return new JobDirectoryError(directory, fault, hint);
}
