import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from './hashes.ts';
import { importFile, inDirectory } from './run-import.ts';
import { startTenant } from './start-tenant.ts';

const fileOf = (...rows: string[]) =>
  `user_name,external_id,name,algorithm,hash\n${rows.map((row) => `${row}\n`).join('')}`;
const good = (start: string) => `${start},md5,${goodHashes.md5}`;

test('a user without an identifier stays that of a row with the same values and hash, if it is the only one', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    const twins = [good(',,Twin'), good(',,Twin')];
    await writeFile(job.file, fileOf(good(',,Kim'), ...twins, 'bob,,,md5,cut'));
    const tenant = await startTenant();
    expect((await importFile(tenant, job)).summary).toMatchObject({ created: 3, invalid: 1 });
    for (const rows of [
      ['bob,,,md5,cu', good(',,Kim')],
      [good('bob,,'), good(',,Kim')],
    ]) {
      await writeFile(job.file, fileOf(...rows));
      const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
      expect(summary).toMatchObject({ unknown: 0, without_row: 2 });
    }
    const users = await readFile(join(job.jobDirectory, 'users.csv'), 'utf8');
    expect(users).toMatch(/\n2,,,\S+,created/);
    await writeFile(job.file, fileOf(good('bob,,'), good(',,Kim'), ...twins, `,,Kim,md5,${'0'.repeat(32)}`));
    const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
    expect(summary).toMatchObject({ created: 2, unknown: 3 });
    expect(tenant.sent).toHaveLength(4);
  });
});
