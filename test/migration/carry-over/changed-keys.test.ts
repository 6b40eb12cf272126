import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JobDirectoryError } from '../../../src/migration/model/errors.ts';
import { goodHashes } from '../hashes.ts';
import { forgetOutcomes } from '../journal/forget-outcomes.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';

/** Rows with a user name and an external ID. A user name with `!` has a hash that is cut off. */
function fileOf(rows: readonly string[]): string {
  const lines = rows.map((row) => {
    const [name = '', id = ''] = row.split('/');
    return `${name.replace('!', '')},${id},md5,${name.endsWith('!') ? 'cut' : goodHashes.md5}\n`;
  });
  return `user_name,external_id,algorithm,hash\n${lines.join('')}`;
}

/**
 * Imports rows, corrects the file, and retries what failed. Returns the users that were sent, or the message of the
 * refusal.
 */
async function correct(
  before: readonly string[],
  after: readonly string[],
  { isAccepted = false, isKilled = false, isStopped = false } = {},
) {
  let ended: string | unknown[] = [];
  await inDirectory(async (root) => {
    const job = { file: join(root, 'users.csv'), jobDirectory: join(root, 'job') };
    await writeFile(job.file, fileOf(before));
    await importFile(recordingClient(), job);
    if (isKilled) await forgetOutcomes(job.jobDirectory, 1);
    if (isStopped) await forgetOutcomes(job.jobDirectory, 2, 0);
    await writeFile(job.file, fileOf(after));
    const client = recordingClient();
    const options = {
      ...job,
      mode: 'only failed' as const,
      ...(isAccepted ? { accept: ['KEY_CHANGED'] as const } : {}),
    };
    try {
      await importFile(client, options);
      ended = client.sent.map(({ user_name, external_id }) => user_name ?? external_id);
    } catch (failure) {
      expect(failure).toBeInstanceOf(JobDirectoryError);
      const { hint } = failure as JobDirectoryError;
      expect(hint).toContain('--accept KEY_CHANGED');
      expect(/Restore the file.*--only unanswered/s.test(hint)).toBe(isKilled);
      expect(client.sent).toEqual([]);
      ended = `${/\(row [^)]*\)/.exec(String(failure))?.[0]}`;
      // With the original file, the job can be resumed.
      await writeFile(job.file, fileOf(before));
      expect((await importFile(client, options)).stoppedBy).toBeUndefined();
      expect(client.sent).toHaveLength(isKilled ? 3 : isStopped ? 2 : 0);
    }
  });
  return ended;
}

const people = ['ann', 'bob', 'cid!', 'dan', 'eve'];

test.each<[string, string[], string[], string]>([
  ['a name is another one', people, ['ann', 'bobby', 'cid', 'dan', 'eve'], '(row 2)'],
  ['the first and the last are other ones', people, ['anna', 'bob', 'cid', 'dan', 'eva'], '(row 1, 5)'],
  ['it stands beside a corrected name', people, ['ann', 'bobby', 'cyd', 'dan', 'eve'], '(row 2)'],
  [
    'other rows were removed',
    ['ann', 'bob', 'dan', 'eve', 'cid!'],
    ['ann', 'danny', 'eve', 'cid'],
    '(row 2)',
  ],
  ['rows were inserted', people, ['zoe', 'ann', 'bobby', 'cid', 'dan', 'eve'], '(row 3)'],
  ['rows were sorted', people, ['eve', 'dan', 'cid', 'bobby', 'ann'], '(row 4)'],
  [
    'all of them are',
    people,
    ['a@x', 'b@x', 'c@x', 'd@x', 'e@x', 'f@x', 'g@x'],
    '(row 1, 2, 3, 4, 5, and 2 more)',
  ],
  [
    'it has an external ID and was moved',
    ['ann/1', 'bob/2', 'cid!/3'],
    ['cid/3', 'bob/2', 'anna/1'],
    '(row 3)',
  ],
  ['the external ID is all that it has', ['/1', '/2', '/3'], ['/1', '/22', '/3'], '(row 2)'],
])(
  'if the identifier of a user differs in the corrected file, and %s, no row is sent',
  async (_, before, after, rows) => {
    expect(await correct(before, after)).toBe(rows);
  },
);

test.each<[string, string[], string[], string[]]>([
  ['the same rows', people, ['ann', 'bob', 'cid', 'dan', 'eve'], ['cid']],
  ['another name of a row that failed', people, ['ann', 'bob', 'cyd', 'dan', 'eve'], ['cyd']],
  ['only the rows that failed', people, ['cid'], ['cid']],
  ['only the rows that failed, by other names', people, ['cyd'], ['cyd']],
  ['more people at the end', people, [...people, 'fay', 'gil'], ['fay', 'gil']],
  ['fewer people', people, ['ann', 'cid', 'eve'], ['cid']],
  ['another order', people, ['eve', 'cid', 'ann', 'dan', 'bob'], ['cid']],
])('a corrected file with %s is imported', async (_, before, after, sent) => {
  expect(await correct(before, after)).toEqual(sent);
});

test.each<[string, string[], string | string[]]>([
  ['has another key for one of them', ['ann', 'bobby', 'cid', 'dan', 'eve'], '(row 2)'],
  ['has them as they were', ['ann', 'bob', 'cid', 'dan', 'eve'], ['bob', 'cid', 'dan', 'eve']],
  ['has them in another order', ['eve', 'dan', 'cid', 'bob', 'ann'], ['bob', 'cid', 'dan', 'eve']],
])(
  'after a kill, rows that may have been sent are treated like users when a corrected file %s',
  async (_, after, ended) => {
    const sent = await correct(people, after, { isKilled: true });
    // Cid, whose hash was cut, is sent without a look-up, and may overtake the others.
    expect(typeof sent === 'string' ? sent : sent.toSorted()).toEqual(ended);
  },
);

test.each<[string, string[], string | string[]]>([
  ['another order, without a user', ['eve', 'dan', 'cid', 'bob'], ['eve', 'dan', 'cid']],
  ['another key for a user', ['eve', 'dan', 'cid', 'bobby', 'ann'], '(row 3, 4)'],
])('rows that were never sent are no users: a corrected file has %s', async (_, after, ended) => {
  expect(await correct(people, after, { isStopped: true })).toEqual(ended);
});

test('rows are imported if the caller says that they are other people', async () => {
  expect(await correct(people, ['ann', 'zoe', 'cid', 'dan', 'eve'], { isAccepted: true })).toEqual([
    'zoe',
    'cid',
  ]);
});

test('for one of several shards, the advice is to merge them, and says what the acceptance costs', async () => {
  await inDirectory(async (root) => {
    const job = {
      file: join(root, 'users.csv'),
      jobDirectory: join(root, 'job'),
      shard: { index: 1, of: 2 },
    };
    await writeFile(job.file, fileOf(['ann', 'bob', 'cid!']));
    await importFile(recordingClient(), job);
    await writeFile(job.file, fileOf(['anna', 'bob', 'cid']));
    await expect(importFile(recordingClient(), { ...job, mode: 'only failed' })).rejects.toMatchObject({
      hint: expect.stringMatching(
        /merge the shards first .*With --accept KEY_CHANGED, the user of a row that has moved is found only by its identifiers: one who has others in the tenant by now is created a second time\.$/,
      ),
    });
  });
});
