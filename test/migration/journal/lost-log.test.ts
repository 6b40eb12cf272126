import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { openJob } from '../../../src/migration/journal/reading/open-job.ts';
import { JobDirectoryError } from '../../../src/migration/model/errors.ts';
import { openRecords } from '../../../src/migration/records/open-records.ts';
import { fastClock } from '../../clocks.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';

const file = (root: string) => join(root, 'users.csv');
const rows = 40;
const content = Array.from({ length: rows }, (_, at) => `E${at},md5,${goodHashes.md5}\n`).join('');

/** The directory that a run leaves which is killed after 20 rows were sent; only files that `isCopied` selects. */
async function killed(root: string, isCopied: (name: string) => boolean = () => true): Promise<string> {
  await writeFile(file(root), `external_id,algorithm,hash\n${content}`);
  const left = join(root, 'left');
  const client = recordingClient(async (_, number) => {
    if (number === 20) {
      mkdirSync(left, { mode: 0o700 });
      for (const name of readdirSync(join(root, 'job')).filter(isCopied))
        copyFileSync(join(root, 'job', name), join(left, name));
    }
    await sleep(1);
  });
  await importFile(client, { file: file(root), jobDirectory: join(root, 'job'), concurrency: 1 });
  return left;
}

const goOn = (root: string, jobDirectory: string, client = recordingClient(), options = {}) =>
  importFile(client, { file: file(root), jobDirectory, clock: fastClock(1000), ...options });

const isOf =
  (...names: string[]) =>
  (name: string) =>
    names.includes(name);

test.each<[string, (job: string) => void, RegExp]>([
  [
    'lost its log',
    (job) => rmSync(join(job, 'journal.db-wal')),
    /what it wrote last is lost: journal.db-wal is missing or too short/,
  ],
  [
    'has half of its log',
    (job) => truncateSync(join(job, 'journal.db-wal'), statSync(join(job, 'journal.db-wal')).size / 2),
    /what it wrote last is lost/,
  ],
  [
    'has a log that is damaged in the middle',
    (job) => {
      const bytes = readFileSync(join(job, 'journal.db-wal'));
      const at = Math.floor(bytes.length / 2);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      writeFileSync(join(job, 'journal.db-wal'), bytes);
    },
    /what it wrote last is lost/,
  ],
  [
    'is empty',
    (job) => {
      rmSync(join(job, 'journal.db-wal'));
      truncateSync(join(job, 'journal.db'));
    },
    /its journal.db is damaged \(it is empty\)/,
  ],
  ['is missing', (job) => rmSync(join(job, 'journal.db')), /its journal.db is damaged \(it is missing\)/],
  [
    'is all that was copied',
    (job) => {
      for (const name of readdirSync(job)) if (name !== 'journal.db') rmSync(join(job, name));
    },
    /its last run was cut off, and journal.db-count is missing beside it/,
  ],
])('after a kill, a journal that %s is refused, and no user is created again', async (_, spoil, reason) => {
  await inDirectory(async (root) => {
    const job = await killed(root);
    spoil(job);
    const client = recordingClient();
    for (const options of [{}, { mode: 'restart' }, { mode: 'only unanswered' }]) {
      const failure: unknown = await goOn(root, job, client, options).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(JobDirectoryError);
      expect(String(failure)).toMatch(reason);
      expect((failure as JobDirectoryError).hint).toMatch(/^Restore the file from a copy/);
    }
    expect(client.sent).toEqual([]);
    // Commands that only read it refuse it, too: they would show less than the job did.
    await expect(openJob(job)).rejects.toBeInstanceOf(JobDirectoryError);
    await expect(openRecords(job)).rejects.toBeInstanceOf(JobDirectoryError);
  });
});

test('the directory that a kill leaves can be resumed, also after others have read it, and from a copy of journal.db*', async () => {
  await inDirectory(async (root) => {
    const job = await killed(root, isOf('journal.db', 'journal.db-wal', 'journal.db-count'));
    (await openJob(job)).connection.close();
    (await openRecords(job))?.close();
    const client = recordingClient();
    expect((await goOn(root, job, client)).summary).toMatchObject({ created: rows, resumed: true });
    // The row that was in flight, and the rows after it.
    expect(client.sent).toHaveLength(rows - 19);
    expect(readdirSync(job)).not.toContain('journal.db-count');
  });
});

test('a journal that is older than the interrupted run is refused', async () => {
  await inDirectory(async (root) => {
    const job = await killed(root);
    renameSync(join(root, 'job', 'journal.db'), join(root, 'ended.db'));
    const database = new DatabaseSync(join(root, 'ended.db'));
    database.exec('DELETE FROM outcomes WHERE row > 10');
    database.close();
    for (const name of ['journal.db', 'journal.db-wal']) rmSync(join(job, name));
    copyFileSync(join(root, 'ended.db'), join(job, 'journal.db'));
    const client = recordingClient();
    await expect(goOn(root, job, client)).rejects.toThrow(/what it wrote last is lost/);
    expect(client.sent).toEqual([]);
  });
});

test('a journal from a backup that is older than the records beside it is refused', async () => {
  await inDirectory(async (root) => {
    const job = join(root, 'job');
    await writeFile(file(root), `external_id,algorithm,hash\n${content}`);
    const stop = new AbortController();
    const first = recordingClient((_, number) => {
      if (number === 20) stop.abort();
    });
    await importFile(first, { file: file(root), jobDirectory: job, concurrency: 1, signal: stop.signal });
    copyFileSync(join(job, 'journal.db'), join(root, 'backup.db'));
    expect((await goOn(root, job)).summary.created).toBe(rows);
    copyFileSync(join(root, 'backup.db'), join(job, 'journal.db'));
    const client = recordingClient();
    await expect(goOn(root, job, client)).rejects.toThrow(
      /its journal.db is damaged \(it is older than summary.json: it has 20 users, and that has 40\)/,
    );
    await expect(openJob(job)).rejects.toBeInstanceOf(JobDirectoryError);
    expect(client.sent).toEqual([]);
    // Journal and records of that time fit together.
    rmSync(join(job, 'summary.json'));
    expect((await goOn(root, job, client)).summary.created).toBe(rows);
    expect(client.sent).toHaveLength(20);
  });
});

test('a job that was interrupted can be started over, and its archived journal can be opened', async () => {
  await inDirectory(async (root) => {
    const job = await killed(root);
    const again = recordingClient();
    expect((await goOn(root, job, again, { mode: 'restart' })).summary.created).toBe(rows);
    expect(again.sent).toHaveLength(rows);
    const restored = join(root, 'restored');
    mkdirSync(restored, { mode: 0o700 });
    copyFileSync(join(job, 'journal-1.db'), join(restored, 'journal.db'));
    const client = recordingClient();
    expect((await goOn(root, restored, client)).summary).toMatchObject({ created: rows, resumed: true });
    expect(client.sent).toHaveLength(rows - 19);
  });
});
