import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openJob } from '../../../src/migration/journal/reading/open-job.ts';

/**
 * Deletes the outcomes after a row from a journal, as if its run had been killed before they arrived; with a `mark` of 0, as if it had
 * ended in good order before these rows were sent.
 */
export async function forgetOutcomes(jobDirectory: string, after: number, mark = 64): Promise<void> {
  const { connection } = await openJob(jobDirectory);
  connection.exec(`DELETE FROM outcomes WHERE row > ${after};
    INSERT OR REPLACE INTO job VALUES ('may_be_sent', '${mark}'); DELETE FROM job WHERE name IN ('completed', 'ended')`);
  connection.close();
  await rm(join(jobDirectory, 'summary.json'), { force: true });
}
