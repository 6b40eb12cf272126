import { SourceError } from '../model/errors.ts';
import type { Scanned, SourceRecord, Utf8Chunks } from '../model/source-record.ts';
import { type Delimiter, delimiters, detectDelimiter } from './detect-delimiter.ts';
import type { SourceFormat } from './detect-format.ts';
import { type NamedReading, readNamed, scanNamed } from './named-records.ts';
import { readCsv, scanCsv } from './read-csv.ts';

/** Reads one format, in two passes: `scan` checks every byte before anything is sent, `read` yields the records. */
export interface Reader {
  /** Delimiter or format, for display. */
  name: string;
  scan(chunks: Utf8Chunks, signal?: AbortSignal): Promise<Scanned>;
  read(chunks: Utf8Chunks, scanned: Scanned): AsyncGenerator<SourceRecord[], void>;
}

/** What the caller knows about the records. */
export interface ReaderOptions {
  delimiter?: Delimiter;
  /** Names of the columns of a CSV file without a header. */
  header?: readonly string[];
  /** Member names that lead to the records of a JSON file. */
  records?: readonly string[];
  /** Paths of strings in JSON records that contain JSON themselves. */
  inner?: readonly string[];
  /** Returns the field of a known column name. */
  fieldOf: (name: string) => string | undefined;
}

/** Creates the reader of a file. `start` is its beginning as text; `read` reads it from the beginning. */
export async function findReader(
  file: string,
  format: SourceFormat,
  start: string,
  read: () => Utf8Chunks,
  options: ReaderOptions,
): Promise<Reader> {
  if (format === 'csv') return csvReader(file, start, options);
  if (options.header)
    throw new SourceError(
      file,
      `this is ${format.toUpperCase()}, whose values have names of their own; --header is for CSV`,
    );
  return format === 'json' ? jsonReader(file, read, options) : ldifReader(file);
}

function csvReader(file: string, start: string, { delimiter, header, fieldOf }: ReaderOptions): Reader {
  const dialect = { ...detectDelimiter(file, start, fieldOf, delimiter), header };
  return {
    name: delimiters[dialect.delimiter],
    scan: (chunks, signal) => scanCsv(file, chunks, dialect, signal),
    read: (chunks, { rows }) => readCsv(file, chunks, dialect, rows),
  };
}

async function jsonReader(
  file: string,
  read: () => Utf8Chunks,
  { records, inner = [], fieldOf }: ReaderOptions,
): Promise<Reader> {
  const { findPath, jsonReading } = await import('./json/read-json.ts');
  const path = records ?? (await findPath(file, read()));
  const name = path.length === 0 ? 'JSON' : `JSON (${path.join('.')})`;
  return namedReader(file, name, () => jsonReading(file, { path, inner, fieldOf }));
}

async function ldifReader(file: string): Promise<Reader> {
  const { ldifReading } = await import('./ldif/read-ldif.ts');
  return namedReader(file, 'LDIF', () => ldifReading(file));
}

function namedReader<Cut extends { line: number }>(
  file: string,
  name: string,
  startReading: () => NamedReading<Cut>,
): Reader {
  return {
    name,
    scan: (chunks, signal) => scanNamed(file, chunks, startReading(), signal),
    read: (chunks, scanned) => readNamed(file, chunks, startReading(), scanned),
  };
}
