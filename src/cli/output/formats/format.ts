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
  /** In CSV no value can be taken for a formula. */
  isForSpreadsheets?: boolean;
  /** Names that `--columns` may use, up to their first dot; any where it is left out. */
  knownColumns?: readonly string[];
  /** Columns that a narrow terminal keeps, the most needed first; the others go first, from the right. */
  needed?: readonly string[];
  /** Columns that are cut only where those that are less needed have gone. */
  whole?: readonly string[];
  /** Columns whose values take several lines on a narrow terminal, and are not cut. */
  wrapped?: readonly string[];
  /** A table of one record, a line a field. */
  single?: boolean;
  /** The field that identifies a record: all that `--quiet` prints of it; a narrow table shortens it. */
  id?: string;
}

/** A document of many records: `{"<name>":[…],…rest}`. */
export interface ListShape {
  name: string;
  /** Asked for when the last page is written, or when no more can be had. */
  rest?: () => object;
}

/** What a format must know of the terminal that it is made for; a file and a pipe are endlessly wide. */
export interface Screen {
  /** Width in characters; `Infinity` where it is no terminal. */
  width: number;
  isTerminal: boolean;
  /** Sets a heading off. */
  bold(text: string): string;
  /** Says something to a person beside the result. */
  note(text: string): void;
}

/** Turns a result into text for stdout, a piece a page, so that a long one needs little memory. */
export type Format = (
  result: Result,
  columns: readonly string[] | undefined,
  screen: Screen,
) => AsyncIterable<string>;

/** Values of `--output`. */
export const formatNames = ['table', 'json', 'jsonl', 'csv', 'tsv'] as const;

export type FormatName = (typeof formatNames)[number];
