import { expect, test } from 'vitest';
import { adviseNext } from '../../../src/migration/report/advice.ts';
import { notDisabledJob } from '../cohort/not-disabled-job.ts';
import { importFile, inDirectory } from '../run-import.ts';

test('users whom a job created and could not disable are advised as such, and not as rows to correct', async () => {
  await inDirectory(async (directory) => {
    const { options, failing } = await notDisabledJob(directory, 'user_name');
    const { summary } = await importFile(failing, options);
    expect(summary).toMatchObject({ failed: 1, stayed_enabled: 1 });
    const command = { words: ['import-hashes', 'x.csv'], rehearsal: [], connection: [], consent: [] };
    expect(adviseNext(summary, command)).toEqual([
      {
        text: '1 user is still enabled, although the file says otherwise: rerun with --only failed to disable them.',
        commands: ['tenant-users import-hashes x.csv --only failed'],
      },
    ]);
  });
});
