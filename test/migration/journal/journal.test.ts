import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { carryOver } from '../../../src/migration/carry-over/carry-over.ts';
import { countCommits } from '../../../src/migration/journal/database/commit-count.ts';
import { openJournalDatabase } from '../../../src/migration/journal/database/database.ts';
import { lockJob } from '../../../src/migration/journal/database/lock.ts';
import { createJournal } from '../../../src/migration/journal/journal.ts';
import { openJournal } from '../../../src/migration/journal/open-journal.ts';
import { countOutcomes, countWithoutRow } from '../../../src/migration/journal/reading/count-outcomes.ts';
import { openJob } from '../../../src/migration/journal/reading/open-job.ts';
import { openRecords } from '../../../src/migration/records/open-records.ts';
import { inDirectory } from '../run-import.ts';
import { job } from './job.ts';

test('outcomes are written together with the next intent, and need no commit of their own', async () => {
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
      lock: { report() {}, release() {} },
      commits: countCommits(directory, counted),
    };
    const journal = createJournal(counted, state, () => 0);
    const names = { userName: undefined, externalId: undefined, algorithm: undefined };
    for (let row = 1; row <= 20_480; row += 1) {
      journal.intend(row + 100);
      journal.record({ row, line: row, ...names, result: 'created', userId: `id-${row}` });
    }
    // An intent covers 1,024 rows; the first few cover less.
    expect(commits).toBeLessThanOrEqual(20 + 5);
    expect(countOutcomes(journal.committed())).toEqual([
      { result: 'created', algorithm: null, code: null, rows: 20_480, found: 0, users: 20_480 },
    ]);
    journal.close(0);
  });
});

test('a run releases its lock when the journal is complete without its write-ahead log', async () => {
  await inDirectory(async (directory) => {
    (await openJournal(directory, job, { now: () => 0 })).close(0);
    const path = join(directory, 'journal.db');
    const lock = lockJob(DatabaseSync, directory, { now: () => 0 });
    const connection = openJournalDatabase(DatabaseSync, path);
    connection.exec('PRAGMA journal_mode = WAL');
    let left: string[] | undefined;
    const release = () => {
      left = ['journal.db-wal', 'journal.db-count'].filter((name) => existsSync(join(directory, name)));
      lock.release();
    };
    const state = {
      directory,
      run: 1,
      isCorrected: false,
      lock: { ...lock, release },
      commits: countCommits(directory, connection),
    };
    const journal = createJournal(connection, state, () => 0);
    journal.record({
      row: 1,
      line: 1,
      userName: undefined,
      externalId: undefined,
      algorithm: undefined,
      result: 'created',
      userId: 'id-1',
    });
    journal.close(7);
    expect(left).toEqual([]);
    const records = await openRecords(directory);
    expect(records).toMatchObject({ isCutOff: false });
    expect(records?.connection.prepare('SELECT seconds FROM runs').all()).toEqual([{ seconds: 7 }]);
    records?.close();
  });
});

test('a row that two killed runs may have sent waits for the requests of the second', async () => {
  await inDirectory(async (root) => {
    const timeout = 30_000;
    /** Opens the journal that a run left when it was killed. */
    const opened = async (at: number, before?: string) => {
      const directory = join(root, String(at));
      mkdirSync(directory, { mode: 0o700 });
      for (const name of before ? ['journal.db', 'journal.db-wal', 'journal.db-count'] : [])
        copyFileSync(join(before ?? '', name), join(directory, name));
      return { directory, journal: await openJournal(directory, job, { now: () => at }) };
    };
    const first = await opened(1_000_000);
    first.journal.set('request_timeout', timeout);
    first.journal.intend(100);
    const second = await opened(2_000_000, first.directory);
    // It gets less far.
    second.journal.intend(1);
    const third = await opened(3_000_000, second.directory);
    const until = [1, 100].map((row) => third.journal.arrivesUntil(row, true));
    expect(until).toEqual([3_000_000 + 3 * timeout, 2_000_000 + 3 * timeout]);
    for (const { journal } of [first, second, third]) journal.close(0);
  });
});

test('a user who is found for a row stays known to the job until a file after the one of that outcome', async () => {
  await inDirectory(async (directory) => {
    const first = await openJournal(directory, job, { now: () => 0 });
    const names = { userName: 'ann', externalId: undefined, algorithm: undefined };
    const created = { ...names, result: 'created', userId: 'id-1' } as const;
    first.record({ row: 1, line: 2, key: 'user_name=ann', ...created });
    first.close(0);
    const now = () => 0;
    async function* noRows() {}
    const reopened = (source: string) => {
      const file = { job: { ...job, source }, directory, rows: noRows(), acceptsChangedKeys: false, now };
      return openJournal(directory, file.job, {
        ...{ now, mode: 'only failed' },
        carryOver: (connection, before) => carryOver(connection, before, file),
      });
    };
    // The run is cut off before the row is recorded.
    for (const isRecorded of [false, true]) {
      const second = await reopened('second');
      expect(second.users.madeEarlier('id-1')).toBeDefined();
      if (isRecorded) second.record({ row: 3, line: 4, key: 'user_name=eve', ...created });
      second.close(0);
    }
    const third = await reopened('third');
    const read = third.committed();
    expect([countWithoutRow(read), countOutcomes(read)]).toEqual([1, []]);
    third.close(0);
    const { connection } = await openJob(directory);
    expect(connection.prepare('SELECT key FROM earlier').all()).toEqual([{ key: 'user_name=eve' }]);
    connection.close();
  });
});

test('the row of a user is found, whenever its outcome was recorded', async () => {
  await inDirectory(async (directory) => {
    const journal = await openJournal(directory, job, { now: () => 0 });
    const names = { userName: undefined, externalId: undefined, algorithm: undefined };
    const rowOf = (row: number) => journal.users.rowOf(`id-${row}`);
    for (let row = 1; row <= 20; row += 1) {
      expect(rowOf(row)).toBeUndefined();
      journal.record({ row, line: row, ...names, result: 'created', userId: `id-${row}` });
      expect([rowOf(1), rowOf(row)]).toEqual([1, row]);
    }
    journal.close(0);
  });
});
