import { SourceError } from '../model/errors.ts';
import { largestRecord, type RowScan, type Utf8Chunks } from '../model/source-record.ts';
import { checkedText, type TextReading } from './checked-text.ts';
import type { CsvDialect } from './detect-delimiter.ts';
import { createNumberWidths, type NumberWidths } from './number-widths.ts';

const byteOf = { lineFeed: 10, carriageReturn: 13, quote: 34, tab: 9 } as const;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Positions inside a row. */
const position = { cellStart: 0, plain: 1, quoted: 2, afterQuote: 3 } as const;

interface Scan {
  file: string;
  delimiter: number;
  /** Rows that ended, the header included. */
  rows: number;
  /** The first one that is no header. */
  firstRow: number;
  line: number;
  position: number;
  /** Nothing but at most an empty pair of quotes in this row so far. */
  blank: boolean;
  /** The last byte was a carriage return: a line feed now belongs to the same line end. */
  afterReturn: boolean;
  /** Line on which the last quote opened. */
  opened: number;
  /** Bytes of the row under way that were in earlier chunks. */
  rowBytes: number;
  /** Column of the cell under way, from 0. */
  column: number;
  numbers: NumberWidths;
}

/**
 * First pass: reads every byte, so that a file which cannot be read to its end is refused before the first
 * write. Resolves to what it found out about the rows; rejects with a `SourceError` when the file is empty,
 * its text is not of the encoding, or its quotes are broken. It parses no cells, which makes it ten times as fast
 * as the second pass, and keeps no chunk. Only the first chunk is looked at for a byte order mark. A property test
 * holds its idea of rows against csv-parse's.
 */
export async function scanRows(
  file: string,
  chunks: Utf8Chunks,
  { delimiter, separatorLine, hasHeader, ...reading }: CsvDialect & TextReading,
  signal?: AbortSignal,
): Promise<RowScan> {
  const scan: Scan = {
    file,
    delimiter: delimiter.charCodeAt(0),
    rows: 0,
    firstRow: hasHeader ? 1 : 0,
    line: 1,
    position: position.cellStart,
    blank: true,
    afterReturn: false,
    opened: 0,
    rowBytes: 0,
    column: 0,
    numbers: createNumberWidths(),
  };
  let first = true;
  for await (const chunk of checkedText(file, chunks, reading, () => scan.line)) {
    signal?.throwIfAborted();
    advance(scan, first && chunk.subarray(0, 3).equals(byteOrderMark) ? chunk.subarray(3) : chunk);
    first = false;
  }
  if (scan.position === position.quoted) {
    const fault = 'a quote opens here and is never closed; close it, or double it ("") inside a quoted value';
    throw new SourceError(file, fault, scan.opened);
  }
  const rows = scan.rows + (scan.blank ? 0 : 1) - (separatorLine ? 1 : 0);
  if (rows <= 0) {
    const wanted = hasHeader ? 'a header line and rows below it' : 'rows';
    throw new SourceError(file, `the file is empty; it needs ${wanted}`);
  }
  return { rows: rows - scan.firstRow, fixedColumns: scan.numbers.fixed() };
}

/** Runs through one chunk; local variables, because this loop sees every byte of the file. */
function advance(scan: Scan, bytes: Buffer): void {
  let { rows, line, position: at, blank, afterReturn, opened, rowBytes, column } = scan;
  const { delimiter, numbers, firstRow } = scan;
  let rowStart = 0;
  // A cell that began in an earlier chunk is left out: one in thousands does not change what a column is.
  let cellStart = at === position.cellStart ? 0 : -1;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    const wasReturn = afterReturn;
    afterReturn = byte === byteOf.carriageReturn;
    const endsLine = afterReturn || byte === byteOf.lineFeed;
    if (wasReturn && byte === byteOf.lineFeed) {
      if (at === position.cellStart) cellStart = index + 1;
      continue;
    }
    if (at === position.quoted) {
      if (byte === byteOf.quote) at = position.afterQuote;
      else blank = false;
      if (endsLine) line += 1;
    } else if (endsLine) {
      if (cellStart >= 0 && rows >= firstRow) numbers.add(column, bytes, cellStart, index);
      if (!blank) rows += 1;
      blank = true;
      line += 1;
      at = position.cellStart;
      rowStart = index;
      rowBytes = 0;
      column = 0;
      cellStart = index + 1;
    } else if (byte === byteOf.quote) {
      if (at === position.plain) throw strayQuote(scan, line);
      if (at === position.cellStart) opened = line;
      else blank = false;
      at = position.quoted;
    } else {
      if (byte !== delimiter && at === position.afterQuote) throw textAfterQuote(scan.file, opened, line);
      blank = false;
      at = position.plain;
      if (byte !== delimiter) continue;
      at = position.cellStart;
      if (cellStart >= 0 && rows >= firstRow) numbers.add(column, bytes, cellStart, index);
      column += 1;
      cellStart = index + 1;
    }
  }
  rowBytes += bytes.length - rowStart;
  if (rowBytes > largestRecord) throw endless(scan.file, at === position.quoted ? opened : line);
  Object.assign(scan, { rows, line, position: at, blank, afterReturn, opened, rowBytes, column });
}

function endless(file: string, line: number): SourceError {
  const fault = 'more than 64 MiB without the end of a row; look for a quote that is not closed';
  return new SourceError(file, fault, line);
}

/** `mysql --batch` quotes nothing. */
function strayQuote({ file, delimiter }: Pick<Scan, 'file' | 'delimiter'>, line: number): SourceError {
  const all = delimiter === byteOf.tab ? `; for a whole file: sed 's/"/""/g; s/[^\\t]*/"&"/g'` : '';
  const fault = `a quote stands inside a value that is not quoted; quote the whole value and double the quote ("")${all}`;
  return new SourceError(file, fault, line);
}

function textAfterQuote(file: string, opened: number, line: number): SourceError {
  const fault = `text follows a closing quote; the value begins on line ${opened}: close it there, or double its quotes`;
  return new SourceError(file, fault, line);
}
