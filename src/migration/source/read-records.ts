import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { errorCode } from '../../text/error-code.ts';
import { SourceError } from '../model/errors.ts';
import { changedMeanwhile, type SourceRecord, type Utf8Chunks } from '../model/source-record.ts';
import type { CsvDialect } from './detect-delimiter.ts';

/**
 * A later pass: yields the header (row 0), if there is one, and then the rows, in order and in one list per chunk of the file,
 * since waiting for each single row would take as long as checking it. Skips wholly blank lines. Rejects with a `SourceError` if
 * the number of rows is not `expected`: the file has changed since the first pass.
 */
export async function* readRecords(
  file: string,
  chunks: Utf8Chunks,
  { delimiter, separatorLine, hasHeader }: CsvDialect,
  expected: number,
): AsyncGenerator<SourceRecord[], void> {
  const recordDelimiter = ['\r\n', '\n', '\r'];
  const parser = parse({ bom: true, delimiter, recordDelimiter, relaxColumnCount: true });
  let parseError: unknown;
  parser.on('error', (failure) => {
    parseError ??= failure;
  });
  let line = 1;
  let row = (hasHeader ? 0 : 1) - (separatorLine ? 1 : 0);
  const first = hasHeader ? 0 : 1;
  try {
    for await (const chunk of chunks) {
      // Lets responses arrive between two chunks: rows on the wire must not wait for the parsing of later ones.
      await nextTurn();
      const records = await parsed((done) => parser.write(chunk, done));
      if (records.length > 0) yield records;
    }
    const records = await parsed((done) => parser.end(done));
    if (records.length > 0) yield records;
  } catch (failure) {
    // csv-parse quotes the file in its messages, and the file holds hashes.
    throw isCsvError(failure)
      ? new SourceError(file, `not readable as CSV (${failure.code})`, line)
      : failure;
  }
  if (row !== expected + 1) throw changedMeanwhile(file);

  /** Returns the records that the parser makes of its input. Its own iterator would take as long as the parsing. */
  async function parsed(feed: (done: () => void) => void): Promise<SourceRecord[]> {
    const records: SourceRecord[] = [];
    const fed = new Promise<void>(feed);
    take(records);
    await fed;
    take(records);
    return records;
  }

  function take(records: SourceRecord[]): void {
    for (;;) {
      const cells: string[] | null = parser.read();
      if (parseError) throw parseError;
      if (cells === null) return;
      const start = line;
      line += 1;
      for (const cell of cells) if (cell.includes('\n') || cell.includes('\r')) line += breaksIn(cell);
      if (cells.length === 1 && cells[0] === '') continue;
      if (row > expected) throw changedMeanwhile(file);
      if (row >= first) records.push({ row, line: start, cells });
      row += 1;
    }
  }
}

/** Number of line breaks in a quoted cell. csv-parse itself counts CR LF inside quotes as two. */
function breaksIn(cell: string): number {
  return cell.match(/\r\n|\n|\r/g)?.length ?? 0;
}

function isCsvError(failure: unknown): failure is Error & { code: string } {
  return /^CSV_|QUOTE/.test(errorCode(failure) ?? '');
}
