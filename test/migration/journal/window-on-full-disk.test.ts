import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { countCommits } from '../../../src/migration/journal/database/commit-count.ts';
import { openJournalDatabase } from '../../../src/migration/journal/database/database.ts';
import { createJournal } from '../../../src/migration/journal/journal.ts';
import { openJournal } from '../../../src/migration/journal/open-journal.ts';
import { JobDirectoryError } from '../../../src/migration/model/errors.ts';
import type { Job } from '../../../src/migration/model/job.ts';
import type { FinalOutcome } from '../../../src/migration/model/outcome.ts';
import { createRunControl } from '../../../src/migration/send/call-api.ts';
import { createTally, runRows } from '../../../src/migration/send/run-rows.ts';
import { inDirectory } from '../run-import.ts';

const job: Job = {
  kind: 'import',
  source: 'sha256',
  file: 'users.csv',
  rows: 1,
  optionsDigest: 'options',
  target: {},
  shard: undefined,
};

const outcome = (row: number): FinalOutcome => ({
  ...{ row, line: row, userName: `user${row}`, externalId: undefined, algorithm: undefined },
  result: 'created',
  userId: `id-${row}`,
});

test('a window that closes after the disk was full stops the run, and does not throw in the limiter', async () => {
  await inDirectory(async (directory) => {
    (await openJournal(directory, job, { now: Date.now })).close(0);
    const connection = openJournalDatabase(DatabaseSync, join(directory, 'journal.db'));
    connection.exec('PRAGMA max_page_count = 12');
    const commits = countCommits(directory, connection);
    const state = { directory, run: 1, isCorrected: false, lock: { report() {}, release() {} }, commits };
    const journal = createJournal(connection, state, Date.now);
    let time = Date.parse('2026-11-23T22:30:00Z');
    const window = { from: 22 * 60, to: 23 * 60, zone: 'UTC' };
    const control = createRunControl({ window, now: () => time });
    control.gate?.wait();
    async function* rows() {
      yield [{ row: 1, line: 1, user: { user_name: 'user1' } }];
    }
    const ended = runRows(journal, control, createTally(1, [], false), {
      rows: rows(),
      select: (row) => row,
      async runRow(row) {
        expect(() => {
          for (let at = 1; at <= 5000; at += 1) journal.record(outcome(at));
        }).toThrow(JobDirectoryError);
        time += 3_600_000;
        // The limiter calls it in a timer, where nothing would catch the error.
        expect(() => control.gate?.wait()).not.toThrow();
        return { ...outcome(row.row), result: 'pending' };
      },
      isSending: true,
      isEarly: () => false,
      isWatched: () => true,
      isSent: () => true,
    });
    await expect(ended).rejects.toThrow(JobDirectoryError);
    expect(control.breaker.reason()).toBeInstanceOf(JobDirectoryError);
    journal.close(1);
  });
});
