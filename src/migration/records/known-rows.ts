import { decideCorrected, type KnownUser } from '../actions/decide-corrected.ts';
import { createFingerprints } from '../actions/fingerprints.ts';
import { rowKey } from '../actions/keys.ts';
import type { CanaryList } from '../canaries/read-canaries.ts';
import { verifyCanaries } from '../canaries/verify-canaries.ts';
import type { OpenInput } from '../input/open-input.ts';
import { type JournalDatabase, resultsOfUsers } from '../journal/database.ts';
import { openJob } from '../journal/read-job.ts';
import { countWithoutRow, readFacts } from '../journal/read-journal.ts';
import { keyInEarlier } from '../journal/resume.ts';
import {
  outcomesWithSent,
  type SentColumns,
  sentFor,
  unpackFingerprints,
} from '../journal/row-fingerprints.ts';
import { keyOfValues } from '../journal/tables.ts';
import { driftOf, isRealJob, type Job } from '../model/job.ts';
import { type Created, canLogIn } from '../model/outcome.ts';
import type { ValidRow } from '../rows/validate-rows.ts';

/** What the journal of a job knows about a row before the next run, which does not send it. */
export interface KnownRow {
  /** How its user differs from the row, where an import does not change it. */
  differsBy: Created['differsBy'];
}

/** Finds the rows of a file that a run of the job will not send, because their users are known. */
export interface KnownRows {
  /** Returns what is known of a row; `undefined` if the run will send it. Each user is found for one row only. */
  find(row: ValidRow): KnownRow | undefined;
  /** Returns the number of users of the job who have no row that can be sent; to be called after `find` for all rows. */
  withoutRow(): number;
  close(): void;
}

/**
 * Opens what a run with `--only failed` will find in the journal, before it changes anything; `job`: the job of that run, whose file
 * may have been corrected. Throws a `JobDirectoryError` if the journal cannot be read.
 */
export async function openKnownRows(directory: string, job: Job): Promise<KnownRows> {
  const { job: before, connection } = await openJob(directory);
  const isOtherFile = driftOf(before, job).length > 0;
  const isCorrected = readFacts(connection).corrected !== undefined;
  const known = isOtherFile
    ? byKey(connection, true)
    : isCorrected
      ? inBoth(connection)
      : byNumber(connection);
  return { ...known, close: () => connection.close() };
}

/** For the file of the last run, which may have ended before it had taken over every user of the file before its correction. */
function inBoth(connection: JournalDatabase): Omit<KnownRows, 'close'> {
  const [done, left] = [byNumber(connection), byKey(connection, false)];
  return { find: (row) => done.find(row) ?? left.find(row), withoutRow: left.withoutRow };
}

function byNumber(connection: JournalDatabase): Omit<KnownRows, 'close'> {
  const select = connection.prepare(
    `SELECT code AS differsBy FROM outcomes WHERE row = ? AND result IN ${resultsOfUsers}`,
  );
  return {
    find({ row }) {
      const found = select.get(row) as { differsBy: KnownRow['differsBy'] | null } | undefined;
      return found && { differsBy: found.differsBy ?? undefined };
    },
    withoutRow: () => countWithoutRow(connection),
  };
}

/** SQL: true for outcomes that such a run does not delete. */
const isKept = `(result IN ${resultsOfUsers} OR code IS 'NOT_DISABLED')`;

/**
 * Finds users by the keys of their rows, which are in the tables of the journal as `resume` of the next run will have them.
 * `isOtherFile`: the rows of the outcomes have other numbers then.
 */
function byKey(connection: JournalDatabase, isOtherFile: boolean): Omit<KnownRows, 'close'> {
  const columns = 'result, external_id, user_id, sent_values, sent_hash';
  unpackFingerprints(connection);
  connection.exec(`
    CREATE TEMP TABLE known (key TEXT PRIMARY KEY, result TEXT, external_id TEXT, user_id TEXT,
      sent_values TEXT, sent_hash TEXT, is_met INTEGER DEFAULT 0) WITHOUT ROWID;
    INSERT INTO known SELECT key, ${columns}, 0 FROM earlier;
    INSERT OR REPLACE INTO known SELECT ${keyInEarlier(isKept)}, ${columns}, 0 FROM ${outcomesWithSent}
      WHERE ${isOtherFile} AND (user_id IS NOT NULL OR code IS 'NOT_DISABLED')`);
  const select = connection.prepare(
    'SELECT result, external_id AS externalId, user_id AS userId, sent_values, sent_hash FROM known WHERE key = ? AND NOT is_met',
  );
  const meet = connection.prepare('UPDATE known SET is_met = 1 WHERE key = ?');
  const left = connection.prepare(`SELECT count(DISTINCT user_id) AS users FROM known WHERE NOT is_met
    AND user_id NOT IN (SELECT user_id FROM known WHERE is_met AND user_id IS NOT NULL)
    AND (${isOtherFile} OR user_id NOT IN (SELECT user_id FROM outcomes WHERE user_id IS NOT NULL))`);
  const fingerprints = createFingerprints(readFacts(connection).fingerprint_key ?? '');
  return {
    find(row) {
      const key = rowKey(row.user) ?? keyOfValues(fingerprints.ofValues(row.user, row.isDisabled));
      const known = select.get(key) as StoredUser | undefined;
      if (!known) return undefined;
      const decided = decideCorrected({ ...known, was: sentFor(known) }, row, fingerprints);
      if (decided.kind !== 'other') meet.run(key);
      if (decided.kind === 'stranger') return { differsBy: undefined };
      return decided.kind === 'known' ? { differsBy: decided.differsBy } : undefined;
    },
    withoutRow: () => (left.get() as { users: number }).users,
  };
}

type StoredUser = Omit<KnownUser, 'was'> & SentColumns;

/** Verifies the canaries of a run. One whose user has another hash, from before the file was corrected, is not counted. */
export async function verifyKnown(
  input: Pick<OpenInput, 'source' | 'columns'>,
  job: Job,
  isResumed: boolean,
  {
    canaries,
    jobDirectory,
    signal,
  }: { canaries: CanaryList; jobDirectory: string; signal?: AbortSignal | undefined },
) {
  const rows = isResumed && isRealJob(job.kind) ? await openKnownRows(jobDirectory, job) : undefined;
  try {
    // A user may be listed twice, and is found once.
    const counted = new Map<number, boolean>();
    const isCounted = (row: ValidRow) => {
      const is = counted.get(row.row) ?? canLogIn(rows?.find(row)?.differsBy);
      counted.set(row.row, is);
      return is;
    };
    return await verifyCanaries(input, canaries, signal, isCounted);
  } finally {
    rows?.close();
  }
}
