import { createHash } from 'node:crypto';
import fs, { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { recogniseFile } from '../../../src/migration/directory/job-files.ts';
import { readJobStatus } from '../../../src/migration/records/job-status.ts';
import { openRecords } from '../../../src/migration/records/open-records.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';

const rows = (count: number) =>
  `user_name,algorithm,hash\n${Array.from({ length: count }, (_, at) => `user${at},md5,${goodHashes.md5}\n`).join('')}`;

/** Everything that a reader could change. */
function stateOf(directory: string): string[] {
  return readdirSync(directory).map((name) => {
    const path = join(directory, name);
    const { mtimeMs, mode, size } = statSync(path);
    return [name, mtimeMs, mode, size, createHash('sha256').update(readFileSync(path)).digest('hex')].join();
  });
}

/** A copy of the job directory while a run is at its row `at`, which is what an interruption at that moment leaves. */
async function cutOff(directory: string, at: number, look?: (job: string) => Promise<void>): Promise<string> {
  const [file, jobDirectory, copy] = ['users.csv', 'job', 'crashed'].map((name) => join(directory, name));
  if (!file || !jobDirectory || !copy) throw new TypeError('no names');
  await writeFile(file, rows(20));
  const client = recordingClient(async (_, number) => {
    if (number !== at) return;
    await look?.(jobDirectory);
    // In another process: a process that closes a file releases all its locks on the file.
    cpSync(jobDirectory, copy, { recursive: true });
  });
  const canaries = { name: 'known.csv', list: [{ line: 1, userName: 'user0', password: 'secret' }] };
  await importFile(client, { file, jobDirectory, concurrency: 1, canaries });
  return copy;
}

test('the status of a running job says how far it is, and which process runs it', async () => {
  await inDirectory(async (directory) => {
    let seen: unknown;
    await cutOff(directory, 12, async (job) => {
      const { status, summary } = await readJobStatus(job, Date.now);
      seen = { ...status, summary };
    });
    expect(seen).toMatchObject({
      state: 'running',
      kind: 'import',
      file: join(directory, 'users.csv'),
      rows: 20,
      process: { pid: process.pid },
      summary: undefined,
    });
    const { created, pending } = seen as { created: number; pending: number };
    expect(created + pending).toBe(20);
    const { status } = await readJobStatus(join(directory, 'job'), Date.now);
    expect(status).toMatchObject({
      state: 'finished',
      runs: 1,
      created: 20,
      pending: 0,
      verified: [{ algorithm: 'md5', tried: 1, matched: 1 }],
      not_verified: [],
    });
    expect(readdirSync(join(directory, 'job'))).not.toContain('running.lock');
  });
});

test.each([
  [20, 'finished', 0],
  [12, 'stopped', 8],
] as const)('a job that a signal ends in row %i of 20 is %s', async (at, state, pending) => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'users.csv'), join(directory, 'job')];
    await writeFile(file, rows(20));
    const stop = new AbortController();
    const client = recordingClient(async (_, number) => {
      if (number === at) stop.abort(new Error('cut off'));
    });
    const { signal } = stop;
    const { stoppedBy } = await importFile(client, { file, jobDirectory, concurrency: 1, signal });
    expect(stoppedBy).toBe(signal.reason);
    const { status } = await readJobStatus(jobDirectory, Date.now);
    expect(status).toMatchObject({ state, created: at, pending });
  });
});

test('the status of an interrupted job counts outcomes in the write-ahead log, and changes no byte', async () => {
  await inDirectory(async (directory) => {
    const copy = await cutOff(directory, 12);
    const before = stateOf(copy);
    expect(before.join()).toContain('journal.db-wal');
    const { status, summary } = await readJobStatus(copy, Date.now);
    expect(status).toMatchObject({ state: 'crashed', runs: 1, rows: 20, seconds: null });
    // The outcome of the first user is written immediately, the others within half a second.
    expect(status.created).toBeGreaterThanOrEqual(1);
    expect(status.created + status.pending).toBe(20);
    expect(summary).toMatchObject({ rows: 20, created: status.created });
    expect(stateOf(copy)).toEqual(before);
    const records = await openRecords(copy);
    const copies = readdirSync(copy).filter((name) => !before.some((one) => one.startsWith(`${name},`)));
    // What is left if the reader is killed now is deleted with the personal data of the job.
    expect(copies.map((name) => recogniseFile(name)?.isPersonal)).toEqual([true, true, true]);
    records?.close();
    expect(stateOf(copy)).toEqual(before);
    const next = recordingClient();
    const resumed = await importFile(next, { file: join(directory, 'users.csv'), jobDirectory: copy });
    expect(resumed.summary).toMatchObject({ created: 20, resumed: true });
    expect((await readJobStatus(copy, Date.now)).status).toMatchObject({ state: 'finished', runs: 2 });
  });
});

/** Lets every copy into one of these directories fail as on a full disk, after a part of it was written. */
function fillDisk(directories: readonly string[]): void {
  const copy = fs.copyFileSync;
  const full = vi.spyOn(fs, 'copyFileSync').mockImplementation((from, to) => {
    copy(from, to);
    if (directories.some((directory) => String(to).startsWith(directory)))
      throw Object.assign(new Error('ENOSPC: no space left on device'), {
        code: 'ENOSPC',
        syscall: 'copyfile',
      });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    full.mockRestore();
    syncBuiltinESMExports();
  });
}

test('the status of an interrupted job is read on a full disk, from a copy in the temporary directory', async () => {
  await inDirectory(async (directory) => {
    const copy = await cutOff(directory, 12);
    const [before, temporary] = [stateOf(copy), join(directory, 'temporary')];
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const full = [copy];
    fillDisk(full);
    expect((await readJobStatus(copy, Date.now)).status).toMatchObject({ state: 'crashed', rows: 20 });
    expect(readdirSync(temporary)).toEqual([]);
    full.push(temporary);
    await expect(readJobStatus(copy, Date.now)).rejects.toThrow(
      `a run of it was cut off, and the copy of its journal that is read cannot be written, neither there nor in ${temporary} (ENOSPC: no space left on device)`,
    );
    expect(readdirSync(temporary)).toEqual([]);
    expect(stateOf(copy)).toEqual(before);
  });
});

test('a job that was stopped is not finished, and reading its status changes nothing', async () => {
  await inDirectory(async (directory) => {
    const [file, jobDirectory] = [join(directory, 'users.csv'), join(directory, 'job')];
    await writeFile(file, rows(20));
    const stop = new AbortController();
    const client = recordingClient((_, number) => number === 5 && stop.abort(new Error('enough')));
    await importFile(client, { file, jobDirectory, concurrency: 1, signal: stop.signal });
    const before = stateOf(jobDirectory);
    const { status } = await readJobStatus(jobDirectory, Date.now);
    expect(status).toMatchObject({ state: 'stopped', rows: 20, created: 5, pending: 15 });
    expect(stateOf(jobDirectory)).toEqual(before);
  });
});

test('a directory without a journal is rejected', async () => {
  await inDirectory(async (directory) => {
    await expect(readJobStatus(directory, Date.now)).rejects.toThrow('it contains no journal of an import');
    await writeFile(
      join(directory, 'journal.db'),
      'not a database, but long enough to look like one'.repeat(99),
    );
    await expect(readJobStatus(directory, Date.now)).rejects.toThrow('its journal.db is damaged');
  });
});

test('the source file is no job, but its job is named', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, rows(1));
    await importFile(recordingClient(), { file, jobDirectory: `${file}.import` });
    await expect(readJobStatus(file, Date.now)).rejects.toMatchObject({
      message: `${file}: this is not the directory of a job`,
      hint: `Name its job: ${file}.import`,
    });
  });
});

test('of two jobs of files with one name, that beside the file is named first', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const own = 'users.csv.import';
    await writeFile(file, rows(1));
    await importFile(recordingClient(), { file, jobDirectory: `${file}.import` });
    const work = join(directory, 'work');
    await importFile(recordingClient(), { file, jobDirectory: join(work, own) });
    const before = process.cwd();
    try {
      process.chdir(work);
      await expect(readJobStatus(file, Date.now)).rejects.toMatchObject({
        hint: `Name its job: ${file}.import\nIf that is the job of another file: ${own}`,
      });
      // Where both are one directory, it is named once, as from there.
      process.chdir(directory);
      await expect(readJobStatus(file, Date.now)).rejects.toMatchObject({ hint: `Name its job: ${own}` });
    } finally {
      process.chdir(before);
    }
  });
});
