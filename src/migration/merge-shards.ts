import { mergeJournals } from './journal/merge-journals.ts';
import type { Summary } from './model/summary.ts';
import { summarize } from './report/summarize.ts';
import { writeResults } from './report/write-results.ts';

/**
 * Joins the books of all shares of a file into those of the whole file, in a directory of their own. Throws a
 * `JobDirectoryError`. `version`: of the program. `now`: epoch milliseconds.
 */
export async function mergeShards(
  shares: readonly string[],
  directory: string,
  version: string,
  now: () => number = Date.now,
): Promise<Summary> {
  const startedAt = now();
  const { journal, job } = await mergeJournals(directory, shares, now);
  try {
    const summary = summarize(journal, job, { job: directory, seconds: 0, settled: 0 });
    const facts = { version, startedAt, endedAt: now(), shares: shares.length };
    await writeResults(directory, journal, job, summary, facts);
    return summary;
  } finally {
    journal.close(0);
  }
}
