/** A record to print. Dotted column names reach into nested objects. */
export type Row = object;

/** The result of a command, and how it is printed. */
export interface Result {
  /** The records: an array, or pages if there may be many. */
  rows: readonly Row[] | AsyncIterable<readonly Row[]>;
  /** Where the document of `--json` has the records, and its other fields. Without this, the document is the only record. */
  list?: ListShape;
  /** Columns if the caller names none. `csvColumns`: those of CSV, if a table has no room for all. */
  columns: readonly string[];
  csvColumns?: readonly string[];
  /** True if no value in CSV may be taken for a formula. */
  isForSpreadsheets?: boolean;
  /** Columns that a narrow terminal keeps, most needed first. The others are left out first, from the right. */
  needed?: readonly string[];
  /** Columns that are cut only after all less needed columns are left out. */
  whole?: readonly string[];
  /** True for the only record of a command: a table has one line per field, and wraps long values instead of cutting them. */
  single?: boolean;
  /** The field that identifies a record. `--quiet` prints only this field; a narrow table shortens it. */
  id?: string | undefined;
}

/** A document of many records: `{"<name>":[…],…rest}`. */
export interface ListShape {
  name: string;
  /** Returns the other fields. Called after the last page, or when no more pages can be read. */
  rest?: () => object;
}

/** What a format needs to know about the output. A file and a pipe have infinite width. */
export interface Screen {
  /** Width in characters; `Infinity` if it is not a terminal. */
  width: number;
  isTerminal: boolean;
  bold(text: string): string;
  /** Writes a notice for people, apart from the result. */
  note(text: string): void;
}

/** Turns a result into text for stdout, one piece per page, so that a long result needs little memory. */
export type Format = (
  result: Result,
  columns: readonly string[] | undefined,
  screen: Screen,
) => AsyncIterable<string>;

export const formatMeanings = {
  table: 'a table for people; the default',
  json: 'one document with every field, also --json, which prints failures as JSON too',
  jsonl: 'a line of JSON for each record, as they come',
  csv: 'with a header, for spreadsheets and databases; list --safe guards against formulas',
  tsv: 'a line for each record without a header, for cut, awk and while read; tabs and line breaks in a value are \\t, \\n and \\r',
};

export type FormatName = keyof typeof formatMeanings;

export const formatNames = Object.keys(formatMeanings) as FormatName[];
