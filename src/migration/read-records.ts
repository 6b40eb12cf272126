import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { SourceError } from './source-error.ts';

/** One row of the source as it stands there. */
export interface SourceRecord {
  /** Data rows count from 1; the header is 0. */
  row: number;
  /** Physical line on which the row starts, from 1. */
  line: number;
  /** Never trimmed or altered. */
  cells: readonly string[];
}

/**
 * Second pass: reads the header (row 0) and then each row. Wholly blank lines are skipped. Rejects with a
 * `SourceError` when the number of rows is not `expected`: the file was changed since the first pass.
 */
export async function* readRecords(
  file: string,
  chunks: AsyncIterable<Buffer>,
  expected: number,
): AsyncGenerator<SourceRecord, void> {
  const parser = parse({ bom: true, recordDelimiter: ['\r\n', '\n', '\r'], relaxColumnCount: true });
  // The iteration below meets whatever goes wrong in either stream.
  pipeline(chunks, parser, () => {});
  let line = 1;
  let row = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      const start = line;
      line += 1;
      for (const cell of cells) if (cell.includes('\n') || cell.includes('\r')) line += breaksIn(cell);
      if (cells.length === 1 && cells[0] === '') continue;
      if (row > expected) throw changed(file);
      yield { row, line: start, cells };
      row += 1;
    }
  } catch (failure) {
    // csv-parse quotes the file in its messages, and the file holds hashes.
    throw isCsvError(failure)
      ? new SourceError(file, `not readable as CSV (${failure.code})`, line)
      : failure;
  }
  if (row !== expected + 1) throw changed(file);
}

/** Line breaks in a quoted cell. csv-parse's own count takes CR LF inside quotes for two. */
function breaksIn(cell: string): number {
  return cell.match(/\r\n|\n|\r/g)?.length ?? 0;
}

function changed(file: string): SourceError {
  return new SourceError(file, 'the file was changed while it was read; let nobody write to it meanwhile');
}

function isCsvError(failure: unknown): failure is Error & { code: string } {
  return failure instanceof Error && 'code' in failure && /^CSV_|QUOTE/.test(String(failure.code));
}
