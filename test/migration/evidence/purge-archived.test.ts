import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { NetworkError } from '../../../src/client/errors.ts';
import { purgeJob } from '../../../src/migration/evidence/purge-job.ts';
import type { ImportOptions } from '../../../src/migration/import-users.ts';
import { notDisabledJob } from '../cohort/not-disabled-job.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory } from '../run-import.ts';

const { md5 } = goodHashes;
const common = { version: '1.0.0', now: Date.now };
const refused =
  /it holds the journal of an earlier job \(journal-\d\.db\), which alone knows whom that job created/;

test.each([
  ['is in the file', 'ann'],
  ['was corrected out of the file', 'bob'],
])(
  'a user who could not be disabled, and %s, counts as created before a restart and a purge',
  async (_, name) => {
    await inDirectory(async (directory) => {
      const { failing, options } = await notDisabledJob(directory, 'user_name');
      expect((await importFile(failing, options)).summary).toMatchObject({ codes: { NOT_DISABLED: 1 } });
      if (name === 'bob') {
        await writeFile(options.file, 'login,pwd,off\nbob,damaged,1\n');
        const { summary } = await importFile(failing, { ...options, mode: 'only failed' });
        expect(summary).toMatchObject({ rows: 1, invalid: 1 });
      }
      const asked: unknown[] = [];
      const onPreview: ImportOptions['onPreview'] = (_preview, _canaries, { archived }) => {
        asked.push(archived);
      };
      await importFile(failing, { ...options, mode: 'restart', onPreview });
      expect(asked).toMatchObject([{ created: 1, nameless: 0 }]);
      await expect(purgeJob(options.jobDirectory, common)).rejects.toThrow(refused);
    });
  },
);

test('the journal of a job that may have sent a row without an outcome is not purged with the next job', async () => {
  await inDirectory(async (directory) => {
    const { tenant, options } = await notDisabledJob(directory, 'user_name');
    await writeFile(options.file, `login,pwd,off\nann,${md5},\n`);
    const lost = new NetworkError('timeout', 'no answer', { effect: 'unknown' });
    const importHashedUser = () => Promise.reject(lost);
    const getUserByUserName = () => Promise.reject(lost);
    const silent = { ...tenant, importHashedUser, getUserByUserName };
    expect((await importFile(silent, options)).summary).toMatchObject({ unknown: 1 });
    const stop = new AbortController();
    const stopping = {
      ...tenant,
      getUserByUserName: (name: string) => {
        stop.abort();
        return tenant.getUserByUserName(name);
      },
    };
    const { summary } = await importFile(stopping, { ...options, signal: stop.signal });
    expect(summary).toMatchObject({ created: 0, unknown: 0, pending: 1 });
    await importFile(tenant, { ...options, mode: 'restart' });
    await expect(purgeJob(options.jobDirectory, common)).rejects.toThrow(refused);
  });
});
