import { existsSync } from 'node:fs';
import type { AlgorithmVerification } from '../canaries/verify-canaries.ts';
import { pathIn } from '../directory/job-files.ts';
import { openJournalDatabase } from '../journal/database.ts';
import type { EarlierJournal } from '../journal/open-journal.ts';
import { countRuns, readFact } from '../journal/read-journal.ts';
import { driftOf, type Job, targetDrift } from '../model/job.ts';
import type { Preview } from '../model/preview.ts';
import { rowsOfShard } from '../model/shard.ts';

/** What the journal of a directory says about its job before a new run takes over. */
export interface EarlierRun {
  job: Job;
  /** Number of runs of the job. */
  runs: number;
  /** Number of users that the job has imported. */
  done: number;
  /** Number of users that the job was allowed to write. */
  consent: number | undefined;
  /** Preview of the whole file; `undefined` if the run ended before it had counted all rows. */
  preview: Preview | undefined;
  canaries: AlgorithmVerification[] | undefined;
  /** When the last row got its outcome. */
  completed: string | undefined;
  /** When the personal data of the job was deleted. */
  purged: string | undefined;
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
      const job = readFact(connection, 'job');
      if (!job) return undefined;
      const preview = readFact(connection, 'preview');
      const { done } = connection
        .prepare("SELECT count(*) AS done FROM outcomes WHERE result IN ('created', 'existing')")
        .get() as { done: number };
      return {
        job,
        runs: countRuns(connection),
        done,
        consent: readFact(connection, 'consent'),
        preview: preview && isWhole(preview, job) ? preview : undefined,
        canaries: readFact(connection, 'canaries'),
        completed: readFact(connection, 'completed'),
        purged: readFact(connection, 'purged'),
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
