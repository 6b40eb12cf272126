import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packJob } from '../../src/migration/evidence/pack-evidence.ts';
import { openJob } from '../../src/migration/journal/reading/open-job.ts';
import { goodHashes } from './hashes.ts';
import { forgetOutcomes } from './journal/forget-outcomes.ts';
import { importFile, inDirectory } from './run-import.ts';
import { startTenant } from './start-tenant.ts';

const fileOf = (...rows: string[]) => `user_name,algorithm,hash\n${rows.map((row) => `${row}\n`).join('')}`;
const good = (name: string) => `${name},md5,${goodHashes.md5}`;
const otherHash = (row: string) => row.replace(/,[^,]*$/, `,${'0'.repeat(32)}`);

test('another hash is noticed also for a row that was sent before a kill, and had no answer', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    const tenant = await startTenant();
    const [ann = '', bob = '', cyd = ''] = ['ann', 'bob', 'cyd'].map(good);
    await writeFile(job.file, fileOf(ann, bob, cyd));
    await importFile(tenant, job);
    await forgetOutcomes(job.jobDirectory, 1);
    const write = (row: string) => writeFile(job.file, fileOf(ann, row, cyd));
    await write(otherHash(bob));
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 3, found_by_look_up: 2, codes: { HASH_CHANGED: 1 } });
    const evidence = { to: join(directory, 'evidence'), version: '1.0.0', now: Date.now };
    await packJob(job.jobDirectory, evidence);
    const lines = (await readFile(evidence.to, 'utf8')).trim().split('\n');
    const unanswered = lines.map((line) => JSON.parse(line)).filter(({ result }) => result === 'unknown');
    // Of the earlier file, only the values of these rows are known, and no identifier.
    expect(unanswered.map(({ row, key, earlier }) => [row, key, earlier])).toEqual([
      [2, undefined, true],
      [3, undefined, true],
    ]);
    await write(bob);
    const back = await importFile(tenant, { ...job, mode: 'only failed' });
    expect(back.summary).toMatchObject({ created: 3, codes: {} });
    expect(tenant.sent).toHaveLength(3);
  });
});

test('if the corrected run was killed as well, such a row is reported, and a new row of the file is not', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    const tenant = await startTenant();
    const [ann = '', bob = '', cyd = ''] = ['ann', 'bob', 'cyd'].map(good);
    await writeFile(job.file, fileOf(ann, bob, 'cyd,md5,cut'));
    await importFile(tenant, job);
    await forgetOutcomes(job.jobDirectory, 1);
    await writeFile(job.file, fileOf(ann, otherHash(bob), cyd));
    await importFile(tenant, { ...job, mode: 'only failed' });
    // Both may have been sent from the corrected file now.
    await forgetOutcomes(job.jobDirectory, 1);
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 3, codes: { HASH_UNKNOWN: 1 } });
    const failures = await readFile(join(job.jobDirectory, 'failures.csv'), 'utf8');
    expect(failures).toMatch(/\n2,3,bob,,HASH_UNKNOWN,/);
  });
});

test('a row of two files, with two hashes and without an answer, is reported: nobody knows which hash was sent', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    const tenant = await startTenant();
    const [ann = '', bob = '', cyd = ''] = ['ann', 'bob', 'cyd'].map(good);
    await writeFile(job.file, fileOf(ann, bob));
    await importFile(tenant, job);
    await forgetOutcomes(job.jobDirectory, 1);
    await writeFile(job.file, fileOf(ann, otherHash(bob)));
    await importFile(tenant, { ...job, mode: 'only failed' });
    await forgetOutcomes(job.jobDirectory, 1);
    for (const row of [otherHash(bob), bob]) {
      await writeFile(job.file, fileOf(ann, row, cyd));
      const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
      expect(summary).toMatchObject({ created: 3, codes: { HASH_UNKNOWN: 1 } });
    }
  });
});

test.each([
  {
    title: 'is reported if a row without an answer is gone',
    rows: ['ann', 'cyd'],
    counts: [2, 0],
    unknown: 1,
  },
  {
    title: 'was there before if each row without an answer is there',
    rows: ['ann', 'bob', 'cyd'],
    counts: [2, 1],
  },
])(
  'a person who is found for a new row, and of whom nothing is known, $title',
  async ({ rows, counts, unknown }) => {
    await inDirectory(async (directory) => {
      const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
      const tenant = await startTenant();
      await writeFile(job.file, fileOf(good('ann'), good('bob'), 'cyd,md5,cut'));
      await importFile(tenant, job);
      await forgetOutcomes(job.jobDirectory, 1);
      await tenant.client.createUser({ user_name: 'cyd' });
      const corrected = { ...job, mode: 'only failed', accept: ['KEY_CHANGED'] } as const;
      await writeFile(job.file, fileOf(...rows.map(good)));
      const { summary } = await importFile(tenant, corrected);
      const [created, existing] = counts;
      expect(summary).toMatchObject({ created, existing, codes: unknown ? { HASH_UNKNOWN: unknown } : {} });
      const failures = await readFile(join(job.jobDirectory, 'failures.csv'), 'utf8');
      expect(failures.split(',cyd,,HASH_UNKNOWN,')).toHaveLength(unknown ? 2 : 1);
    });
  },
);

test('a row without an answer that only another shard has read is looked up before it is sent from a corrected file', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    const tenant = await startTenant();
    await writeFile(job.file, fileOf(good('ann'), good('bob')));
    await importFile(tenant, job);
    await forgetOutcomes(job.jobDirectory, 1);
    const { connection } = await openJob(job.jobDirectory);
    // As in a merged job: it has the fingerprints of one shard.
    connection.exec('DELETE FROM fingerprints');
    connection.close();
    await writeFile(job.file, fileOf(good('ann'), good('bob'), good('cyd')));
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 3, found_by_look_up: 1, existing: 0 });
  });
});

test('an answer about a corrected row does not make the user of its lost request one who was there before', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    const tenant = await startTenant();
    const write = (name: string, hash: string) =>
      writeFile(job.file, `name,${fileOf(`Ann,${good('ann')}`, `${name},bob,md5,${hash}`)}`);
    await write('Bob', goodHashes.md5);
    await importFile(tenant, job);
    await forgetOutcomes(job.jobDirectory, 1);
    await write('Bobby', '0'.repeat(32));
    const corrected = { ...job, mode: 'only failed', accept: ['KEY_CHANGED'] } as const;
    expect((await importFile(tenant, corrected)).summary).toMatchObject({ created: 1, conflict: 1 });
    const { user_id: id } = await tenant.client.getUserByUserName('bob');
    await tenant.client.updateUser(id, { name: 'Bobby' });
    const { summary } = await importFile(tenant, corrected);
    expect(summary).toMatchObject({ created: 2, existing: 0, codes: { HASH_UNKNOWN: 1 } });
    expect(tenant.sent).toHaveLength(2);
  });
});
