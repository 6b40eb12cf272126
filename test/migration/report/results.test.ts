import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiError } from '../../../src/client/errors.ts';
import { JobDirectoryError, SourceError } from '../../../src/migration/model/errors.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient, runImport } from '../run-import.ts';

const content = `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\nbob,md5,short\n`;

test.each(['users.csv', 'failures.csv', 'summary.json', 'report.html'])(
  'a directory that contains %s, and no journal, is not changed',
  async (book) => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'users.csv');
      await writeFile(file, content);
      const jobDirectory = join(directory, 'job');
      await mkdir(jobDirectory);
      await writeFile(join(jobDirectory, book), 'evidence');
      const client = recordingClient();

      const failure = await importFile(client, { file, jobDirectory }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(JobDirectoryError);
      expect(String(failure)).toContain(jobDirectory);
      expect((failure as JobDirectoryError).hint).toContain('Name another');
      expect(client.sent).toEqual([]);
      expect(await readdir(jobDirectory)).toEqual([book]);
      expect(await readFile(join(jobDirectory, book), 'utf8')).toBe('evidence');
    });
  },
);

test('a job directory that is a file is rejected', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, content);
    const run = importFile(recordingClient(), { file, jobDirectory: file });
    await expect(run).rejects.toMatchObject({
      message: `${file}: this is not a directory`,
      hint: 'Name another directory with --job.',
    });
  });
});

test('only their owner can read the job records, and the directory may exist if it is empty', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, content);
    const jobDirectory = join(directory, 'new', 'job');
    await importFile(recordingClient(), { file, jobDirectory });
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect(await modeOf(jobDirectory)).toBe('700');
    for (const book of await readdir(jobDirectory))
      expect(await modeOf(join(jobDirectory, book))).toBe('600');
    const records = ['failures.csv', 'journal.db', 'report.html', 'summary.json', 'users.csv'];
    expect((await readdir(jobDirectory)).sort()).toEqual(records);

    const empty = join(directory, 'empty');
    await mkdir(empty);
    expect((await importFile(recordingClient(), { file, jobDirectory: empty })).summary.created).toBe(1);
  });
});

test('a file that is rejected leaves no job directory', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, 'user_name\nann\n');
    const run = importFile(recordingClient(), { file, jobDirectory: join(directory, 'job') });
    await expect(run).rejects.toBeInstanceOf(SourceError);
    expect(await readdir(directory)).toEqual(['users.csv']);
  });
});

test('no job record contains a hash or an HMAC key, even if the service repeats them or a cell is in the wrong column', async () => {
  const { bcrypt, md5, hmacsha256_base64_key: hmac } = goodHashes;
  const rows = [
    'user_name,external_id,algorithm,hash,key',
    `ann,1,bcrypt,${bcrypt},`,
    `bob,2,hmacsha256_base64_key,${hmac},the secret key`,
    `${bcrypt},${md5},md5,ann,`,
    `${md5},,${hmac},dan,`,
    `eve,${bcrypt},md5`,
    `"fay,1,md5,${md5},\ngus",7,md5,${md5},`,
  ];
  const client = recordingClient(({ 'hash-pwd': password }) => {
    throw new ApiError('SVC', `what is ${password?.value} with ${password?.key}?`, 400);
  });
  const { written, failures } = await runImport(rows.join('\n'), { concurrency: 1 }, client);
  expect(failures.map(({ row, user_name, message }) => [row, user_name, message?.slice(0, 40)])).toEqual([
    ['1', 'ann', 'what is [hidden] with undefined?'],
    ['2', 'bob', 'what is [hidden] with [hidden]?'],
    ['3', '', expect.stringContaining('hash: ')],
    ['4', '', expect.stringContaining('algorithm: ')],
    ['5', '', expect.stringContaining('cells')],
    ['6', '', expect.stringContaining('user_name: ')],
  ]);
  for (const secret of [bcrypt, md5, hmac, 'the secret key']) expect(written).not.toContain(secret);
});

test('a file that changes during the import stops it, and the rows that were sent stay recorded', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const line = (name: string) => `${name},md5,${goodHashes.md5}\n`;
    const rows = Array.from({ length: 3000 }, (_, n) => line(`u${n}`)).join('');
    await writeFile(file, `user_name,algorithm,hash\n${rows}`);
    const client = recordingClient(async (_, number) => {
      if (number === 1) await writeFile(file, 'user_name,algorithm,hash\n');
    });
    const { summary, stoppedBy } = await importFile(client, { file, jobDirectory: join(directory, 'job') });
    expect(stoppedBy).toBeInstanceOf(SourceError);
    expect(stoppedBy?.message).toContain('the file was changed while it was read');
    expect(summary.rows).toBe(3000);
    expect(summary.created).toBe(client.sent.length);
    expect(summary.created + summary.failed + summary.invalid + summary.pending).toBe(3000);
  });
});
