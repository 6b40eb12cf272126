import { SourceError } from './errors.ts';

/** Stands for bytes that could not be decoded, so that no accepted U+FFFD is taken for them. It is no character of any text. */
export const undecodable = '\uFDD0';

/** One record of a source, of whatever format. */
export interface SourceRecord {
  /** Data rows count from 1; the header is 0. */
  row: number;
  /** Physical line on which the record starts, from 1. */
  line: number;
  /** Never trimmed or altered. */
  cells: readonly string[];
}

/** What the first pass found out about the rows. */
export interface RowScan {
  /** Data rows. */
  rows: number;
  /** Columns whose numbers should be of one width, by index. */
  fixedColumns: ReadonlyMap<number, FixedWidth>;
}

/** A width that the numbers of a column share: all do that are padded with zeros, or nearly all where none is padded. */
export interface FixedWidth {
  digits: number;
  isPadded: boolean;
}

/** Chunks of a text in UTF-8 and in its order. */
export type Utf8Chunks = AsyncIterable<Buffer> | Iterable<Buffer>;

/** Most bytes of a record: beyond them something was never closed. */
export const largestRecord = 1 << 26;

/** Most names of columns that a file without a header may have. */
const mostNames = 5000;

/** Collects the names of columns of a file without a header, in the order in which they appear. */
export function createNames(file: string) {
  const indexes = new Map<string, number>();
  return {
    indexes,
    add(name: string, line: number): void {
      if (indexes.has(name)) return;
      if (indexes.size === mostNames) {
        const fault = `the records have more than ${mostNames} different names of values; leave values out of the export whose names are ids or dates`;
        throw new SourceError(file, fault, line);
      }
      indexes.set(name, indexes.size);
    },
  };
}

/** The file is not what the first pass read. */
export function changedMeanwhile(file: string): SourceError {
  return new SourceError(
    file,
    'the file was changed while it was read; make sure that nothing writes to it, and rerun',
  );
}
