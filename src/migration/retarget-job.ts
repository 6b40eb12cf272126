import type { Calls } from '../client/calls.ts';
import { requireOwnDirectory } from './directory/own-directory.ts';
import { type JournalDatabase, unwritable } from './journal/database/database.ts';
import { editJournal } from './journal/database/edit-journal.ts';
import { readFacts, storeFact } from './journal/database/job-facts.ts';
import { hasCreatedUserSql, requireUndamaged } from './journal/database/tables.ts';
import { journalHint, neverStarted, refusePurged, requireJournal } from './journal/reading/open-job.ts';
import { JobDirectoryError } from './model/errors.ts';
import { isRealJob, isRemote, type Job, tenantDrift } from './model/job.ts';
import { userOrNobody } from './send/existing-user.ts';

/** A job whose target was replaced, or was this one already. `users`: number of its users that were found in the tenant. */
export interface RetargetedJob {
  job: string;
  former_target: Job['target'];
  target: Job['target'];
  users: number;
}

/**
 * Stores in the journal of a job that its tenant has another base URL or application now. First it looks up some users of the job in
 * that tenant: user ids are given once, so that no other tenant has them, unless it is a copy. Names are not compared, since they can
 * change. Rejects with a `JobDirectoryError`, and changes nothing, if a user is not there, or if the job has none. `now`: epoch
 * milliseconds.
 */
export async function retargetJob(
  reader: Pick<Calls, 'getUser'>,
  directory: string,
  { target, now }: { target: Job['target']; now: () => number },
): Promise<RetargetedJob> {
  requireJournal(directory);
  requireOwnDirectory(directory);
  try {
    return await editJournal(directory, now, async (connection) => {
      requireUndamaged(directory, connection);
      refusePurged(directory, connection);
      const { job, former_targets: former = [] } = readFacts(connection);
      if (!job) throw neverStarted(directory);
      requireRemote(directory, job, target);
      const ids = usersOf(connection);
      if (ids.length === 0) throw withoutUsers(directory);
      for (const id of ids)
        if (!(await userOrNobody('getUser', reader.getUser(id)))) throw missing(directory, id);
      if (tenantDrift(job.target, target).length > 0) {
        const until = new Date(now()).toISOString();
        connection.exec('BEGIN');
        storeFact(connection, 'job', { ...job, target });
        storeFact(connection, 'former_targets', [...former, { target: job.target, until }]);
        connection.exec('COMMIT');
      }
      return { job: directory, former_target: job.target, target, users: ids.length };
    });
  } catch (failure) {
    const isOfDisk = failure instanceof Error && 'sqliteCodeName' in failure;
    throw isOfDisk ? unwritable(directory, failure) : failure;
  }
}

function requireRemote(directory: string, { kind, target: before }: Job, target: Job['target']): void {
  if (!isRealJob(kind) || kind === 'merge') {
    const fault =
      kind === 'merge' ? 'a merge of shards into it was interrupted' : 'its job wrote nothing to a tenant';
    throw new JobDirectoryError(directory, fault, kind === 'merge' ? 'Merge them again first.' : journalHint);
  }
  if (!isRemote(before) || !isRemote(target))
    throw new JobDirectoryError(
      directory,
      'only the base URL and the client id of a service can be replaced; a local database is a tenant of its own, even if it is a copy',
      'Go on with the job in the database, or at the service, that it went to.',
    );
}

/** Returns the IDs of at most three users whom the job created, or if there are none, found: the first, one in the middle, the last. */
function usersOf(connection: JournalDatabase): string[] {
  for (const what of [hasCreatedUserSql, 'true']) {
    const users = ['outcomes', 'earlier']
      .map((table) => `SELECT user_id FROM ${table} WHERE user_id IS NOT NULL AND ${what}`)
      .join(' UNION ');
    const size = connection.count(`SELECT count(*) FROM (${users})`);
    const select = `${users} ORDER BY user_id LIMIT 1 OFFSET ?`;
    const places = new Set([0, Math.floor(size / 2), size - 1]);
    if (size > 0)
      return [...places].flatMap((at) => connection.row<{ user_id: string }>(select, at)?.user_id ?? []);
  }
  return [];
}

function withoutUsers(directory: string): JobDirectoryError {
  return new JobDirectoryError(
    directory,
    'it knows no user, so nothing shows whether this is its tenant',
    'Import the file into another directory (--job). If rows were sent before, their users are found by user name, e-mail address or mobile number; those without any would be created a second time.',
  );
}

function missing(directory: string, id: string): JobDirectoryError {
  return new JobDirectoryError(
    directory,
    `this is another tenant than that of the job, or a copy from before it ended: user ${id} is not there`,
    'Nothing was changed. Name the profile of the right tenant with --profile.',
  );
}
