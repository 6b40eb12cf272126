import { mergeJournals } from './journal/merge-journals.ts';
import type { CommandLine, Job } from './model/job.ts';
import type { Summary } from './model/summary.ts';
import { writeResults } from './report/write-results.ts';

/**
 * Merges the job records of all shards of a file into those of the whole file, in a separate directory. Rejects with a
 * `JobDirectoryError`. `version`: of the program. `now`: epoch milliseconds. `onJob`: called when the merged journal is open. The
 * command goes on with the merged job; `undefined` if that of the first shard is not known.
 */
export async function mergeShards(
  shards: readonly string[],
  directory: string,
  version: string,
  now: () => number = Date.now,
  onJob?: (job: Job) => void,
): Promise<{ summary: Summary; command: CommandLine | undefined }> {
  const startedAt = now();
  const { journal, job } = await mergeJournals(directory, shards, { now, onJob });
  try {
    const { command } = journal.facts();
    const facts = { version, startedAt, endedAt: now(), shards: shards.length, command };
    const summary = await writeResults(directory, journal, job, {}, facts);
    journal.set('job', job);
    return { summary, command };
  } finally {
    journal.close(0);
  }
}
