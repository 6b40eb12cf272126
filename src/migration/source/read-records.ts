import { setImmediate as nextTurn } from 'node:timers/promises';
import { changedMeanwhile, type SourceRecord, type Utf8Chunks } from '../model/source-record.ts';
import type { CsvDialect } from './detect-delimiter.ts';
import { createRowSplitter, type SplitRow } from './split-rows.ts';

/**
 * A later pass: reads the header (row 0), if there is one, and then the rows, in order, a list for each chunk of the file: to wait
 * for every single row would take as long as to check it. Wholly blank lines are skipped. Rejects with a `SourceError` when the
 * number of rows is not `expected`: the file was changed since the first pass.
 */
export async function* readRecords(
  file: string,
  chunks: Utf8Chunks,
  { delimiter, separatorLine, hasHeader }: CsvDialect,
  expected: number,
): AsyncGenerator<SourceRecord[], void> {
  const splitter = createRowSplitter(delimiter);
  let row = (hasHeader ? 0 : 1) - (separatorLine ? 1 : 0);
  const first = hasHeader ? 0 : 1;
  for await (const chunk of chunks) {
    // Between two chunks answers are taken in: the rows on the wire do not wait for those that come after them.
    await nextTurn();
    const records = numbered(splitter.write(chunk));
    if (records.length > 0) yield records;
  }
  const records = numbered(splitter.end());
  if (records.length > 0) yield records;
  if (row !== expected + 1) throw changedMeanwhile(file);

  function numbered(rows: readonly SplitRow[]): SourceRecord[] {
    const records: SourceRecord[] = [];
    for (const { line, cells } of rows) {
      if (cells.length === 1 && cells[0] === '') continue;
      if (row > expected) throw changedMeanwhile(file);
      if (row >= first) records.push({ row, line, cells });
      row += 1;
    }
    return records;
  }
}
