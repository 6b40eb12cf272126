import { existsSync } from 'node:fs';
import type { AlgorithmVerification } from '../canaries/verify-canaries.ts';
import { pathIn } from '../directory/job-files.ts';
import { openJournalDatabase } from '../journal/database.ts';
import type { EarlierJournal } from '../journal/open-journal.ts';
import { readFact } from '../journal/read-journal.ts';
import { driftOf, type Job, targetDrift } from '../model/job.ts';
import type { Preview } from '../model/preview.ts';
import { rowsOfShard } from '../model/shard.ts';

/** What the journal of a directory says about its job before a run takes it over. */
export interface EarlierRun {
  job: Job;
  /** Users that it has imported. */
  done: number;
  /** Users that the run was allowed to write. */
  consent: number | undefined;
  /** Of the whole file; missing where the run ended before it had counted all rows. */
  preview: Preview | undefined;
  canaries: AlgorithmVerification[] | undefined;
  /** When the last of its rows had an outcome. */
  completed: string | undefined;
  /** When its personal data was deleted. */
  purged: string | undefined;
}

/**
 * Reads what an earlier run of the job stored; `undefined` where there was none, or where it cannot be read: opening the
 * journal then says why.
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

function isWhole({ ready, rejected }: Preview, { rows, shard }: Job): boolean {
  return ready + rejected === rowsOfShard(rows, shard);
}

/** An earlier run of the same job, which this one goes on with. */
export async function readResumedRun(
  job: Job,
  { jobDirectory, restart, onlyFailed }: EarlierJournal & { jobDirectory: string },
): Promise<EarlierRun | undefined> {
  const earlier = restart ? undefined : await readEarlierRun(jobDirectory);
  if (!earlier) return undefined;
  const drift = onlyFailed ? targetDrift(earlier.job, job) : driftOf(earlier.job, job);
  return drift.length === 0 ? earlier : undefined;
}
