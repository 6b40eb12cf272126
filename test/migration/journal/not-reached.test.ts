import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '../../../src/client/errors.ts';
import { errorCatalogue } from '../../../src/contract/errors.ts';
import { adviseNext } from '../../../src/migration/report/texts/advice.ts';
import { fastClock } from '../../clocks.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';

test('the same command sends rows again that did not reach the service, but not rows that were rejected', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    const rows = Array.from({ length: 60 }, (_, at) => `user${at},md5,${goodHashes.md5}\n`);
    await writeFile(job.file, `user_name,algorithm,hash\n${rows.join('')}`);
    const page = new NetworkError('notTheApi', 'a page', { effect: 'none', status: 404 });
    const { code, message } = errorCatalogue.emailInvalid;
    const client = recordingClient((_, number) => {
      if (number === 5) throw new ApiError(code, message, 400);
      if (number > 10) throw page;
    });
    const gone = await importFile(client, job);
    expect(gone.stoppedBy).toMatchObject({
      code: 'HOST_GONE',
      hint: expect.stringContaining('same command'),
    });
    expect(gone.summary).toMatchObject({ created: 9, failed: 21, pending: 30 });
    const advice = adviseNext(gone.summary, undefined).map(({ text }) => text);
    expect(advice).toEqual([
      expect.stringMatching(/^Rerun the same command to resume with the 50 rows not sent yet/),
      expect.stringMatching(/^Correct 1 row /),
    ]);

    const asking = recordingClient();
    expect(
      (await importFile(asking, { ...job, mode: 'only unanswered', clock: fastClock(1000) })).summary.failed,
    ).toBe(21);
    expect(asking.sent).toEqual([]);

    const again = recordingClient();
    expect((await importFile(again, job)).summary).toMatchObject({ created: 59, failed: 1, pending: 0 });
    expect(again.sent).toHaveLength(50);
  });
});
