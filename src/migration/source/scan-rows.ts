import { SourceError } from '../model/errors.ts';
import { createNumberWidths } from '../model/number-widths.ts';
import { largestRecord, type RowScan, type Utf8Chunks } from '../model/source-record.ts';
import type { CsvDialect } from './detect-delimiter.ts';
import { checkedText, type TextReading } from './to-utf8.ts';

const byteOf = { lineFeed: 10, carriageReturn: 13, quote: 34, tab: 9 } as const;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Parser states inside a row. */
const position = { cellStart: 0, plain: 1, quoted: 2, afterQuote: 3 } as const;

/** The state at the beginning of a file. */
function startOf(file: string, { delimiter, hasHeader }: CsvDialect) {
  return {
    file,
    delimiter: delimiter.charCodeAt(0),
    /** Rows that have ended, including the header. */
    rows: 0,
    /** Index of the first data row. */
    firstRow: hasHeader ? 1 : 0,
    line: 1,
    position: position.cellStart as number,
    /** True while the row holds nothing, or only an empty pair of quotes. */
    blank: true,
    /** True if the last byte was a carriage return: a line feed after it belongs to the same line end. */
    afterReturn: false,
    /** Line on which the last quote opened. */
    opened: 0,
    /** Bytes of the current row that were in earlier chunks. */
    rowBytes: 0,
    /** Column of the current cell, from 0. */
    column: 0,
    numbers: createNumberWidths(),
  };
}

type Scan = ReturnType<typeof startOf>;

/**
 * First pass: reads every byte, so that a file that cannot be read to its end is rejected before anything is sent. Resolves to what
 * is known about the rows; rejects with a `SourceError` if the file is empty, its text is not in the encoding, or its quotes are
 * broken. Parses no cells, so it is ten times as fast as the second pass, and keeps no chunk. Looks for a byte order mark only in
 * the first chunk. A property test checks that it counts rows as csv-parse does.
 */
export async function scanRows(
  file: string,
  chunks: Utf8Chunks,
  text: CsvDialect & TextReading,
  signal?: AbortSignal,
): Promise<RowScan> {
  const scan = startOf(file, text);
  let first = true;
  for await (const chunk of checkedText(file, chunks, text)) {
    signal?.throwIfAborted();
    advance(scan, first && chunk.subarray(0, 3).equals(byteOrderMark) ? chunk.subarray(3) : chunk);
    first = false;
  }
  if (scan.position === position.quoted) {
    const fault = 'a quote opens here and is never closed; close it, or double it ("") inside a quoted value';
    throw new SourceError(file, fault, scan.opened);
  }
  const rows = scan.rows + (scan.blank ? 0 : 1) - (text.separatorLine ? 1 : 0);
  if (rows <= 0) {
    const wanted = text.hasHeader ? 'a header line and rows below it' : 'rows';
    throw new SourceError(file, `the file is empty; it needs ${wanted}`);
  }
  return { rows: rows - scan.firstRow, fixedColumns: scan.numbers.fixed() };
}

/** Scans one chunk. Uses local variables, since this loop runs for every byte of the file. */
function advance(scan: Scan, bytes: Buffer): void {
  let { rows, line, position: at, blank, afterReturn, opened, rowBytes, column } = scan;
  const { delimiter, numbers, firstRow } = scan;
  let rowStart = 0;
  // A cell that began in an earlier chunk is not measured: one in thousands does not matter for the width of its column.
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

/** The error for a stray quote. For a tab-separated file it suggests a command, since `mysql --batch` quotes nothing. */
function strayQuote({ file, delimiter }: Pick<Scan, 'file' | 'delimiter'>, line: number): SourceError {
  const all = delimiter === byteOf.tab ? `; for a whole file: sed 's/"/""/g; s/[^\\t]*/"&"/g'` : '';
  const fault = `a quote stands inside a value that is not quoted; quote the whole value and double the quote ("")${all}`;
  return new SourceError(file, fault, line);
}

function textAfterQuote(file: string, opened: number, line: number): SourceError {
  const fault = `text follows a closing quote; the value begins on line ${opened}: close it there, or double its quotes`;
  return new SourceError(file, fault, line);
}
