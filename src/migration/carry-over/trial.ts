import { rowKey } from '../actions/keys.ts';
import { resultsOfUsers } from '../journal/database/database.ts';
import { copyTables } from '../journal/database/tables.ts';
import { countWithoutRow } from '../journal/reading/count-outcomes.ts';
import { searchUsers } from '../journal/reading/job-users.ts';
import { openJob } from '../journal/reading/open-job.ts';
import { driftOf } from '../model/job.ts';
import { canLogIn } from '../model/outcome.ts';
import type { Preview } from '../model/preview.ts';
import { isOfShard, type Shard } from '../model/shard.ts';
import type { Summary } from '../model/summary.ts';
import type { Columns } from '../rows/columns.ts';
import { countedRows, countPreview } from '../rows/preview-rows.ts';
import type { ValidatedRow, ValidRow } from '../rows/validate-rows.ts';
import { type CorrectedFile, carryOver } from './carry-over.ts';

/** What the next run of a job finds in the journal. */
export type Trial = Awaited<ReturnType<typeof openTrial>>;

/**
 * Opens what the next run of a job finds in the journal, which stays as it is: a corrected file is carried over in a copy of the
 * tables. Then `rows`, which are those of the file, must be read before anything is asked. Throws a `JobDirectoryError` as the run would.
 */
export async function openTrial(file: CorrectedFile) {
  const { job: before, connection } = await openJob(file.directory);
  const isCorrected = driftOf(before, file.job).length > 0;
  // The transaction is that of the copies: it does not lock the journal. Statements that are prepared from here on mean the copies.
  if (isCorrected) connection.exec(`${copyTables} BEGIN`);
  const users = searchUsers(connection, () => {});
  const codeOf = connection.prepare(
    `SELECT code FROM outcomes WHERE row = ? AND result IN ${resultsOfUsers}`,
  );
  const known = connection.prepare(`SELECT 1 FROM outcomes
    WHERE row = ? AND (result IN ${resultsOfUsers} OR code IS 'NOT_DISABLED')`);
  return {
    isCorrected,
    rows: isCorrected ? carryOver(connection, before, file) : file.rows,
    /** True if the run sends nothing for the row, because its user is known. */
    isKnown: ({ row, user }: ValidatedRow) =>
      user !== undefined && (known.get(row) ?? users.stranger(rowKey(user), row)) !== undefined,
    /** False if the user of the row is there with another hash, or cannot log in. */
    canLogIn({ row }: ValidRow): boolean {
      const found = codeOf.get(row) as { code: string | null } | undefined;
      return canLogIn(found?.code);
    },
    /** Users who are not as the file says, by code. */
    codes(): Summary['codes'] {
      const sql = `SELECT code, count(*) AS rows FROM outcomes
        WHERE result IN ${resultsOfUsers} AND code IS NOT NULL GROUP BY code`;
      const found = connection.rows<{ code: string; rows: number }>(sql);
      return Object.fromEntries(found.map(({ code, rows }) => [code, rows]));
    },
    withoutRow: () => countWithoutRow(connection),
    close: connection.close,
  };
}

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

/** Counts the rows of a file before a run; with a trial, also those that it sends. Rejects with the signal's reason. */
export async function previewRun(
  rows: AsyncGenerator<readonly ValidatedRow[], void>,
  { columns, shard, signal }: { columns: Columns; shard: Shard | undefined; signal: AbortSignal | undefined },
  trial: Trial | undefined,
): Promise<RunPreview> {
  const whole = countPreview(columns, shard);
  const sent = countPreview(columns, shard);
  for await (const list of countedRows(trial?.rows ?? rows, whole)) {
    signal?.throwIfAborted();
    if (trial) sent.add(list.filter((row) => isOfShard(row.row, shard) && !trial.isKnown(row)));
  }
  if (!trial) return { whole: whole.preview };
  return {
    whole: whole.preview,
    sent: sent.preview,
    codes: trial.codes(),
    without_row: trial.withoutRow(),
  };
}
