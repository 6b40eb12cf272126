import { setImmediate as nextTurn } from 'node:timers/promises';
import { SourceError } from '../../model/errors.ts';
import { createNumberWidths } from '../../model/number-widths.ts';
import {
  changedMeanwhile,
  createNames,
  type RowScan,
  type SourceRecord,
  type Utf8Chunks,
} from '../../model/source-record.ts';
import { type CutValue, createCutter } from './cut-values.ts';
import { flatten, parseRecord } from './flatten.ts';
import { createWholeList } from './whole-list.ts';

/** Where the records of a JSON file are, and which of their strings contain JSON themselves. */
export interface JsonReading {
  /** Member names that lead to the records. */
  path: readonly string[];
  /** Paths of strings that contain JSON. */
  inner: readonly string[];
}

/** Names of the member that holds the users, in exports that contain other data too. */
const usualPaths = ['users', 'Users', 'Resources'];

/** Finds the path of the records from the beginning of a file: from its first object only, however long that is. */
export async function findPath(file: string, chunks: Utf8Chunks): Promise<string[]> {
  let found: string | undefined;
  const cutter = createCutter(file, ['\0'], ({ name, isList }) => {
    if (isList && usualPaths.includes(name)) found ??= name;
  });
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  for await (const chunk of chunks) {
    // In a file with one object per line, the first object ends soon.
    const end = firstEnd(chunk);
    cutter.push(end === undefined ? chunk : chunk.subarray(0, end));
    if (found !== undefined || end !== undefined) break;
  }
  return found === undefined ? [] : [found];

  /** Position after the first object of the text, or of its list; `undefined` if it does not end in this chunk. */
  function firstEnd(chunk: Buffer): number | undefined {
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (isEscaped) isEscaped = false;
      else if (inString) {
        if (byte === 92) isEscaped = true;
        else if (byte === 34) inString = false;
      } else if (byte === 34) inString = true;
      else if (byte === 123) depth += 1;
      else if (byte === 125) {
        depth -= 1;
        if (depth === 0) return at + 1;
      }
    }
    return undefined;
  }
}

/** First pass over a JSON file: counts its records, and collects the paths of their values, which make the header. */
export async function scanJsonRecords(
  file: string,
  chunks: Utf8Chunks,
  { path, inner }: JsonReading,
  signal?: AbortSignal,
): Promise<RowScan & { header: string[] }> {
  const list = createWholeList(file, path);
  const cutter = createCutter(
    file,
    path,
    ({ isList, isRecords, value }) => isList && isRecords && list.addList(value),
    list.addValue,
  );
  const names = createNames(file);
  const numbers = createNumberWidths();
  const nested = new Set(inner);
  let rows = 0;
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    for (const value of cutter.push(chunk)) {
      rows += 1;
      const seen = new Set<string>();
      flattenValue(file, value, nested, (name, text) => {
        if (seen.has(name))
          throw new SourceError(
            file,
            'two values of the record have the same path; a name must not hold the dots that join names',
            value.line,
          );
        seen.add(name);
        numbers.addText(names.add(name, value.line), text);
      });
    }
  }
  cutter.end();
  list.end(rows);
  if (rows === 0) throw new SourceError(file, noRecords(path));
  return { rows, fixedColumns: numbers.fixed(), header: [...names.indexes.keys()] };
}

function noRecords(path: readonly string[]): string {
  const where = path.length === 0 ? 'the file' : `the list ${JSON.stringify(path.join('.'))}`;
  return `there are no records in ${where}`;
}

/** A later pass: yields the records that end in each chunk as a list. Throws a `SourceError` if the file has changed. */
export async function* readJsonRecords(
  file: string,
  chunks: Utf8Chunks,
  { path, inner }: JsonReading,
  header: readonly string[],
  expected: number,
): AsyncGenerator<SourceRecord[], void> {
  const cutter = createCutter(file, path);
  const nested = new Set(inner);
  const indexes = new Map(header.map((name, index) => [name, index]));
  let row = 0;
  for await (const chunk of chunks) {
    await nextTurn();
    const records = cutter.push(chunk).map((value) => {
      const cells = Array<string>(header.length).fill('');
      flattenValue(file, value, nested, (name, text) => {
        const index = indexes.get(name);
        if (index === undefined) throw changedMeanwhile(file);
        cells[index] = text;
      });
      row += 1;
      return { row, line: value.line, cells };
    });
    if (row > expected) throw changedMeanwhile(file);
    if (records.length > 0) yield records;
  }
  if (row !== expected) throw changedMeanwhile(file);
}

/** Parses and flattens a record. Does not pass on the message of `JSON.parse`: it quotes the text, which may hold a hash. */
function flattenValue(
  file: string,
  { bytes, line }: CutValue,
  inner: ReadonlySet<string>,
  add: (path: string, text: string) => void,
): void {
  let value: ReturnType<typeof parseRecord>;
  try {
    value = parseRecord(bytes.toString());
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure;
    throw new SourceError(
      file,
      'the record is not readable as JSON; look for a comma, quote or bracket that is missing or extra',
      line,
    );
  }
  flatten(value, add, inner);
}
