import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { packJob } from '../../../src/migration/evidence/pack-evidence.ts';
import { purgeJob } from '../../../src/migration/evidence/purge-job.ts';
import { mergeShards } from '../../../src/migration/merge-shards.ts';
import { readJobStatus } from '../../../src/migration/records/job-status.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';

const common = { version: '1.0.0', now: Date.now };
const people = Array.from({ length: 300 }, (_, at) => `someone-${at}-x`);
const header = 'user_name,name,email,mobile,external_id,algorithm,hash,Secret column\n';
const rowOf = (name: string, at: number, hash: string) =>
  `${name},Name of ${name},${name}@example.com,${15200000000 + at},ext-${name},md5,${hash},${name}\n`;
const content = (hash: (at: number) => string) =>
  header + people.map((name, at) => rowOf(name, at, hash(at))).join('');

/** Values that identify a person. */
const personal = /someone-\d+-x|Name of|@example|152000\d{5}|ext-|id-\d|Secret column/;

/**
 * Links and fingerprints in lines of JSON. By chance, about one run in seventy has a fingerprint that contains a user
 * id such as `id-7`.
 */
const fingerprint = /"[\w-]{43}"|"[\w-]{16}"/g;

const personalFilesOf = (directory: string) =>
  readdirSync(directory).filter((name) =>
    personal.test(readFileSync(join(directory, name), 'latin1').replaceAll(fingerprint, '')),
  );

function storedIn(directory: string, sql: string): object[] {
  const database = new DatabaseSync(join(directory, 'journal.db'), { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

test('after a purge nothing in the directory identifies a person, and the evidence is complete', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'legacy.csv'), join(directory, 'job')];
    const options = { file, jobDirectory, ignoreUnknown: true };
    await writeFile(
      file,
      content((at) => (at % 3 ? goodHashes.md5 : 'damaged')),
    );
    await importFile(recordingClient(), options);
    // Creates an archived journal, earlier lists, and users of the file as it was before.
    await importFile(recordingClient(), { ...options, mode: 'restart' });
    await writeFile(
      file,
      content(() => goodHashes.md5),
    );
    const { summary } = await importFile(recordingClient(), { ...options, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 300, ignored_columns: ['Secret column'] });
    await writeFile(join(jobDirectory, 'notes.txt'), 'mine');
    expect(personalFilesOf(jobDirectory)).toEqual(
      expect.arrayContaining(['journal.db', 'journal-1.db', 'users.csv', 'users-1.csv', 'summary.json']),
    );

    await expect(purgeJob(jobDirectory, common)).rejects.toThrow(
      'it holds the journal of an earlier job (journal-1.db), which alone knows whom that job created',
    );
    const first = join(directory, 'first');
    mkdirSync(first, { mode: 0o700 });
    renameSync(join(jobDirectory, 'journal-1.db'), join(first, 'journal.db'));
    expect(await purgeJob(first, common)).toMatchObject({ rows: 300, left: [] });
    expect(personalFilesOf(first)).toEqual([]);

    const purged = await purgeJob(jobDirectory, common);
    expect(purged).toMatchObject({
      rows: 300,
      left: ['notes.txt'],
      evidence: join(jobDirectory, 'evidence.jsonl'),
    });
    expect(personalFilesOf(jobDirectory)).toEqual([]);
    expect(readdirSync(jobDirectory).sort()).toEqual([
      'evidence.jsonl',
      'journal.db',
      'notes.txt',
      'summary.json',
    ]);
    expect(JSON.parse(readFileSync(join(jobDirectory, 'summary.json'), 'utf8'))).toMatchObject({
      created: 300,
      ignored_columns: [],
    });
    const facts = storedIn(jobDirectory, 'SELECT name FROM job ORDER BY name').flatMap(Object.values);
    expect(facts).toEqual(['completed', 'consent', 'ended', 'job', 'purged']);
    for (const table of ['outcomes', 'earlier', 'fingerprints', 'exact_intents'])
      expect(storedIn(jobDirectory, `SELECT row FROM ${table}`), table).toEqual([]);
    const { status } = await readJobStatus(jobDirectory, Date.now);
    expect(status).toMatchObject({ state: 'purged', rows: 300, created: 300, runs: 2 });
    // A second purge completes an interrupted one, and changes nothing after a complete one.
    expect(await purgeJob(jobDirectory, common)).toEqual({ ...purged, deleted: [] });
  });
});

test('the journal of an earlier job that created nobody does not stop a purge, and goes with it', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'legacy.csv'), join(directory, 'job')];
    const options = { file, jobDirectory, ignoreUnknown: true };
    await writeFile(
      file,
      content(() => 'damaged'),
    );
    expect((await importFile(recordingClient(), options)).summary).toMatchObject({ invalid: 300 });
    await writeFile(
      file,
      content(() => goodHashes.md5),
    );
    await importFile(recordingClient(), { ...options, mode: 'restart' });
    expect(readdirSync(jobDirectory)).toContain('journal-1.db');
    expect(await purgeJob(jobDirectory, common)).toMatchObject({
      deleted: expect.arrayContaining(['journal-1.db']),
    });
    expect(personalFilesOf(jobDirectory)).toEqual([]);
  });
});

test('a purged job accepts no run, and nothing can be created from it', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'legacy.csv'), join(directory, 'job')];
    await writeFile(
      file,
      content(() => goodHashes.md5),
    );
    const options = { file, jobDirectory, ignoreUnknown: true };
    await importFile(recordingClient(), { ...options, shard: { index: 1, of: 1 } });
    await purgeJob(jobDirectory, common);
    const client = recordingClient();
    const refused = /job: its personal data was deleted at 20/;
    await expect(importFile(client, options)).rejects.toThrow(refused);
    await expect(importFile(client, { ...options, mode: 'restart' })).rejects.toThrow(refused);
    await expect(importFile(client, { ...options, mode: 'only failed' })).rejects.toThrow(refused);
    await expect(mergeShards([jobDirectory], join(directory, 'whole'), '1')).rejects.toThrow(refused);
    await expect(packJob(jobDirectory, { to: join(directory, 'a'), ...common })).rejects.toThrow(
      'its personal data was deleted, and with it its rows',
    );
    expect(client.sent).toEqual([]);
  });
});

test('while a run lasts, its job can be neither purged nor packed', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'legacy.csv'), join(directory, 'job')];
    await writeFile(
      file,
      content(() => goodHashes.md5),
    );
    const refusals: string[] = [];
    const note = (failure: Error) => {
      refusals.push(failure.message);
      expect(failure).toMatchObject({ hint: expect.stringContaining('or stop it with Ctrl-C') });
    };
    const client = recordingClient(async (_, number) => {
      if (number !== 100) return;
      await purgeJob(jobDirectory, common).catch(note);
      await packJob(jobDirectory, { to: join(directory, 'a'), ...common }).catch(note);
    });
    const { summary } = await importFile(client, { file, jobDirectory, ignoreUnknown: true });
    expect(refusals).toEqual([
      expect.stringMatching(/job: in use by another run: process \d+ on /),
      expect.stringMatching(/job: in use by another run: process \d+ on /),
    ]);
    expect(summary.created).toBe(300);
  });
});

test('a purge that was killed while it packed the evidence leaves a finished job, and the next one completes it', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory, killed] = ['legacy.csv', 'job', 'killed'].map((name) => join(directory, name));
    if (!file || !jobDirectory || !killed) throw new TypeError('no names');
    await writeFile(
      file,
      content(() => goodHashes.md5),
    );
    await importFile(recordingClient(), { file, jobDirectory, ignoreUnknown: true });
    const now = () => {
      const isOpen = existsSync(join(jobDirectory, 'journal.db-wal'));
      if (isOpen && !existsSync(killed)) cpSync(jobDirectory, killed, { recursive: true });
      return Date.now();
    };
    await purgeJob(jobDirectory, { ...common, now });
    expect(readdirSync(killed)).toEqual(expect.arrayContaining(['journal.db-wal', 'running.json']));
    const { status } = await readJobStatus(killed, Date.now);
    expect(status).toMatchObject({ state: 'finished', created: 300 });
    expect(await purgeJob(killed, common)).toMatchObject({ rows: 300, left: [] });
    expect(personalFilesOf(killed)).toEqual([]);
  });
});

test('a purge names what has the name of the file or of the job, and no file whose name only begins like it', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'legacy.csv');
    await writeFile(
      file,
      content(() => goodHashes.md5),
    );
    const job = join(directory, 'monday');
    await importFile(recordingClient(), { file, jobDirectory: job, ignoreUnknown: true });
    for (const name of ['legacy.csv.compare', 'legacy.csvx', 'legacy.csv-2', 'monday.undo', 'monday2'])
      mkdirSync(join(directory, name));
    const { beside } = await purgeJob(job, common);
    expect(beside).toEqual(['legacy.csv', 'legacy.csv.compare', 'monday.undo']);
  });
});
