import { columnName, type SourceRecord } from '../model/source-record.ts';
import type { Source } from '../source/open-source.ts';
import type { DuplicateSearch } from './issues/duplicates.ts';
import type { IssueCause } from './issues/issues.ts';

/** A record whose cells may have been converted by a recipe. */
export interface PreparedRecord extends SourceRecord {
  /** Values that the recipe could not read. */
  causes?: readonly IssueCause[];
  /** True if the recipe leaves the record out. */
  isSkipped?: true;
  /** Name of a column that the recipe does not use and that holds a salt. */
  salt?: string;
  /** True if the user is disabled after being created. */
  isDisabled?: true;
  /** The conditions of the recipe because of which the record is left out, or its user disabled. */
  selectedBy?: readonly string[];
}

/** The recipe that was applied to a source. */
export interface AppliedRecipe {
  name: string;
  /** SHA-256 in hex, see `recipeDigest`. */
  digest: string;
  /** For each column of the API, the name of its column in the file. */
  columnNames: readonly string[];
  /** For each column of the API, the value that a record gets without having one; `undefined` if there is none. */
  constants: readonly (string | undefined)[];
  /** Columns of the file that the recipe does not use, as `shownName` returns them. */
  ignored: readonly string[];
  /** Columns of its conditions that the file lacks, so that no record meets them; of several for one condition, `a or b`. */
  missing: readonly string[];
  /** Those of `missing` that find people by what they have, if the file has no such column at all; otherwise empty. */
  missingStatus: readonly string[];
  /** True if algorithms are inferred from the form of each hash. */
  infers: boolean;
  /** The kind of all hashes, if the recipe says that the API accepts none of them. */
  foreignKind: string | undefined;
  foreignHashes: 'reject' | 'passwordless';
  /** True if it can leave rows out. */
  skips: boolean;
  /** True if a status in the file can disable users. */
  disables: boolean;
  /** Number of its open questions. */
  open: number;
}

/** A source whose records are ready to be checked as rows. */
export interface PreparedSource extends Omit<Source, 'readRows'> {
  recipe?: AppliedRecipe;
  /** If the file was read for the people who are not disabled: which row keeps each unique value, for these columns. */
  kept?: { columns: object; duplicates: DuplicateSearch };
  readRows(): AsyncGenerator<readonly PreparedRecord[], void>;
}

/** True if the row is the header again, as in concatenated files, which repeat the byte order mark too. */
export function repeatsHeader(cells: readonly string[], header: readonly string[]): boolean {
  return cells.every(
    (cell, index) => columnName(index === 0 ? cell.replace(/^\uFEFF/, '') : cell, index) === header[index],
  );
}

/** Yields the first rows of a file, `most` or a few more: enough to recognize its columns, and few beside those that are then checked. */
export async function* beginningOf(
  { readRows }: PreparedSource,
  most: number,
): ReturnType<PreparedSource['readRows']> {
  let rows = 0;
  for await (const records of readRows()) {
    yield records;
    rows += records.length;
    if (rows >= most) return;
  }
}
