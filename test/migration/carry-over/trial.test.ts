import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunPreview } from '../../../src/migration/carry-over/trial.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';

const good = (...cells: string[]) => `${cells.join()},md5,${goodHashes.md5}\n`;

test('the preview of a corrected file finds users also if its run before ended early', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    const tenant = await startTenant();
    const fileOf = (...rows: string[]) => `user_name,algorithm,hash\n${rows.join('')}`;
    await writeFile(job.file, fileOf(good('ann'), good('bob'), good('cyd')));
    await importFile(tenant, job);
    const other = good('ann').replace(goodHashes.md5, '0'.repeat(32));
    await writeFile(job.file, fileOf(other, good('bob')));
    const stop = new AbortController();
    const corrected = { ...job, mode: 'only failed' as const };
    await importFile(tenant, { ...corrected, onJob: () => stop.abort(), signal: stop.signal });
    const previews: RunPreview[] = [];
    const onPreview = (preview: RunPreview) => void previews.push(preview);
    await importFile(tenant, { ...corrected, onPreview });
    expect(previews).toMatchObject([{ sent: { ready: 0 }, codes: { HASH_CHANGED: 1 }, without_row: 1 }]);
  });
});

test('the preview of a corrected file finds the user of a row whose external ID a failed row shared', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    const tenant = await startTenant();
    const fileOf = (...rows: string[]) => `external_id,name,algorithm,hash\n${rows.join('')}`;
    await writeFile(job.file, fileOf(good('x', 'Ann'), good('x', 'Bob').replace(goodHashes.md5, 'cut')));
    const options = { ...job, accept: ['DUPLICATE_EXTERNAL_ID'] } as const;
    await importFile(tenant, options);
    await writeFile(job.file, fileOf(good('x', 'Ann')));
    const previews: RunPreview[] = [];
    const onPreview = (preview: RunPreview) => void previews.push(preview);
    const { summary } = await importFile(tenant, {
      ...job,
      mode: 'only failed',
      accept: ['DUPLICATE_EXTERNAL_ID'],
      onPreview,
    });
    expect(previews).toMatchObject([{ sent: { ready: 0 }, without_row: 0 }]);
    expect(summary).toMatchObject({ created: 1, pending: 0 });
  });
});
