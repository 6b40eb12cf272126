import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournal } from '../../../src/migration/journal/open-journal.ts';
import type { FinalOutcome } from '../../../src/migration/model/outcome.ts';
import { inDirectory } from '../run-import.ts';
import { job } from './job.ts';

const place = (row: number) => ({
  row,
  line: row + 1,
  userName: `user${row}`,
  externalId: undefined,
  algorithm: 'md5' as const,
});
const created = (row: number): FinalOutcome => ({ ...place(row), result: 'created', userId: `id-${row}` });
const failed = (row: number): FinalOutcome => ({
  ...place(row),
  result: 'failed',
  code: 'C',
  message: 'm',
  hint: 'h',
});

test.each([1, 7, 8, 9, 23])('%i outcomes are on disk with the next intent', async (count) => {
  await inDirectory(async (directory) => {
    const rows = Array.from({ length: count }, (_, at) => at + 1);
    const journal = await openJournal(join(directory, 'job'), job, { now: () => 0 });
    journal.intend(count + 1);
    for (const row of rows) journal.record(row % 3 === 0 ? failed(row) : created(row));
    journal.intend(5000);

    // What a kill at this moment would leave.
    mkdirSync(join(directory, 'copy'));
    for (const file of ['journal.db', 'journal.db-wal', 'journal.db-count'])
      copyFileSync(join(directory, 'job', file), join(directory, 'copy', file));
    journal.close(0);

    const next = await openJournal(join(directory, 'copy'), job, { now: () => 0 });
    expect([count + 1, 5000].filter((row) => next.arrivesUntil(row, true) !== undefined)).toEqual([
      count + 1,
      5000,
    ]);
    expect([...rows, count + 1].filter((row) => next.outcomeOf(row) !== undefined)).toEqual(rows);
    next.close(0);
  });
});
