import { existsSync } from 'node:fs';
import { formatCount } from '../../text/format-count.ts';
import { quotePath } from '../../text/shell-quote.ts';
import { pathIn } from '../directory/job-files.ts';
import { inUse } from '../directory/lock-directory.ts';
import type { JournalDatabase } from '../journal/database/database.ts';
import { readFacts } from '../journal/database/job-facts.ts';
import { requireUndamaged } from '../journal/database/tables.ts';
import { countUnsent } from '../journal/reading/count-outcomes.ts';
import { JobDirectoryError } from '../model/errors.ts';
import { isRealJob } from '../model/job.ts';
import { openRecords } from '../records/open-records.ts';

export type UsersOfImport = NonNullable<Awaited<ReturnType<typeof openUsersOfImport>>>;

/**
 * Opens the users whom the import that replaced a job has created or found, without changing it; `undefined` if it is not there, or was
 * purged. Throws a `JobDirectoryError` while a run has it, if rows of it have no outcome, and if its journal is damaged.
 */
export async function openUsersOfImport(directory: string) {
  if (!existsSync(pathIn(directory, 'journal.db'))) return undefined;
  const records = await openRecords(directory);
  if (!records) throw inUse(directory);
  const { connection, close } = records;
  try {
    requireUndamaged(directory, connection);
    const { job, purged, undone } = readFacts(connection);
    if (job && isRealJob(job.kind) && purged === undefined) {
      // Nobody wants the users of an import that was taken back, too.
      if (undone !== undefined) return { has: (_userId: string) => false, close };
      requireComplete(directory, countUnsent(connection, job));
      return { has: findKept(connection), close };
    }
  } catch (failure) {
    close();
    throw failure;
  }
  close();
  return undefined;
}

function requireComplete(directory: string, unsent: number): void {
  if (unsent === 0) return;
  throw new JobDirectoryError(
    directory,
    `it was started over, and ${formatCount(unsent, 'row')} of its new import ${unsent === 1 ? 'has' : 'have'} no outcome yet, so nobody knows whom it has`,
    `Go on with that import first. How it stands: tenant-users import-hashes status ${quotePath(directory)}`,
  );
}

function findKept(connection: JournalDatabase) {
  connection.exec(`
    CREATE TEMP TABLE kept (user_id TEXT PRIMARY KEY) WITHOUT ROWID;
    INSERT INTO kept SELECT user_id FROM outcomes WHERE user_id IS NOT NULL
      UNION SELECT user_id FROM earlier WHERE user_id IS NOT NULL`);
  const select = connection.prepare('SELECT 1 FROM kept WHERE user_id = ?');
  return (userId: string) => select.get(userId) !== undefined;
}
