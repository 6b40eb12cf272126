import { chmodSync, copyFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import type { ImportOptions } from '../../../src/migration/import-users.ts';
import { countCommits } from '../../../src/migration/journal/database/commit-count.ts';
import { openJournalDatabase } from '../../../src/migration/journal/database/database.ts';
import { journalVersion } from '../../../src/migration/journal/database/tables.ts';
import { createJournal } from '../../../src/migration/journal/journal.ts';
import { openJournal } from '../../../src/migration/journal/open-journal.ts';
import { openJob } from '../../../src/migration/journal/reading/open-job.ts';
import { mergeShards } from '../../../src/migration/merge-shards.ts';
import { JobDirectoryError } from '../../../src/migration/model/errors.ts';
import type { Job } from '../../../src/migration/model/job.ts';
import type { FinalOutcome } from '../../../src/migration/model/outcome.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';

const header = 'user_name,algorithm,hash\n';
const rowOf = (name: string) => `${name},md5,${goodHashes.md5}\n`;
const fileOf = (...names: string[]) => header + names.map(rowOf).join('');

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(JobDirectoryError);
  return `${failure} ${(failure as JobDirectoryError).hint}`;
}

function sql(jobDirectory: string, text: string): void {
  const database = new DatabaseSync(join(jobDirectory, 'journal.db'));
  database.exec(text);
  database.close();
}

async function withJob(use: (job: { file: string; jobDirectory: string }, root: string) => Promise<void>) {
  await inDirectory(async (root) => {
    const job = { file: join(root, 'users.csv'), jobDirectory: join(root, 'job') };
    await writeFile(job.file, fileOf('ann', 'bob'));
    await use(job, root);
  });
}

test.each<[string, Partial<ImportOptions>]>([
  ['a dry run', { dryRun: true }],
  ['a rehearsal', { rehearsal: true }],
])('%s never uses the journal of an import, not even with --only failed', async (_, kind) => {
  await withJob(async (job) => {
    await importFile(recordingClient(), job);
    for (const mode of [undefined, 'only failed'] as const) {
      const refused = await refusalOf(importFile(recordingClient(), { ...job, ...kind, mode }));
      expect(refused).toContain('it was an import');
    }
    const again = recordingClient();
    expect((await importFile(again, job)).summary).toMatchObject({ created: 2, resumed: true });
    expect(again.sent).toEqual([]);
  });
});

test('--only failed imports nothing if nothing was imported before', async () => {
  await withJob(async (job) => {
    const client = recordingClient();
    const missing = await refusalOf(importFile(client, { ...job, mode: 'only failed' }));
    expect(missing).toContain('no journal of an import');
    await importFile(client, { ...job, dryRun: true });
    await refusalOf(importFile(client, { ...job, mode: 'only failed' }));
    expect(client.sent).toEqual([]);
  });
});

test('an empty journal beside job records is refused, the records stay, and no user is created again', async () => {
  await withJob(async (job) => {
    await importFile(recordingClient(), job);
    const journal = join(job.jobDirectory, 'journal.db');
    const list = join(job.jobDirectory, 'users.csv');
    await writeFile(journal, '');
    const users = await readFile(list, 'utf8');
    const client = recordingClient();
    expect(await refusalOf(importFile(client, job))).toMatch(/its journal.db is damaged \(it is empty\)/);
    expect(client.sent).toEqual([]);
    expect(await readFile(list, 'utf8')).toBe(users);
  });
});

test.each<[string, (path: string) => void | Promise<void>, RegExp]>([
  ['is no database', (path) => writeFile(path, 'no database '.repeat(1000)), /its journal.db is damaged/],
  [
    'is the database of another program',
    (path) => sql(join(path, '..'), 'CREATE TABLE mine (a)'),
    /of another/,
  ],
  ['is of a newer version', (path) => sql(join(path, '..'), 'PRAGMA user_version = 99'), /another version/],
  [
    'has the version, and no table of a journal',
    (path) => sql(join(path, '..'), `CREATE TABLE mine (a); PRAGMA user_version = ${journalVersion}`),
    /of another program/,
  ],
  ['is of an older version', (path) => sql(join(path, '..'), 'PRAGMA user_version = 1'), /another version/],
  ['is a directory', async (path) => void (await mkdir(path)), /cannot be written there/],
])('a journal that %s is refused, and nothing is sent', async (_, spoil, reason) => {
  await withJob(async (job) => {
    await mkdir(job.jobDirectory);
    await spoil(join(job.jobDirectory, 'journal.db'));
    const client = recordingClient();
    expect(await refusalOf(importFile(client, job))).toMatch(reason);
    expect(client.sent).toEqual([]);
    expect(await readdir(job.jobDirectory)).not.toContain('running.json');
  });
});

test.each([undefined, 'restart', 'only failed'] as const)(
  'a journal with the tables of an older version is not called damaged, mode %s',
  async (mode) => {
    await withJob(async (job) => {
      await importFile(recordingClient(), job);
      sql(
        job.jobDirectory,
        'ALTER TABLE exact_intents RENAME COLUMN kind TO is_marked; PRAGMA user_version = 6',
      );
      const older = /another version of this program.*would be created a second time/s;
      expect(await refusalOf(importFile(recordingClient(), { ...job, mode }))).toMatch(older);
      expect(await refusalOf(openJob(job.jobDirectory))).toMatch(older);
    });
  },
);

test('a journal whose creation was interrupted is created again, and a job directory may be a link', async () => {
  await withJob(async (job, root) => {
    await mkdir(join(root, 'real'));
    await symlink(join(root, 'real'), job.jobDirectory);
    await writeFile(join(root, 'real', 'journal.db'), '');
    expect((await importFile(recordingClient(), job)).summary).toMatchObject({ created: 2, resumed: false });
  });
});

test('a restart keeps the old journal complete, and only the owner can read it', async () => {
  await withJob(async (job) => {
    await importFile(recordingClient(), job);
    const client = recordingClient();
    await importFile(client, { ...job, mode: 'restart' });
    expect(client.sent).toHaveLength(2);
    const copy = join(job.jobDirectory, 'journal-1.db');
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    const database = new DatabaseSync(copy);
    expect(database.prepare('SELECT count(*) AS rows FROM outcomes').get()).toEqual({ rows: 2 });
    database.close();
    // The copy works as a journal: the import continues where it stopped.
    chmodSync(copy, 0o600);
    copyFileSync(copy, join(job.jobDirectory, 'journal.db'));
    expect((await importFile(recordingClient(), job)).summary).toMatchObject({ created: 2, resumed: true });
  });
});

const job: Job = {
  kind: 'import',
  source: 'a',
  file: 'a.csv',
  rows: 9000,
  optionsDigest: 'p',
  target: {},
  shard: undefined,
};
const outcome = (row: number): FinalOutcome => ({
  row,
  line: row + 1,
  userName: 'u'.repeat(100),
  externalId: undefined,
  algorithm: 'md5',
  result: 'created',
  userId: `id-${row}`,
});

test('on a full disk nothing is written after a failed write, so that those rows stay unknown', async () => {
  await inDirectory(async (directory) => {
    (await openJournal(directory, job, { now: Date.now })).close(0);
    const path = join(directory, 'journal.db');
    const connection = openJournalDatabase(DatabaseSync, path);
    connection.exec('PRAGMA max_page_count = 12');
    const commits = countCommits(directory, connection);
    const state = { directory, run: 1, isCorrected: false, lock: { report() {}, release() {} }, commits };
    const journal = createJournal(connection, state, Date.now);
    journal.intend(1);
    const fill = () => {
      for (let row = 1; row <= 5000; row += 1) journal.record(outcome(row));
    };
    expect(fill).toThrow(/the journal cannot be written there \(.*full\)/);
    connection.exec('PRAGMA max_page_count = 100000');
    // There is room again, but the rows whose outcomes were lost must not count as unsent.
    expect(() => journal.lowerWatermark(0)).toThrow(JobDirectoryError);
    expect(() => journal.committed()).toThrow(JobDirectoryError);
    journal.close(1);

    const next = await openJournal(directory, job, { now: Date.now });
    expect(next.arrivesUntil(2, true)).toBeGreaterThan(0);
    next.close(0);
  });
});

test('a clock that is set back makes no run shorter than zero', async () => {
  await withJob(async (job) => {
    let time = 1e12;
    const now = () => {
      time -= 60_000;
      return time;
    };
    const { summary } = await importFile(recordingClient(), { ...job, now });
    expect(summary).toMatchObject({ created: 2, seconds: 0, rows_per_second: 0 });
  });
});

test('a merge that is interrupted cannot be resumed, and is complete when it is started over', async () => {
  await withJob(async ({ file }, root) => {
    const shards = [1, 2].map((index) => join(root, `shard${index}`));
    for (const [index, jobDirectory] of shards.entries())
      await importFile(recordingClient(), { file, jobDirectory, shard: { index: index + 1, of: 2 } });
    const whole = join(root, 'whole');
    await mkdir(join(whole, 'users.csv.new'), { recursive: true });
    await refusalOf(mergeShards(shards, whole, 'test'));
    await rmdir(join(whole, 'users.csv.new'));

    const client = recordingClient();
    const refused = await refusalOf(importFile(client, { file, jobDirectory: whole }));
    expect(refused).toContain('Merge them again');
    expect(client.sent).toEqual([]);

    expect(await mergeShards(shards, whole, 'test')).toMatchObject({ summary: { created: 2, pending: 0 } });
    expect(await refusalOf(mergeShards(shards, whole, 'test'))).toContain('Name another one');
    expect((await importFile(client, { file, jobDirectory: whole })).summary.created).toBe(2);
    expect(client.sent).toEqual([]);
    expect(await readFile(join(whole, 'users.csv'), 'utf8')).toContain('bob');
  });
});
