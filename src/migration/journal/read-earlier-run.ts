import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AlgorithmVerification } from '../canaries/verify-canaries.ts';
import type { Job } from '../model/job.ts';
import type { Preview } from '../model/preview.ts';
import { journalName } from './archive.ts';
import { openJournalDatabase } from './database.ts';

/** What the journal of a directory says about its job before a run takes it over. */
export interface EarlierRun {
  job: Job;
  preview?: Preview;
  canaries?: AlgorithmVerification[];
}

/**
 * Reads what an earlier run of the job stored; `undefined` where there was none, or where it cannot be read: opening the
 * journal then says why.
 */
export async function readEarlierRun(directory: string): Promise<EarlierRun | undefined> {
  const path = join(directory, journalName);
  if (!existsSync(path)) return undefined;
  const { DatabaseSync } = await import('@photostructure/sqlite');
  try {
    const connection = openJournalDatabase(DatabaseSync, path);
    try {
      const rows = connection
        .prepare("SELECT name, value FROM job WHERE name IN ('job', 'preview', 'canaries')")
        .all() as { name: string; value: string }[];
      const facts: Partial<EarlierRun> = Object.fromEntries(
        rows.map(({ name, value }) => [name, JSON.parse(value)]),
      );
      return facts.job && { ...facts, job: facts.job };
    } finally {
      connection.close();
    }
  } catch {
    return undefined;
  }
}
