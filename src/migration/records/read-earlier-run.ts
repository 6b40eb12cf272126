import { existsSync } from 'node:fs';
import { pathIn } from '../directory/job-files.ts';
import { openJournalDatabase } from '../journal/database.ts';
import type { EarlierJournal } from '../journal/open-journal.ts';
import { countRuns, countUnsent, type JobFacts, readFacts } from '../journal/read-journal.ts';
import { driftOf, type Job, targetDrift } from '../model/job.ts';
import type { Preview } from '../model/preview.ts';
import { rowsOfShard } from '../model/shard.ts';

/** What the journal of a directory says about its job before a new run takes over. */
export interface EarlierRun
  extends Partial<Pick<JobFacts, 'consent' | 'canaries' | 'completed' | 'purged' | 'undone'>> {
  job: Job;
  /** Number of runs of the job. */
  runs: number;
  /** Number of users that the job has imported. */
  done: number;
  /** Number of users that the job has created. */
  created: number;
  /** Number of rows that were not sent. */
  unsent: number;
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
      const { done, created } = connection
        .prepare(
          `SELECT count(*) AS done, count(*) FILTER (WHERE result = 'created') AS created FROM outcomes
            WHERE result IN ('created', 'existing')`,
        )
        .get() as { done: number; created: number };
      return {
        ...facts,
        job,
        runs: countRuns(connection),
        done,
        created,
        unsent: countUnsent(connection, job),
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
  { onlyFailed }: EarlierJournal,
): EarlierRun | undefined {
  if (!earlier) return undefined;
  const drift = onlyFailed ? targetDrift(earlier.job, job) : driftOf(earlier.job, job);
  return drift.length === 0 ? earlier : undefined;
}
