import { type FSWatcher, mkdirSync, readdirSync, watch } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { jobFileNames, recogniseFile } from '../../../src/migration/directory/job-files.ts';
import { purgeJob } from '../../../src/migration/evidence/purge-job.ts';
import { device } from '../../test-service.ts';
import { startWorld } from '../../world.ts';
import { writeKeys } from '../../write-keys.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';

const rowsOf = (...rows: string[]) => `user_name,algorithm,hash\n${rows.map((row) => `${row}\n`).join('')}`;

/** Makes a directory, and collects every name that ever occurs in it. */
function watched(directory: string): Set<string> {
  mkdirSync(directory, { mode: 0o700 });
  const names = new Set<string>();
  const watcher: FSWatcher = watch(directory, (_, name) => void names.add(name ?? ''));
  onTestFinished(() => watcher.close());
  return names;
}

test('the files that all commands of a job write are exactly those of the table', async () => {
  const { client, directory, run } = await startWorld();
  const within = (name: string) => join(directory, name);
  const [job, plan, undo, compared] = [within('job'), within('plan'), within('undo'), within('compared')];
  const [file, later, key] = [within('legacy.csv'), within('later.csv'), within('key.pem')];
  const seen = [job, plan, undo, compared].map(watched);
  const imported = ['import-hashes', file, '--job', job, '--set', 'pwd_must_modify=false'];
  await writeKeys(directory);
  await writeFile(file, rowsOf(`ann,md5,${goodHashes.md5}`, 'bob,md5,damaged'));
  await run(...imported);
  await run(...imported, '--restart');
  await writeFile(file, rowsOf(`ann,md5,${goodHashes.md5}`, `bob,md5,${goodHashes.md5}`));
  await run(...imported, '--only', 'failed');
  await client.logIn('bob', 'secret', device);
  await run('cutover', job);
  await run('compare', file, '--to', compared, '--job', job);
  await writeFile(later, rowsOf(`ann,md5,${goodHashes.md5}`, `cid,md5,${goodHashes.md5}`));
  await run('plan', later, '--since', job, '--to', plan, '--key', 'user_name');
  await run('plan', 'sign', plan, key);
  await run('apply', plan, '--yes');
  await run('undo', job, '--to', undo, '--yes');
  // The earlier job must be purged in a directory of its own.
  await rename(join(job, 'journal-1.db'), within('first.db'));
  expect(await run('job', 'purge', job, '--yes')).toMatchObject({ exitCode: 0 });
  // The system reports the last file a moment later.
  await expect.poll(() => seen[0]).toContain('evidence.jsonl');

  const found = seen.flatMap((names) => [...names].map((name) => ({ name, known: recogniseFile(name) })));
  expect(found.filter(({ known }) => !known)).toEqual([]);
  const current = found.filter(({ known }) => known?.state === 'current');
  // SQLite creates it if a journal is opened after a crash.
  expect(jobFileNames.filter((name) => !current.some((one) => one.name === name))).toEqual([
    'journal.db-shm',
  ]);
  expect(found.flatMap(({ name, known }) => (known?.state === 'archived' ? [name] : [])).sort()).toEqual([
    ...[
      'failures-1.csv',
      'failures-2.csv',
      'journal-1.db',
      'journal-1.db-journal',
      'report-1.html',
      'report-2.html',
    ],
    ...['summary-1.json', 'summary-2.json', 'users-1.csv', 'users-2.csv'],
  ]);
});

test('a purge deletes what a killed run and a comparison left in the job directory', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'legacy.csv'), join(directory, 'job')];
    await writeFile(file, rowsOf(`ann,md5,${goodHashes.md5}`));
    await importFile(recordingClient(), { file, jobDirectory });
    for (const name of [
      'users.csv.new',
      'summary.json.new',
      'missing.csv',
      'invalid.csv.new',
      'missing-1.csv',
      'mine.new',
      'journal-2.db-journal',
      'journal.db.0a1b2c3d.new',
      'journal.db.0a1b2c3d.new-wal',
    ])
      await writeFile(join(jobDirectory, name), 'ann');
    const { left } = await purgeJob(jobDirectory, { version: '1.0.0', now: Date.now });
    expect(left).toEqual(['mine.new', 'missing-1.csv']);
    expect(readdirSync(jobDirectory).sort()).toEqual([
      ...['evidence.jsonl', 'journal.db', 'mine.new', 'missing-1.csv', 'summary.json'],
    ]);
  });
});
