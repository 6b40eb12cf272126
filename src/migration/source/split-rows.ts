const [lineFeed, carriageReturn, quote] = [10, 13, 34];

/** A row of a CSV file. */
export interface SplitRow {
  /** Physical line on which it starts, from 1. */
  line: number;
  cells: string[];
}

/** Cuts a CSV file into rows, chunk by chunk. */
export interface RowSplitter {
  /** The rows that end in this chunk, those of blank lines included; its memory may be used again afterwards. */
  write(chunk: Buffer): SplitRow[];
  /** The last row, where no line end follows it. */
  end(): SplitRow[];
}

/**
 * Makes a splitter for a text in UTF-8 whose quotes a first pass has checked, so that it has nothing to refuse: a quote stands
 * at the end of a cell, is one of a pair, or opens a cell. A row is decoded as a whole, and most are split by one call.
 */
export function createRowSplitter(delimiter: string): RowSplitter {
  /** What earlier chunks have of the row under way. */
  let parts: Buffer[] = [];
  let isQuoted = false;
  let hasQuotes = false;
  let afterReturn = false;
  let isFirst = true;
  let line = 1;
  let startLine = 1;

  function rowOf(last: Buffer): SplitRow {
    const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    const text = bytes.toString('utf8');
    const row = isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text;
    const cells = hasQuotes ? quotedCells(row, delimiter) : row.split(delimiter);
    parts = [];
    isFirst = false;
    hasQuotes = false;
    return { line: startLine, cells };
  }

  return {
    write(chunk) {
      const rows: SplitRow[] = [];
      let start = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at] ?? 0;
        const wasReturn = afterReturn;
        afterReturn = byte === carriageReturn;
        if (byte === quote) {
          isQuoted = !isQuoted;
          hasQuotes = true;
        } else if (byte === lineFeed && wasReturn) {
          if (!isQuoted) start = at + 1;
        } else if (byte === lineFeed || afterReturn) {
          line += 1;
          if (isQuoted) continue;
          rows.push(rowOf(chunk.subarray(start, at)));
          start = at + 1;
          startLine = line;
        }
      }
      if (start < chunk.length) parts.push(Buffer.from(chunk.subarray(start)));
      return rows;
    },
    end: () => (parts.length === 0 ? [] : [rowOf(Buffer.alloc(0))]),
  };
}

/** Cells of a row of which some are quoted. */
function quotedCells(row: string, delimiter: string): string[] {
  const cells: string[] = [];
  for (let at = 0; ; ) {
    let end: number;
    if (row.startsWith('"', at)) {
      end = row.indexOf('"', at + 1);
      while (row.startsWith('"', end + 1)) end = row.indexOf('"', end + 2);
      cells.push(row.slice(at + 1, end).replaceAll('""', '"'));
      end += 1;
    } else {
      end = row.indexOf(delimiter, at);
      if (end < 0) end = row.length;
      cells.push(row.slice(at, end));
    }
    if (end === row.length) return cells;
    at = end + 1;
  }
}
