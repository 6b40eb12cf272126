import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from './hashes.ts';
import { forgetOutcomes } from './journal/forget-outcomes.ts';
import { importFile, inDirectory } from './run-import.ts';
import { startTenant } from './start-tenant.ts';

const fileOf = (...rows: string[]) =>
  `user_name,email,mobile,name,algorithm,hash\n${rows.map((row) => `${row},md5,${goodHashes.md5}\n`).join('')}`;

/** A row with all identifiers of one person, as rows with some of them in the corrected file. */
const ann = 'ann,ann@example.com,86-15200000000,Ann';
const [byName, byMail, byMobile] = ['ann,,,Ann', ',ann@example.com,,Ann', ',,86-15200000000,Ann'] as const;

test.each([
  { title: 'after one another', rows: [byMail, byName], concurrency: 1 },
  { title: 'the first of which took the user over', rows: [byName, byMail], concurrency: 1 },
  { title: 'in flight at once', rows: [byMail, byMobile], concurrency: 2 },
] as const)(
  'two rows of a corrected file that are one person get the user only once: $title',
  async ({ rows, concurrency }) => {
    await inDirectory(async (directory) => {
      const paths = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
      const job = { ...paths, concurrency, accept: ['KEY_CHANGED'] as const };
      await writeFile(job.file, fileOf(ann, 'bob,,,Bob'));
      const tenant = await startTenant();
      expect((await importFile(tenant, job)).summary).toMatchObject({ created: 2 });
      // Bob's answer was lost, so that each row of the corrected file may have been sent.
      await forgetOutcomes(job.jobDirectory, 1);
      await writeFile(job.file, fileOf(...rows, 'bob,,,Bob'));
      const { summary } = await importFile(tenant, { ...job, mode: 'only failed' });
      expect(summary).toMatchObject({ rows: 3, created: 2, existing: 1, unknown: 0, pending: 0 });
      const users = await readFile(join(job.jobDirectory, 'users.csv'), 'utf8');
      const { user_id: id } = await tenant.client.getUserByUserName('ann');
      expect(users.split('\n').filter((line) => line.includes(id) && line.includes('created'))).toHaveLength(
        1,
      );
    });
  },
);
