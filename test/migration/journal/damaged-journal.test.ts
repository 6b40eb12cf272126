import { readFileSync, writeFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openJournal } from '../../../src/migration/journal/open-journal.ts';
import { exportCsv } from '../../../src/migration/journal/reading/export-csv.ts';
import { mergeShards } from '../../../src/migration/merge-shards.ts';
import { JobDirectoryError } from '../../../src/migration/model/errors.ts';
import { anyCharacter } from '../../text/any-character.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';
import { job } from './job.ts';

const columns = ['row', 'user_name', 'external_id', 'user_id', 'result'] as const;
/** A journal with users, an intent of each kind and an earlier run. */
async function writeJournal(directory: string): Promise<void> {
  const journal = await openJournal(directory, job, { now: () => 0 });
  journal.intend(60);
  await journal.intendExactly(61, 5000);
  for (let row = 1; row <= 40; row += 1) {
    const names = { userName: `person${row}`, externalId: `E${row}`, algorithm: 'md5' as const };
    journal.record({ row, line: row + 1, ...names, result: 'created', userId: `${row}`.repeat(8) });
  }
  journal.lowerWatermark(61);
  journal.close(1);
}

/** What the next run reads from the journal, or why it refuses the journal. */
async function readJournal(directory: string): Promise<string> {
  try {
    const journal = await openJournal(directory, job, { now: () => 0 });
    const facts = [
      journal.run,
      [40, 41, 60, 61, 62].map((row) => journal.arrivesUntil(row, true)),
      [...exportCsv(journal.committed(), 'users', columns)],
    ];
    journal.close(1);
    return JSON.stringify(facts);
  } catch (failure) {
    expect(failure).toBeInstanceOf(JobDirectoryError);
    return String(failure);
  }
}

test('a flipped bit in a journal on disk is noticed, or changes nothing', async () => {
  await inDirectory(async (directory) => {
    await writeJournal(directory);
    const path = join(directory, 'journal.db');
    const whole = readFileSync(path);
    const expected = await readJournal(directory);
    let noticed = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length * 8 - 1), async (bit) => {
        const damaged = Buffer.from(whole);
        damaged.writeUInt8(damaged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        writeFileSync(path, damaged);
        const found = await readJournal(directory);
        if (found !== expected) noticed += 1;
        if (found !== expected) expect(found).toMatch(/^JobDirectoryError: .*: (its|the) journal/);
      }),
      { numRuns: 150 },
    );
    expect(noticed).toBeGreaterThan(0);
  });
});

test('no text of a row is taken for damage', async () => {
  await inDirectory(async (directory) => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('a\0b', '\0', '\ud800', 'x\udc00y', '\u001f', '\ufeff'),
    );
    const rows = fc.sample(fc.tuple(text, text, text), 300);
    const journal = await openJournal(directory, job, { now: () => 0 });
    for (const [at, [userName, code, message]] of rows.entries()) {
      const place = { row: at + 1, line: 1, userName, externalId: undefined, algorithm: undefined };
      journal.record({ ...place, result: 'failed', code, message, hint: '' });
    }
    journal.close(0);
    const again = await openJournal(directory, job, { now: () => 0 });
    expect(rows.every((_, at) => again.outcomeOf(at + 1) !== undefined)).toBe(true);
    again.close(0);
  });
});

/** Flips a bit of a text in the journal of a job. */
function spoil(jobDirectory: string, text: string): void {
  const path = join(jobDirectory, 'journal.db');
  const bytes = readFileSync(path);
  const at = bytes.indexOf(text);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(path, bytes);
}

test('an import does not continue with a damaged journal, and a merge does not accept one', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\nbob,md5,${goodHashes.md5}\n`);
    const shards = [1, 2].map((index) => join(directory, `shard${index}`));
    for (const [at, jobDirectory] of shards.entries())
      await importFile(recordingClient(), { file, jobDirectory, shard: { index: at + 1, of: 2 } });
    const [, damaged = ''] = shards;
    spoil(damaged, 'bob');
    const options = { file, jobDirectory: damaged, shard: { index: 2, of: 2 } };
    const client = recordingClient();
    const found = await importFile(client, options).catch((failure: unknown) => failure);
    expect(found).toBeInstanceOf(JobDirectoryError);
    expect(found).toMatchObject({
      message: `${damaged}: its journal.db is damaged (wrong checksums in outcomes: 1)`,
      hint: expect.stringMatching(/^Restore the file from a copy\. .* Name another directory with --job\.$/),
    });
    const merged = mergeShards(shards, join(directory, 'whole'), 'test');
    await expect(merged).rejects.toThrow(`${damaged}: its journal.db is damaged`);
    expect(await readdir(directory)).not.toContain('whole');
    expect(client.sent).toEqual([]);
  });
});
