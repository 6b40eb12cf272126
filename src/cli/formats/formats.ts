import type { Output } from '../world.ts';
import { formatJson, formatJsonLines } from './json.ts';

/** A record as it is shown: nested objects are reached by dotted column names. */
export type Row = object;

/** What a command has to show. */
export interface Result {
  /** The whole result as `--json` prints it. */
  document: unknown;
  rows: readonly Row[];
  /** Columns when the caller names none; `csv` may show more than a table has room for. */
  columns: readonly string[];
  csvColumns?: readonly string[];
  /** Names that `--columns` may use, up to their first dot; any where it is left out. */
  knownColumns?: readonly string[];
  /** A table of one record, a line a field. */
  single?: boolean;
}

/** Turns a result into the text for stdout; loaded when it is used. */
export type Format = (result: Result, columns: readonly string[] | undefined, output: Output) => string;

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
