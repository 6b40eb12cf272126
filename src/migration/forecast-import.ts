import { existsSync } from 'node:fs';
import { type KeyQuery, keyQueries } from './actions/keys.ts';
import { pathIn } from './directory/job-files.ts';
import { type InputOptions, type OpenInput, openInput } from './input/open-input.ts';
import { driftOf, isRealJob } from './model/job.ts';
import { isOfShard, rowsOfShard, type Shard, undoneUsers } from './model/shard.ts';
import { readJobStatus } from './records/job-status.ts';
import { countPreview } from './rows/preview-rows.ts';
import { validateRows } from './rows/validate-rows.ts';

/** Most keys that are kept: enough that no cache of a service can answer them all. */
const mostQueries = 1000;

/**
 * Reads and checks a file as an import does. `rows`: those of the file, or of the shard; `queries`: keys to look up, of some of the rows
 * that would be sent; `input`: how the file was read; already closed. Rejects with a `SourceError`.
 */
export async function countFile({
  file,
  shard,
  ...options
}: InputOptions & {
  file: string;
  shard?: Shard | undefined;
}) {
  const input = await openInput(file, options);
  const { source, columns } = input;
  try {
    const count = countPreview(columns, shard);
    const queries: KeyQuery[] = [];
    for await (const rows of validateRows(source, columns)) {
      options.signal?.throwIfAborted();
      count.add(rows);
      for (const { row, user } of rows) {
        if (queries.length >= mostQueries) break;
        if (user && isOfShard(row, shard)) queries.push(...keyQueries(user).slice(0, 1));
      }
    }
    return { rows: rowsOfShard(source.rows, shard), preview: count.preview, queries, input };
  } finally {
    await source.close();
  }
}

/** The import that is forecast: where its records are, and to which tenant it writes. */
export interface ForecastJob {
  directory: string;
  target: Readonly<Record<string, string>>;
  shard?: Shard | undefined;
  now: () => number;
}

/**
 * Returns the number of rows that the same import has sent already, in earlier runs or in one that is still running, and, if that of
 * the directory does not go on, why it is not counted. Rejects with a `JobDirectoryError` for a damaged journal.
 */
export async function countSent(
  { source, columns: { optionsDigest } }: OpenInput,
  { directory, target, shard, now }: ForecastJob,
): Promise<{ sent: number; other?: string }> {
  if (!existsSync(pathIn(directory, 'journal.db'))) return { sent: 0 };
  const { job, status } = await readJobStatus(directory, now);
  const { file, rows, digest } = source;
  const same = { kind: 'import', source: digest, file, rows, optionsDigest, target, shard } as const;
  const drift = driftOf(job, same);
  // After a dry run, its records are in the directory of the import that is to come.
  if (drift.length > 0 && isRealJob(job.kind))
    return { sent: 0, other: `it holds the records of another import: ${drift.join('; ')}` };
  if (drift.length > 0 || status.state === 'purged') return { sent: 0 };
  if (status.undone_at !== undefined) {
    const undone = `${undoneUsers(status.undone_shards)} were disabled by an undo at ${status.undone_at}`;
    return { sent: 0, other: `${undone}: the import can only start over, with --restart` };
  }
  return { sent: status.created + status.existing + status.conflict + status.failed + status.unknown };
}
