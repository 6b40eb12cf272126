import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packJob } from '../../../src/migration/evidence/pack-evidence.ts';
import { verifyEvidence } from '../../../src/migration/evidence/verify-evidence.ts';
import { readJobStatus } from '../../../src/migration/records/job-status.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';

/** A command line that cannot be stored, as on a disk that is full when the run begins. */
const unwritable = {
  ...{ rehearsal: [], connection: [], consent: [] },
  get words(): string[] {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  },
};

const fileOf = (hash: string) => `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\nbob,md5,${hash}\n`;

test.each(['the same', 'a corrected'])(
  'a rerun of %s file that fails before it begins leaves the job as it was, and its evidence can be verified',
  async (which) => {
    await inDirectory(async (directory) => {
      const [file, jobDirectory, to] = ['users.csv', 'job', 'evidence'].map((name) => join(directory, name));
      if (!file || !jobDirectory || !to) throw new TypeError('no names');
      const tenant = await startTenant();
      await writeFile(file, fileOf('cut'));
      await importFile(tenant, { file, jobDirectory });
      const before = await readJobStatus(jobDirectory, Date.now);
      if (which === 'a corrected') await writeFile(file, fileOf(goodHashes.md5));

      const failed = importFile(tenant, { file, jobDirectory, mode: 'only failed', command: unwritable });
      await expect(failed).rejects.toThrow('the journal cannot be written there (no space)');
      expect(await readJobStatus(jobDirectory, Date.now)).toEqual(before);
      expect(before.status).toMatchObject({ state: 'finished', created: 1, invalid: 1 });
      await packJob(jobDirectory, { to, version: '1.0.0', now: Date.now });
      expect((await verifyEvidence(to)).head.job).toMatchObject({ created: 1, invalid: 1 });
      expect(existsSync(join(jobDirectory, 'failures.csv'))).toBe(true);

      const { summary } = await importFile(tenant, { file, jobDirectory, mode: 'only failed' });
      const isCorrected = which === 'a corrected';
      expect(summary).toMatchObject({ created: isCorrected ? 2 : 1, invalid: isCorrected ? 0 : 1 });
      expect(readdirSync(jobDirectory).includes('failures-1.csv')).toBe(isCorrected);
    });
  },
);
