import { errorCode } from '../../text/error-code.ts';
import { type JobFileName, pathIn } from '../directory/job-files.ts';
import { replaceFile } from '../directory/replace-file.ts';
import { readRuns } from '../journal/database/job-facts.ts';
import type { Journal } from '../journal/journal.ts';
import { exportCsv, type ListColumn } from '../journal/reading/export-csv.ts';
import { JobDirectoryError } from '../model/errors.ts';
import type { Job } from '../model/job.ts';
import type { Summary } from '../model/summary.ts';
import { type RunCounts, summarize } from '../records/summarize.ts';
import { renderReport } from './render-report.ts';
import type { ReportData } from './report-data.ts';

/** The lists of a job: which outcomes they contain, and with which columns. None contains a password, hash or key. */
const lists = {
  'users.csv': {
    where: 'users',
    columns: ['row', 'user_name', 'external_id', 'user_id', 'result', 'found_by_look_up', 'disabled'],
  },
  'failures.csv': {
    where: 'others',
    columns: ['row', 'line', 'user_name', 'external_id', 'code', 'message', 'hint', 'user_id', 'key'],
  },
} as const satisfies Partial<
  Record<JobFileName, { where: 'users' | 'others'; columns: readonly ListColumn[] }>
>;

/** What the records need in addition to the journal. */
export type RunFacts = RunCounts & Omit<ReportData, 'summary' | 'file' | 'digest' | 'target' | 'runs'>;

/**
 * Summarizes a job, and writes its records from its journal: `users.csv`, `failures.csv` (both in the order of the rows),
 * `summary.json` and `report.html`. Each is readable by its owner only (0600), and replaced as a whole. Throws a `JobDirectoryError`.
 */
export async function writeResults(
  directory: string,
  journal: Journal,
  job: Job,
  facts: RunFacts,
): Promise<Summary> {
  const connection = journal.committed();
  const summary = summarize(connection, job, { ...facts, job: directory });
  try {
    for (const name of ['users.csv', 'failures.csv'] as const) {
      const { where, columns } = lists[name];
      await replaceFile(pathIn(directory, name), exportCsv(connection, where, columns));
    }
    await replaceFile(pathIn(directory, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
    const { file, source: digest, target } = job;
    const runs = readRuns(connection).map((run, at, { length }) =>
      // The journal gets the duration of this run only when it closes.
      at === length - 1 ? { ...run, seconds: summary.seconds } : run,
    );
    const report = renderReport({ ...facts, summary, file, digest, target, runs });
    await replaceFile(pathIn(directory, 'report.html'), report);
  } catch (failure) {
    const code = errorCode(failure);
    if (code === undefined) throw failure;
    const fault = `the job records cannot be written there (${code})`;
    throw new JobDirectoryError(directory, fault, remedies[code] ?? otherRemedy);
  }
  journal.set('ended', { summary, isStopped: facts.isStopped ?? false });
  return summary;
}

/** What to do about a failure of the system, by its code. If the directory is gone, so is the journal. */
const remedies: Readonly<Record<string, string>> = {
  ENOENT:
    'The directory was deleted or renamed during the import. If it was renamed, restore its name; then rerun the same command: without the journal, users are found by their identifiers.',
  EMFILE:
    'This process may not open more files: raise the limit (ulimit -n) or lower --concurrency, then rerun the same command. The journal has everything.',
};

const otherRemedy =
  'The journal has everything: free some space, or what else is in the way, then rerun the same command.';
