import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SourceError } from '../../../src/migration/model/errors.ts';
import { type Delimiter, delimiterList } from '../../../src/migration/source/detect-delimiter.ts';
import { scanCsv } from '../../../src/migration/source/read-csv.ts';
import { createTextCheck } from '../../../src/migration/source/to-utf8.ts';

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
    const text = createTextCheck('users.csv', { encoding: 'utf-8' }).pass(inChunks(bytes, size));
    return (await scanCsv('users.csv', text, { delimiter, separatorLine: false, header: undefined })).rows;
  } catch (failure) {
    if (failure instanceof SourceError) return 'refused';
    throw failure;
  }
}

/** Data rows as csv-parse counts them in one piece. */
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

test('rows, and which are broken, do not depend on where the chunks end', async () => {
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
    { numRuns: 500 },
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
