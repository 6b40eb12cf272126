import { createHash } from 'node:crypto';
import { open, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SourceError } from '../../../src/migration/model/errors.ts';
import { openSource } from '../../../src/migration/source/open-source.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';

const row = (number: number) => `user${String(number).padStart(6, '0')},md5,${goodHashes.md5}\n`;
const header = 'user_name,algorithm,hash\n';
const content = header + Array.from({ length: 6000 }, (_, number) => row(number)).join('');

/** Reads the rows of a file that `change` changes after its header was read. */
async function readChanged(change: (file: string) => Promise<void>) {
  const names: string[] = [];
  let failure = '';
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, content);
    const source = await openSource(file, (name) => (name === 'user_name' ? name : undefined));
    expect(source.digest).toBe(createHash('sha256').update(content).digest('hex'));
    await change(file);
    try {
      for await (const list of source.readRows()) names.push(...list.map(({ cells }) => cells[0] ?? ''));
    } catch (error) {
      failure = String(error);
    } finally {
      await source.close();
    }
  });
  return { names, failure };
}

async function patch(file: string, position: number, text: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(text, position);
  await handle.close();
}

test.each<[string, (file: string) => Promise<void>]>([
  ['cut inside a row', (file) => truncate(file, content.length - 70_000)],
  ['cut at the end of a row', (file) => truncate(file, header.length + row(0).length * 5000)],
  ['grown', (file) => writeFile(file, row(9), { flag: 'a' })],
  ['with one letter changed', (file) => patch(file, content.length - 20, 'f')],
])('a file %s while it is read gives no row from bytes that changed', async (_, change) => {
  const { names, failure } = await readChanged(change);
  expect(failure).toMatch(/the file was changed while it was read/);
  expect(names.length).toBeGreaterThan(0);
  expect(names.length).toBeLessThan(6000);
  expect(names).toEqual(names.map((_, number) => `user${String(number).padStart(6, '0')}`));
});

test('a file that is not changed is read to its end', async () => {
  const { names, failure } = await readChanged(async () => {});
  expect({ failure, rows: names.length }).toEqual({ failure: '', rows: 6000 });
});

test('if a file changes after rows were sent, the error says how many, and how to resume', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    await writeFile(job.file, content);
    const client = recordingClient((_, number) =>
      number === 1 ? truncate(job.file, content.length - 70_000) : undefined,
    );
    const { summary, stoppedBy } = await importFile(client, job);
    expect(summary.created).toBeGreaterThan(0);
    expect(stoppedBy?.message).toContain(`; ${summary.created} rows were sent before`);
    expect((stoppedBy as SourceError).hint).toContain('restore the file as it was');
    await writeFile(job.file, content);
    expect((await importFile(recordingClient(), job)).summary).toMatchObject({ created: 6000, pending: 0 });
  });
});

test('a job directory that is deleted during the import is not reported as a full disk', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), concurrency: 1 };
    await writeFile(job.file, header + row(1) + row(2));
    const client = recordingClient((_, number) =>
      number === 2 ? rm(job.jobDirectory, { recursive: true }) : undefined,
    );
    const failure = await importFile(client, job).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'JOB_DIRECTORY', hint: expect.stringContaining('was deleted') });
  });
});
