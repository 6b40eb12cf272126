import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { countCommits } from '../../../src/migration/journal/commit-count.ts';
import { openJournalDatabase } from '../../../src/migration/journal/database.ts';
import { createJournal } from '../../../src/migration/journal/journal.ts';
import { openJournal } from '../../../src/migration/journal/open-journal.ts';
import { inDirectory } from '../run-import.ts';
import { job } from './job.ts';

test('outcomes go to the disk along with the next intent, and cost no commit of their own', async () => {
  await inDirectory(async (directory) => {
    (await openJournal(directory, job, { now: () => 0 })).close(0);
    const connection = openJournalDatabase(DatabaseSync, join(directory, 'journal.db'));
    let commits = 0;
    const exec = (sql: string) => {
      if (sql === 'COMMIT') commits += 1;
      connection.exec(sql);
    };
    const counted = { ...connection, exec };
    const state = {
      directory,
      run: 1,
      isCorrected: false,
      lock: { tell() {}, release() {} },
      commits: countCommits(directory, counted),
    };
    const journal = createJournal(counted, state, () => 0);
    const names = { userName: undefined, externalId: undefined, algorithm: undefined };
    for (let row = 1; row <= 20_480; row += 1) {
      journal.intend(row + 100);
      journal.record({ row, line: row, ...names, result: 'created', userId: `id-${row}` });
    }
    // An intent is for 1,024 rows, the first few are for less.
    expect(commits).toBeLessThanOrEqual(20 + 5);
    expect(journal.counts()).toEqual([
      { result: 'created', algorithm: null, code: null, rows: 20_480, found: 0 },
    ]);
    journal.close(0);
  });
});
