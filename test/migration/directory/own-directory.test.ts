import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JobDirectoryError } from '../../../src/migration/model/errors.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';

const precious = 'export PATH=/home/ann/bin:$PATH\n';

interface Attacked {
  file: string;
  jobDirectory: string;
  /** A file of the operator outside the job directory. */
  victim: string;
}

async function withJob(use: (job: Attacked) => Promise<void>) {
  await inDirectory(async (root) => {
    const job = { file: join(root, 'users.csv'), jobDirectory: join(root, 'job'), victim: join(root, 'rc') };
    await writeFile(job.file, `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\n`);
    await writeFile(job.victim, precious, { mode: 0o600 });
    await use(job);
  });
}

/** Expects that the import is rejected, and that nothing is sent or written. */
async function expectRefused({ file, jobDirectory, victim }: Attacked, reason: string) {
  const before = await readdir(jobDirectory);
  const client = recordingClient();
  const failure = await importFile(client, { file, jobDirectory }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(JobDirectoryError);
  expect((failure as Error).message).toBe(`${jobDirectory}: ${reason}`);
  expect(client.sent).toEqual([]);
  expect(await readdir(jobDirectory)).toEqual(before);
  expect(await readFile(victim, 'utf8')).toBe(precious);
}

test.each([0o777, 0o1777, 0o775])(
  'a directory of mode %o, to which others can write, is rejected',
  async (mode) => {
    await withJob(async (job) => {
      await mkdir(job.jobDirectory);
      await chmod(job.jobDirectory, mode);
      await expectRefused(job, 'other accounts can write to the directory');
    });
  },
);

test.each([
  'journal.db',
  'journal.db-wal',
  'running.json',
  'users.csv.new',
  'failures.csv.new',
  'summary.json.new',
  'report.html.new',
  'report.html',
  'journal-1.db',
])('a link instead of %s is rejected, and its target is not changed', async (name) => {
  await withJob(async (job) => {
    await mkdir(job.jobDirectory);
    await symlink(job.victim, join(job.jobDirectory, name));
    await expectRefused(job, `it contains the link ${name}, which may lead elsewhere`);
  });
});

test('a pipe instead of the journal is rejected, and the import does not wait for it', async () => {
  await withJob(async (job) => {
    await mkdir(job.jobDirectory);
    execFileSync('mkfifo', [join(job.jobDirectory, 'journal.db')]);
    await expectRefused(job, 'the job records cannot be written there: journal.db is not a file');
  });
});

const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)(
  'a directory, a link to a directory, and a journal of another account are rejected',
  async () => {
    await withJob(async (job) => {
      await mkdir(job.jobDirectory);
      await chown(job.jobDirectory, 65_534, 65_534);
      await expectRefused(job, 'the directory belongs to another account');
      await chown(job.jobDirectory, 0, 0);
      await writeFile(join(job.jobDirectory, 'journal.db'), '');
      await chown(join(job.jobDirectory, 'journal.db'), 65_534, 65_534);
      await expectRefused(job, 'its journal.db belongs to another account');
      await rm(join(job.jobDirectory, 'journal.db'));
      const link = `${job.jobDirectory}-link`;
      await symlink(job.jobDirectory, link);
      execFileSync('chown', ['-h', '65534:65534', link]);
      await expectRefused({ ...job, jobDirectory: link }, 'the directory belongs to another account');
    });
  },
);

test('files that a killed run left instead of a list are replaced, and only the owner can read the new ones', async () => {
  await withJob(async (job) => {
    await importFile(recordingClient(), job);
    await writeFile(join(job.jobDirectory, 'users.csv.new'), 'half');
    for (const name of ['journal.db', 'users.csv', 'users.csv.new']) {
      await chmod(join(job.jobDirectory, name), 0o666);
    }
    await importFile(recordingClient(), job);
    const names = await readdir(job.jobDirectory);
    expect(names.sort()).toEqual(['failures.csv', 'journal.db', 'report.html', 'summary.json', 'users.csv']);
    const modes = await Promise.all(
      names.map(async (name) => (await stat(join(job.jobDirectory, name))).mode),
    );
    expect(modes.map((mode) => mode & 0o777)).toEqual(names.map(() => 0o600));
  });
});
