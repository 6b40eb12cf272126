import type { Session } from '../world.ts';
import { formatJson, formatJsonLines } from './json.ts';

/** A record as it is shown: nested objects are reached by dotted column names. */
export type Row = object;

/** What a command has to show. */
export interface Result {
  /** The records: all of them, or page by page where they may be many. */
  rows: readonly Row[] | AsyncIterable<readonly Row[]>;
  /** Where `--json` has the records, and what follows them; without it the document is the only record. */
  list?: ListShape;
  /** Columns when the caller names none; `csv` may show more than a table has room for. */
  columns: readonly string[];
  csvColumns?: readonly string[];
  /** Names that `--columns` may use, up to their first dot; any where it is left out. */
  knownColumns?: readonly string[];
  /** Columns that a narrow terminal keeps, the most needed first; the others go first, from the right. */
  needed?: readonly string[];
  /** Columns that are cut only where those that are less needed have gone. */
  whole?: readonly string[];
  /** A table of one record, a line a field. */
  single?: boolean;
}

/** A document of many records: `{"<name>":[…],…rest}`. */
export interface ListShape {
  name: string;
  /** Asked for when the last page is written, or when no more can be had. */
  rest?: () => object;
}

/** Turns a result into text for stdout, a piece a page, so that a long one needs little memory; loaded when it is used. */
export type Format = (
  result: Result,
  columns: readonly string[] | undefined,
  session: Session,
) => AsyncIterable<string>;

const loaders = {
  table: async () => (await import('./table.ts')).formatTable,
  json: async () => formatJson,
  jsonl: async () => formatJsonLines,
  csv: async () => (await import('./csv.ts')).formatCsv,
} satisfies Record<string, () => Promise<Format>>;

export type FormatName = keyof typeof loaders;

/** Values of `--output`. */
export const formatNames = Object.keys(loaders) as FormatName[];

/** Loads a format by its name. */
export function loadFormat(name: FormatName): Promise<Format> {
  return loaders[name]();
}
