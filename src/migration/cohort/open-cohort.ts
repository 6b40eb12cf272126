import type { Calls } from '../../client/calls.ts';
import type { HashAlgorithm } from '../../contract/attributes.ts';
import type { User } from '../../contract/wire.ts';
import { hasLoggedIn } from '../actions/decide-undo.ts';
import type { JournalDatabase } from '../journal/database/database.ts';
import { beginOf, readFacts } from '../journal/database/job-facts.ts';
import { hasCreatedUserSql } from '../journal/database/tables.ts';
import { countUnanswered } from '../journal/reading/count-outcomes.ts';
import { journalHint, openJob, type StoredJob, unreadable } from '../journal/reading/open-job.ts';
import { JobDirectoryError } from '../model/errors.ts';
import { isRealJob, type Job } from '../model/job.ts';
import { rowsOfShard } from '../model/shard.ts';
import { weighListing } from '../owners/choose-source.ts';
import { listTenant } from '../owners/list-owners.ts';
import { openTemporaryDatabase, readInPages } from '../owners/temporary-database.ts';
import { answerOf, type RunControl } from '../send/call-api.ts';
import { userOrNobody } from '../send/existing-user.ts';
import type { MemberCounts } from './cutover-look.ts';

export interface Member {
  user_id: string;
  algorithm: HashAlgorithm | null;
  /** The user as the tenant last showed them; `undefined` if it does not have them. */
  user: User | undefined;
}

/** The users that a job created, and how the tenant shows them. */
export type Cohort = Awaited<ReturnType<typeof openCohort>>;

/**
 * Opens the users that a job created, including those from the file before it was corrected. They are kept in a temporary database
 * that is gone with the process. Throws a `JobDirectoryError` if the journal cannot be read or its job created no users.
 */
export async function openCohort(directory: string, options: { whileWaiting?: boolean } = {}) {
  const stored = await openJob(directory, options);
  try {
    return await openMembers(directory, stored);
  } finally {
    stored.connection.close();
  }
}

async function openMembers(directory: string, { job, connection, isWaiting }: StoredJob) {
  const found = countOthers(connection, job, isWaiting);
  if (!isRealJob(job.kind) || job.kind === 'merge') {
    const what = job.kind === 'merge' ? 'an interrupted merge' : `a ${job.kind.replace('-', ' ')}`;
    throw new JobDirectoryError(directory, `it is the job of ${what}, which created no users`, journalHint);
  }
  const database = await openTemporaryDatabase(`PRAGMA cache_size = -16000;
    CREATE TABLE members (seq INTEGER PRIMARY KEY, user_id TEXT NOT NULL UNIQUE, algorithm TEXT,
      user TEXT, logins INTEGER NOT NULL DEFAULT 0, disabled INTEGER NOT NULL DEFAULT 0)`);
  try {
    database.prepare('ATTACH ? AS job').run(connection.path);
    database.exec(`INSERT OR IGNORE INTO members (user_id, algorithm)
      SELECT user_id, algorithm FROM (
        SELECT 1 AS age, row, user_id, algorithm, result, code FROM job.outcomes UNION ALL
        SELECT 0, row, user_id, algorithm, result, code FROM job.earlier)
      WHERE ${hasCreatedUserSql} ORDER BY age, row;
      DETACH job`);
  } catch (failure) {
    database.close();
    throw unreadable(directory, failure);
  }
  const { size } = database.prepare('SELECT count(*) AS size FROM members').get() as { size: number };
  const see = database.prepare('UPDATE members SET user = ?, logins = ?, disabled = ? WHERE user_id = ?');
  return {
    job,
    size,
    ...found,
    /** Stores users as the tenant shows them; users who are not members are ignored. */
    see(users: readonly User[]): void {
      database.exec('BEGIN');
      for (const user of users) {
        see.run(JSON.stringify(user), hasLoggedIn(user) ? 1 : 0, user.disabled ? 1 : 0, user.user_id);
      }
      database.exec('COMMIT');
    },
    /** Deletes the stored users of members who had not logged in, so that they are read again. Returns their number. */
    forget: () => Number(database.prepare('UPDATE members SET user = NULL WHERE logins = 0').run().changes),
    /** IDs of the members of whom no user is stored, in lists: they have not been seen, or were forgotten. */
    *unseen(): Generator<string[], void> {
      const pages = readInPages<StoredMember>(database, 'members', 'seq', 'seq, user_id', 'user IS NULL');
      for (const rows of pages) yield rows.map((row) => row.user_id);
    },
    counts: () =>
      database
        .prepare(`SELECT algorithm, count(*) AS created, sum(logins > 0) AS logged_in,
          sum(user IS NOT NULL AND logins = 0 AND NOT disabled) AS never,
          sum(user IS NOT NULL AND logins = 0 AND disabled) AS disabled,
          sum(user IS NULL) AS gone FROM members GROUP BY algorithm ORDER BY algorithm IS NULL, algorithm`)
        .all() as MemberCounts[],
    /** All members, in lists, in the order of their rows. */
    *members(): Generator<Member[], void> {
      const columns = 'seq, user_id, algorithm, user';
      for (const rows of readInPages<StoredMember>(database, 'members', 'seq', columns)) {
        yield rows.map(({ user_id, algorithm, user }) => ({
          ...{ user_id, algorithm },
          user: user === null ? undefined : (JSON.parse(user) as User),
        }));
      }
    },
    close: () => database.close(),
  };
}

type StoredMember = Omit<Member, 'user'> & { seq: number; user: string | null };

/** Counts as unresolved: rows that may have been sent and have no outcome, and unknown outcomes. */
function countOthers(connection: JournalDatabase, job: Job, isWaiting: boolean) {
  const { undone, undone_by: undoneBy, replaced_in: replacedIn } = readFacts(connection);
  const outcomesWith = (what: string) => connection.count(`SELECT count(*) FROM outcomes WHERE ${what}`);
  // A run that waits knows which rows it has sent.
  const unanswered = isWaiting ? 0 : countUnanswered(connection, job);
  const pending = Math.max(rowsOfShard(job.rows, job.shard) - outcomesWith('true') - unanswered, 0);
  return {
    undone,
    undoneBy,
    replacedIn,
    /** When the first run of the job began, in epoch milliseconds; changes if the job is started over. */
    begun: beginOf(connection) ?? 0,
    /** Number of users who existed before and were updated or disabled by the job. */
    kept: outcomesWith("result IN ('updated', 'disabled')"),
    /** Number of rows that were not sent. */
    pending,
    /** Upper bound for the rows that may have been sent and have no known outcome, so that they may or may not be users. */
    unresolved: unanswered + outcomesWith("result = 'unknown'"),
  };
}

export type MemberReader = Pick<Calls, 'listUsers' | 'getUser'>;

/**
 * Reads the members who had not logged in, in the cheaper way: by a listing, or one by one. Members who are not in the listing are
 * looked up by ID, so that users who move between pages during the listing are not missed.
 */
export async function lookAtMembers(cohort: Cohort, reader: MemberReader, control: RunControl) {
  const { users, isListing, reason } = await weighListing(reader, control, cohort.forget());
  if (isListing) {
    const listing = listTenant(reader, control);
    for await (const page of listing.pages) {
      cohort.see(page);
      const { users: done, total } = listing.completeness();
      control.onStep?.({ what: 'users read', done, total });
    }
  }
  let done = 0;
  for (const ids of cohort.unseen()) {
    const found = await Promise.all(ids.map((id) => findMember(reader, control, id)));
    cohort.see(found.filter((user) => user !== undefined));
    done += ids.length;
    if (!isListing) control.onStep?.({ what: 'users read', done, total: cohort.size });
  }
  return { users, reason };
}

/** Returns the user with this ID; `undefined` if the tenant no longer has them. Rejects with any other failure of the call. */
export function findMember(
  reader: Pick<MemberReader, 'getUser'>,
  control: RunControl,
  id: string,
): Promise<User | undefined> {
  return userOrNobody(
    'getUser',
    answerOf(control, () => reader.getUser(id)),
  );
}
