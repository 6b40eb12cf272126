import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SourceError } from '../../../src/migration/model/errors.ts';
import { type Delimiter, delimiterList } from '../../../src/migration/source/detect-delimiter.ts';
import { scanRows } from '../../../src/migration/source/scan-rows.ts';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Buffer, void> {
  for (let start = 0; start < bytes.length; start += size) {
    await null;
    yield Buffer.from(bytes.subarray(start, start + size));
  }
}

async function scan(
  bytes: Uint8Array,
  size: number,
  delimiter: Delimiter = ',',
): Promise<number | 'refused'> {
  try {
    const reading = { encoding: 'utf-8', delimiter, separatorLine: false, hasHeader: true } as const;
    return (await scanRows('users.csv', inChunks(bytes, size), reading)).rows;
  } catch (failure) {
    if (failure instanceof SourceError) return 'refused';
    throw failure;
  }
}

/** Data rows as the second pass counts them. */
function parsed(text: string, delimiter: Delimiter): number | 'refused' {
  try {
    const rows: string[][] = parse(text, {
      bom: true,
      delimiter,
      recordDelimiter: ['\r\n', '\n', '\r'],
      relaxColumnCount: true,
    });
    const filled = rows.filter((cells) => cells.length > 1 || cells[0] !== '');
    return filled.length === 0 ? 'refused' : filled.length - 1;
  } catch {
    return 'refused';
  }
}

test('the first pass and csv-parse agree on which rows there are and which are broken', async () => {
  const piece = fc.constantFrom(
    'a',
    '"',
    '""',
    ',',
    '\n',
    '\r',
    '\r\n',
    '"b",',
    ',"c\n"',
    'é',
    '\uFEFF',
    ';',
  );
  const source = fc.tuple(fc.array(piece, { maxLength: 14 }), fc.integer({ min: 3, max: 9 }));
  await fc.assert(
    fc.asyncProperty(source, fc.constantFrom(...delimiterList), async ([pieces, size], delimiter) => {
      const text = pieces.join('').replaceAll(',', delimiter);
      expect(await scan(Buffer.from(text), size, delimiter)).toBe(parsed(text, delimiter));
    }),
    { numRuns: 3000 },
  );
});

test('UTF-8 is recognised wherever the chunks end', async () => {
  const bytes = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'é', '字', '🐯'), minLength: 1 }).map((text) => Buffer.from(text)),
    fc.uint8Array({ minLength: 1, maxLength: 8 }).filter((all) => !all.some((byte) => byte < 48)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 1, max: 5 }), async (all, size) => {
      const isText = Buffer.from(new TextDecoder().decode(all)).equals(all);
      expect(await scan(Buffer.concat([Buffer.from('h\n'), all]), size + 1)).toBe(isText ? 1 : 'refused');
    }),
    { numRuns: 2000 },
  );
});
