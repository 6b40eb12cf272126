import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { applyPlan } from '../../src/migration/apply-plan.ts';
import { openJournalDatabase } from '../../src/migration/journal/database/database.ts';
import { lockJob, lockJournal } from '../../src/migration/journal/database/lock.ts';
import { goodHashes } from './hashes.ts';
import { countingTenant, facts, planFor } from './plan/counting-tenant.ts';
import { importFile, inDirectory, recordingClient } from './run-import.ts';

const fileOf = (...names: string[]) =>
  `user_name,algorithm,hash\n${names.map((name) => `${name},md5,${goodHashes.md5}\n`).join('')}`;

/** Locks a job as a run does. Returns what ends it. */
function runElsewhere(jobDirectory: string): () => void {
  const lock = lockJob(DatabaseSync, jobDirectory, { now: Date.now });
  const connection = openJournalDatabase(DatabaseSync, join(jobDirectory, 'journal.db'));
  lockJournal(jobDirectory, connection);
  return () => {
    connection.close();
    lock.release();
  };
}

test('a job that another run has is refused before anybody is asked, also if that run ends meanwhile', async () => {
  await inDirectory(async (root) => {
    const job = { file: join(root, 'users.csv'), jobDirectory: join(root, 'job') };
    await writeFile(job.file, fileOf('ann', 'bob'));
    await importFile(recordingClient(), job);
    // The row of bob has another key now, which must be noticed.
    await writeFile(job.file, fileOf('ann', 'bobby'));
    const end = runElsewhere(job.jobDirectory);
    const client = recordingClient();
    let asked = 0;
    const onPreview = () => {
      asked += 1;
      end();
    };
    const refused = importFile(client, { ...job, mode: 'only failed', onPreview });
    await expect(refused).rejects.toThrow(`in use by another run: process ${process.pid}`);
    end();
    expect([asked, client.sent]).toEqual([0, []]);
    await expect(importFile(client, { ...job, mode: 'only failed' })).rejects.toThrow('KEY_CHANGED');
  });
});

test('an import is refused if another run of the job began after its file was checked', async () => {
  await inDirectory(async (root) => {
    const job = { file: join(root, 'users.csv'), jobDirectory: join(root, 'job') };
    await writeFile(job.file, fileOf('ann', 'bob'));
    const [first, second] = [recordingClient(), recordingClient()];
    const onPreview = async () => void (await importFile(first, job));
    await expect(importFile(second, { ...job, onPreview })).rejects.toThrow(
      'another run of it began after this one had checked the file',
    );
    expect([first.sent.length, second.sent.length]).toEqual([2, 0]);
    expect((await importFile(second, job)).summary).toMatchObject({ created: 2, resumed: true });
  });
});

test('a plan that another run applies is refused before anybody is asked', async () => {
  await inDirectory(async (root) => {
    const { tenant } = await countingTenant();
    const jobDirectory = await planFor(tenant, root, 4);
    const end = runElsewhere(jobDirectory);
    let asked = 0;
    const onPlan = () => {
      asked += 1;
    };
    await expect(applyPlan(tenant, { ...facts, jobDirectory, onPlan })).rejects.toThrow('in use by another');
    end();
    expect([asked, tenant.sent.length]).toEqual([0, 0]);
  });
});
