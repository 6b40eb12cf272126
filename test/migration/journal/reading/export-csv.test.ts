import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openJournal } from '../../../../src/migration/journal/open-journal.ts';
import { exportCsv } from '../../../../src/migration/journal/reading/export-csv.ts';
import type { FinalOutcome } from '../../../../src/migration/model/outcome.ts';
import { inDirectory } from '../../run-import.ts';
import { job } from '../job.ts';

/** Everything that CSV must quote, and text that it must not change. */
const piece = fc.constantFrom(
  ',',
  '"',
  '""',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '\t',
  ';',
  "'",
  'a',
  'ß',
  '王',
  '𝄞',
  '\uFEFF',
  '%',
  '*',
  '[',
  '=',
  '+',
  '-',
  '@',
  '＝',
  '＠',
  'NULL',
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const name = fc.option(text, { nil: undefined });

const place = {
  line: fc.nat(),
  userName: name,
  externalId: name,
  algorithm: fc.constantFrom('md5' as const, undefined),
};
const user = fc.record({
  ...place,
  result: fc.constantFrom('created' as const, 'existing' as const),
  userId: text,
});
const other = fc.record({
  ...place,
  result: fc.constantFrom('conflict' as const, 'failed' as const, 'invalid' as const, 'unknown' as const),
  code: text,
  message: text,
  hint: text,
});
/** Outcomes in the order in which they arrive, which is not the order of their rows. Some rows have none. */
const outcomes = fc
  .uniqueArray(fc.nat({ max: 5000 }), { maxLength: 40 })
  .chain((rows) =>
    fc.tuple(
      ...rows.map((row) => fc.oneof(user, other).map((rest) => ({ row: row + 1, ...rest }) as FinalOutcome)),
    ),
  );

const columns = ['row', 'line', 'user_name', 'external_id', 'user_id', 'code', 'message', 'hint'] as const;

function cellsOf(outcome: FinalOutcome) {
  const { row, line, userName, externalId } = outcome;
  // A user of no row is on line 0.
  const names = [...(line === 0 ? [null, null] : [row, line]), userName, externalId];
  return 'userId' in outcome
    ? [...names, outcome.userId, null, null, null]
    : [...names, null, outcome.code, outcome.message, outcome.hint];
}

test('every outcome is in its list, in the order of the rows, and quoted as csv-stringify does it', async () => {
  await inDirectory(async (directory) => {
    const property = fc.asyncProperty(outcomes, async (entered) => {
      const journal = await openJournal(
        join(directory, 'job'),
        { ...job, kind: 'dry-run' },
        { now: Date.now },
      );
      try {
        for (const outcome of entered) journal.record(outcome);
        const sorted = entered.toSorted((a, b) => a.row - b.row);
        for (const where of ['users', 'others'] as const) {
          const cells = sorted.filter((outcome) => 'userId' in outcome === (where === 'users')).map(cellsOf);
          const written = [...exportCsv(journal.committed(), where, columns)].join('');
          expect(written).toBe(stringify([columns, ...cells], { escape_formulas: true }));
          const safe = (value: unknown) => String(value ?? '').replace(/^[=+\-@\t\r＝＋－＠]/, "'$&");
          const read = cells.map((row) => row.map(safe));
          expect(parse(written, { record_delimiter: '\n' })).toEqual([columns, ...read]);
        }
      } finally {
        journal.close(0);
      }
    });
    await fc.assert(property, { numRuns: 60 });
  });
});

test('a long list is written in several texts, and each row is in exactly one of them', async () => {
  await inDirectory(async (directory) => {
    const journal = await openJournal(join(directory, 'job'), job, { now: Date.now });
    const rows = Array.from({ length: 2500 }, (_, at) => at + 1);
    const names = { userName: 'ann', externalId: undefined, algorithm: undefined };
    for (const row of rows)
      journal.record({ row, line: row + 1, ...names, result: 'created', userId: `id-${row}` });
    const texts = [...exportCsv(journal.committed(), 'users', ['row', 'user_id'])];
    expect([...exportCsv(journal.committed(), 'others', ['row'])]).toEqual(['row\n']);
    journal.close(0);
    expect(texts).toHaveLength(4);
    expect(texts.join('')).toBe(`row,user_id\n${rows.map((row) => `${row},id-${row}\n`).join('')}`);
  });
});
