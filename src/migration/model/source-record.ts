import { SourceError } from './errors.ts';

/** Stands for bytes that could not be decoded. Unlike U+FFFD, which a file may contain, it is not a character of any text. */
export const undecodable = '\uFDD0';
/** Stands for the same character where it is in the file itself; it is none that text may have. */
export const notCharacter = '\uFDD1';

/** One record of a source, of any format. */
export interface SourceRecord {
  /** Number of the data row, from 1; the header is 0. */
  row: number;
  /** Physical line on which the record starts, from 1. */
  line: number;
  /** Never trimmed or altered. */
  cells: readonly string[];
}

/** What the first pass found out about a source. */
export interface Scanned {
  /** The column names. Without a header row: the names that the caller gave, or those of the values in order of appearance. */
  header: SourceRecord;
  /** Number of data rows. */
  rows: number;
  /** Columns whose numbers should be of one width, by index. */
  fixedColumns: ReadonlyMap<number, FixedWidth>;
  /** Names beside the records of a JSON file of lists of objects, or of objects with such lists: they may be users, and are not read. */
  otherLists?: readonly string[];
  /** If people seem to be within the records of a JSON file. */
  peopleWithin?: PeopleWithin | undefined;
}

/** People within a record, who would be read as one. */
export interface PeopleWithin {
  /** True if most records hold several; false for one person in the only record, beside whom the whole export may have others. */
  areSeveral: boolean;
  /** The command by which they become records. */
  extract: string;
  /** `records` of a recipe for which each record is one person. */
  records: string;
}

/** The line of a recipe that says that each record is one person. */
export function onePersonEach({ records }: PeopleWithin): string {
  return `from: { format: json, records: ${JSON.stringify(records)} }`;
}

/** Says that records hold several people, and how to extract them. */
export function describeSeveral({ extract }: PeopleWithin): string {
  return `a record holds several people, who would be read as one: extract them, for example: ${extract}`;
}

/** The width that numbers of a column share: all numbers padded with zeros, or nearly all numbers if none is padded. */
export interface FixedWidth {
  digits: number;
  isPadded: boolean;
}

/** Chunks of UTF-8 text, in order. */
export type Utf8Chunks = AsyncIterable<Buffer> | Iterable<Buffer>;

/** Maximum number of bytes in a record; in a larger one, something was never closed. */
export const largestRecord = 1 << 26;

/** Most characters in the name of a column: it is compared with many names, which takes long with a long one. */
export const longestName = 1000;

/** Throws a `SourceError` if a text is too long to be the name of a column. */
export function requireName(file: string, name: string, line: number): void {
  if (name.length <= longestName) return;
  const fault = `the name of a column has more than ${longestName} characters; shorten it, or leave the column out of the export. If it is a value, a quote or the header may be missing`;
  throw new SourceError(file, fault, line);
}

/** Returns the error for a file that was changed after the first pass. */
export function changedMeanwhile(file: string): SourceError {
  return new SourceError(
    file,
    'the file was changed while it was read; make sure that nothing writes to it, and rerun',
  );
}

/** What stands for the name of a column that has none, or that may be a value. */
export function placeOf(index: number): string {
  return `(column ${index + 1})`;
}

/** The name of a column of a CSV file. Without one it gets its place as its name, by which recipes and `--map` can read it. */
export function columnName(name: string, index: number): string {
  return name.trim() === '' ? placeOf(index) : name;
}
