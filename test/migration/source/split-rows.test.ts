import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { delimiterList } from '../../../src/migration/source/detect-delimiter.ts';
import { createRowSplitter, type SplitRow } from '../../../src/migration/source/split-rows.ts';

/** The rows of a text, in chunks of so many bytes whose memory is used again. */
function split(text: string, delimiter: string, size: number): SplitRow[] {
  const splitter = createRowSplitter(delimiter);
  const bytes = Buffer.from(text);
  const rows: SplitRow[] = [];
  for (let start = 0; start < bytes.length; start += size) {
    const chunk = Buffer.from(bytes.subarray(start, start + size));
    rows.push(...splitter.write(chunk));
    chunk.fill('"');
  }
  return [...rows, ...splitter.end()];
}

/** What csv-parse makes of the text; `undefined` where it refuses it, as the first pass does. */
function parsed(text: string, delimiter: string): string[][] | undefined {
  const recordDelimiter = ['\r\n', '\n', '\r'];
  try {
    return parse(text, { bom: true, delimiter, recordDelimiter, relaxColumnCount: true });
  } catch {
    return undefined;
  }
}

const isFilled = (cells: readonly string[]) => cells.length > 1 || cells[0] !== '';

test('rows have the cells that csv-parse finds, wherever the chunks end', () => {
  const piece = fc.constantFrom(
    ...['a', 'b c', '', '字', '🐯', '\uFEFF', ';', "'"],
    ...[',', ',', '\n', '\r', '\r\n', '"b"', '"b,"', ',"c\n"', ',"""d"""', '""', '"'],
  );
  let compared = 0;
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 14 }),
      fc.constantFrom(...delimiterList),
      fc.integer({ min: 1, max: 9 }),
      (pieces, delimiter, size) => {
        const text = pieces.join('').replaceAll(',', delimiter);
        const expected = parsed(text, delimiter);
        if (!expected) return;
        compared += 1;
        const rows = split(text, delimiter, size);
        expect(rows.map(({ cells }) => cells).filter(isFilled)).toEqual(expected.filter(isFilled));
        expect(rows).toEqual(split(text, delimiter, text.length * 4 + 1));
      },
    ),
    { numRuns: 5000 },
  );
  expect(compared).toBeGreaterThan(500);
});

test('a row knows its line, also after line breaks inside quotes', () => {
  const text = 'a\r\n\r\n"b\r\nc\rd\n",e\rf\n\n"g';
  expect(split(`${text}"`, ',', 3)).toEqual([
    { line: 1, cells: ['a'] },
    { line: 2, cells: [''] },
    { line: 3, cells: ['b\r\nc\rd\n', 'e'] },
    { line: 7, cells: ['f'] },
    { line: 8, cells: [''] },
    { line: 9, cells: ['g'] },
  ]);
});
