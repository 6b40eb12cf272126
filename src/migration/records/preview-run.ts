import type { Job, RunMode } from '../model/job.ts';
import type { Preview } from '../model/preview.ts';
import { isOfShard } from '../model/shard.ts';
import type { Summary } from '../model/summary.ts';
import type { Columns } from '../rows/columns.ts';
import type { PreparedSource } from '../rows/prepared-source.ts';
import { countedRows, countPreview } from '../rows/preview-rows.ts';
import { type ValidatedRow, validateRows } from '../rows/validate-rows.ts';
import { type KnownRows, openKnownRows } from './known-rows.ts';
import type { EarlierRun } from './read-earlier-run.ts';

/** What a run is about to do. */
export interface RunPreview {
  /** All rows of the file. */
  whole: Preview;
  /** The rows that the run sends; `undefined` if they were not counted. */
  sent?: Preview;
  /** Users of the job who are not as the file says, by code. */
  codes?: Summary['codes'];
  /** Number of users of the job who have no row that can be sent. */
  without_row?: number;
}

/** Counts the rows of a file before a run. Rejects with the signal's reason. */
export async function previewRun(
  source: PreparedSource,
  columns: Columns,
  earlier: EarlierRun | undefined,
  { job, directory, mode, signal }: PreviewOptions,
): Promise<RunPreview> {
  const whole = countPreview(columns, job.shard);
  const known = earlier && mode === 'only failed' ? await openKnownRows(directory, job) : undefined;
  try {
    const rows = countedRows(validateRows(source, columns), whole);
    if (!known) {
      for await (const _ of rows) signal?.throwIfAborted();
      return { whole: whole.preview };
    }
    const sent = countPreview(columns, job.shard);
    const codes: Summary['codes'] = {};
    for await (const list of rows) {
      signal?.throwIfAborted();
      sent.add(list.filter((row) => isOfShard(row.row, job.shard) && !isKnown(row, known, codes)));
    }
    return { whole: whole.preview, sent: sent.preview, codes, without_row: known.withoutRow() };
  } finally {
    known?.close();
  }
}

interface PreviewOptions {
  job: Job;
  /** The job directory. */
  directory: string;
  mode: RunMode | undefined;
  signal: AbortSignal | undefined;
}

/** Adds the code of a user who is not as the row says. True if the run does not send the row, because its user is known. */
function isKnown(row: ValidatedRow, known: KnownRows, codes: Summary['codes']): boolean {
  const found = row.user && known.find(row);
  if (found?.differsBy) codes[found.differsBy] = (codes[found.differsBy] ?? 0) + 1;
  return found !== undefined;
}
