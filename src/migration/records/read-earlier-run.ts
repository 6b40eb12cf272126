import { existsSync } from 'node:fs';
import { uniqueAttributes } from '../../contract/normal-forms.ts';
import { pathIn } from '../directory/job-files.ts';
import { openJournalDatabase } from '../journal/database/database.ts';
import { beginOf, countRuns, type JobFacts, readFacts } from '../journal/database/job-facts.ts';
import { hasCreatedUserSql } from '../journal/database/tables.ts';
import { countUnanswered, countUnsent } from '../journal/reading/count-outcomes.ts';
import { driftOf, type Job, type RunMode, targetDrift } from '../model/job.ts';
import type { Preview } from '../model/preview.ts';
import { rowsOfShard } from '../model/shard.ts';

/** SQL: true for an outcome whose row has no unique identifier, or if that is not known. */
const isNamelessSql = `coalesce(substr(key, 1, instr(key, '=') - 1), '') NOT IN (${uniqueAttributes.map((name) => `'${name}'`).join()})`;

/** What the journal of a directory says about its job before a new run takes over. */
export interface EarlierRun extends Partial<Omit<JobFacts, 'job' | 'preview'>> {
  job: Job;
  /** When its first run began, in epoch milliseconds. */
  begun: number | undefined;
  /** Number of runs of the job. */
  runs: number;
  /** Number of users that the job has imported. */
  done: number;
  /** Number of users that the job has created, also those who could not be disabled, or are in no row of the file now. */
  created: number;
  /** Number of them without a unique identifier: nobody could see that they are there if their rows were sent again. */
  nameless: number;
  /** Number of rows that were left alone, but for those whose users are no longer in the tenant. */
  left: number;
  /** Number of rows that have no outcome, or did not reach the service. */
  unsent: number;
  /** At most so many of them may have been sent. */
  unanswered: number;
  /** Preview of the whole file; `undefined` if the run ended before it had counted all rows. */
  preview: Preview | undefined;
}

/**
 * Reads what an earlier run of the job stored; `undefined` if there was none or if it cannot be read. In the latter case, opening
 * the journal reports why.
 */
export async function readEarlierRun(directory: string): Promise<EarlierRun | undefined> {
  const path = pathIn(directory, 'journal.db');
  if (!existsSync(path)) return undefined;
  const { DatabaseSync } = await import('@photostructure/sqlite');
  try {
    const connection = openJournalDatabase(DatabaseSync, path);
    try {
      const { job, preview, ...facts } = readFacts(connection);
      if (!job) return undefined;
      // A user can be in both tables: of an earlier file, and found for another row of this one.
      const sql = `WITH made AS (SELECT user_id, key FROM outcomes WHERE ${hasCreatedUserSql}),
          users AS (SELECT * FROM made UNION ALL SELECT user_id, max(key) FROM earlier
            WHERE ${hasCreatedUserSql} AND user_id NOT IN (SELECT user_id FROM made) GROUP BY user_id)
        SELECT count(*) FILTER (WHERE result IN ('created', 'existing')) AS done,
          count(*) FILTER (WHERE result IN ('conflict', 'failed') AND code IS NOT 'GONE') AS left,
          (SELECT count(*) FROM users) AS created,
          (SELECT count(*) FROM users WHERE ${isNamelessSql}) AS nameless
        FROM outcomes`;
      type Counts = Pick<EarlierRun, 'done' | 'left' | 'created' | 'nameless'>;
      return {
        ...facts,
        job,
        begun: beginOf(connection),
        runs: countRuns(connection),
        ...(connection.row(sql) as Counts),
        unsent: countUnsent(connection, job),
        unanswered: countUnanswered(connection, job),
        preview: preview && isWhole(preview, job) ? preview : undefined,
      };
    } finally {
      connection.close();
    }
  } catch {
    return undefined;
  }
}

function isWhole({ ready, rejected, skipped }: Preview, { rows, shard }: Job): boolean {
  return ready + rejected + skipped === rowsOfShard(rows, shard);
}

/** Returns the earlier run if it is of the same job, so that this run resumes it; `undefined` otherwise. */
export function resumedRun(
  earlier: EarlierRun | undefined,
  job: Job,
  mode: RunMode | undefined,
): EarlierRun | undefined {
  if (!earlier) return undefined;
  const drift = mode === 'only failed' ? targetDrift(earlier.job, job) : driftOf(earlier.job, job);
  return drift.length === 0 ? earlier : undefined;
}
