import { type KeyQuery, keyQueries } from './actions/keys.ts';
import { type InputOptions, type OpenInput, openInput } from './input/open-input.ts';
import type { Preview } from './model/preview.ts';
import { isOfShard, rowsOfShard, type Shard } from './model/shard.ts';
import { countPreview } from './rows/preview-rows.ts';
import { validateRows } from './rows/validate-rows.ts';

/** What an import of a file would send. */
export interface CountedFile {
  /** Data rows of the file, or of the shard. */
  rows: number;
  preview: Preview;
  /** Keys of some of the rows that would be sent, to look up. */
  queries: KeyQuery[];
  /** How the file was read; it is closed. */
  input: OpenInput;
}

/** Keys that are kept: enough that no cache of a service answers alone. */
const mostQueries = 1000;

/** Reads and checks a file as an import does. Rejects with a `SourceError`. */
export async function countFile({
  file,
  shard,
  ...options
}: InputOptions & {
  file: string;
  shard?: Shard | undefined;
}): Promise<CountedFile> {
  const input = await openInput(file, options);
  const { source, columns } = input;
  try {
    const count = countPreview(columns, shard);
    const queries: KeyQuery[] = [];
    for await (const rows of await validateRows(source, columns)) {
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
