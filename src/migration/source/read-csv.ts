import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { errorCode } from '../../text/error-code.ts';
import { SourceError } from '../model/errors.ts';
import {
  changedMeanwhile,
  columnName,
  largestRecord,
  requireName,
  type Scanned,
  type SourceRecord,
  type Utf8Chunks,
} from '../model/source-record.ts';
import type { CsvDialect } from './detect-delimiter.ts';
import { createNumberWidths } from './number-widths.ts';

/** What is wrong with a record, by the code of csv-parse, whose own messages quote the file: it holds hashes. */
const faults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED:
    'a quote opens in this row and is never closed; close it, or double it ("") inside a quoted value',
  CSV_INVALID_CLOSING_QUOTE:
    'text follows a closing quote in this row; close the value at its end, or double the quotes ("") in it',
  INVALID_OPENING_QUOTE:
    'a quote stands inside a value that is not quoted; quote the whole value and double the quote ("")',
};

/** As many columns as a sheet of a spreadsheet has. */
const mostColumns = 16_384;

/** Follows a stray quote in a file with tabs, since `mysql --batch` quotes nothing. */
const quoteAll = `; for a whole file: sed 's/"/""/g; s/[^\\t]*/"&"/g'`;

/**
 * First pass: counts the rows, and reads the header. Rejects with a `SourceError` if the file is empty, or its quotes are broken, so
 * that a file that cannot be read to its end is rejected before anything is sent.
 */
export async function scanCsv(
  file: string,
  chunks: Utf8Chunks,
  dialect: CsvDialect,
  signal?: AbortSignal,
): Promise<Scanned> {
  const numbers = createNumberWidths();
  let header: SourceRecord = { row: 0, line: 1, cells: dialect.header ?? [] };
  let rows = -1;
  for await (const records of recordsOf(file, chunks, dialect)) {
    signal?.throwIfAborted();
    for (const record of records) {
      rows = record.row;
      if (rows === 0) header = readHeader(file, record);
      else
        for (let column = 0; column < record.cells.length; column += 1)
          numbers.add(column, record.cells[column] ?? '');
    }
  }
  if (rows === -1) {
    const wanted = dialect.header ? 'rows' : 'a header line and rows below it';
    throw new SourceError(file, `the file is empty; it needs ${wanted}`);
  }
  return { rows, fixedColumns: numbers.fixed(), header };
}

/** Reads the row of names. Throws a `SourceError` if there are more than any export has: it would take minutes to examine them. */
function readHeader(file: string, record: SourceRecord): SourceRecord {
  const { cells, line } = record;
  if (cells.length > mostColumns) {
    const fault = `the header has more than ${mostColumns} columns; write each user on a line of its own, and leave out columns that an import does not need`;
    throw new SourceError(file, fault, line);
  }
  for (const name of cells) requireName(file, name, line);
  return { ...record, cells: cells.map(columnName) };
}

/**
 * A later pass: yields the rows in order, in one list per chunk of the file, since waiting for each single row would take as long as
 * checking it. Rejects with a `SourceError` if the number of rows is not `expected`: the file has changed since the first pass.
 */
export async function* readCsv(
  file: string,
  chunks: Utf8Chunks,
  dialect: CsvDialect,
  expected: number,
): AsyncGenerator<SourceRecord[], void> {
  let rows = -1;
  for await (const records of recordsOf(file, chunks, dialect)) {
    rows = records.at(-1)?.row ?? rows;
    if (rows > expected) throw changedMeanwhile(file);
    const list = records[0]?.row === 0 ? records.slice(1) : records;
    if (list.length > 0) yield list;
  }
  if (rows !== expected) throw changedMeanwhile(file);
}

/**
 * Parses a file: yields the list of the records that end in each chunk. The header, if there is one, is row 0. Skips wholly blank
 * lines and the `sep=` line.
 */
async function* recordsOf(
  file: string,
  chunks: Utf8Chunks,
  { delimiter, separatorLine, header }: CsvDialect,
): AsyncGenerator<SourceRecord[], void> {
  const recordDelimiter = ['\r\n', '\n', '\r'];
  const parser = parse({ bom: true, delimiter, recordDelimiter, relaxColumnCount: true });
  // The callback of the write that failed has the same error.
  parser.on('error', () => {});
  // Takes each record as it is made, not from the buffer of the stream.
  parser.push = (cells: string[] | null) => {
    if (cells) take(cells);
    return true;
  };
  let records: SourceRecord[] = [];
  let line = 1;
  /** Line on which the last record ended, as the parser counts. */
  let lines = 0;
  const first = header ? 1 : 0;
  let row = first - (separatorLine ? 1 : 0);
  /** Number of bytes since the last chunk in which a record ended. */
  let unfinished = 0;
  try {
    for await (const chunk of chunks) {
      // Lets responses arrive between two chunks: rows on the wire must not wait for the parsing of later ones.
      await nextTurn();
      unfinished += chunk.length;
      yield await parsed((done) => parser.write(chunk, done));
      if (unfinished > largestRecord)
        throw new SourceError(
          file,
          'more than 64 MiB without the end of a row; look for a quote that is not closed',
          line,
        );
    }
    yield await parsed((done) => parser.end(done));
  } catch (failure) {
    const code = errorCode(failure) ?? '';
    if (!/^CSV_|QUOTE/.test(code)) throw failure;
    const advice = code === 'INVALID_OPENING_QUOTE' && delimiter === '\t' ? quoteAll : '';
    throw new SourceError(file, `${faults[code] ?? `not readable as CSV (${code})`}${advice}`, line);
  }

  /** Returns the records that the parser makes of its input. */
  async function parsed(feed: (done: (failure?: Error | null) => void) => void) {
    records = [];
    await new Promise<void>((resolve, reject) => {
      feed((failure) => (failure ? reject(failure) : resolve()));
    });
    return records;
  }

  function take(cells: string[]): void {
    unfinished = 0;
    const start = line;
    line += 1;
    // The parser counts the line ends in a cell as well, but CR LF as two.
    if (parser.info.lines - lines > 1) for (const cell of cells) line += breaksIn(cell);
    lines = parser.info.lines;
    if (cells.length === 1 && cells[0] === '') return;
    if (row >= first) records.push({ row, line: start, cells });
    row += 1;
  }
}

/** Number of line breaks in a quoted cell. */
function breaksIn(cell: string): number {
  return cell.match(/\r\n|\n|\r/g)?.length ?? 0;
}
