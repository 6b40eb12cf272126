import { cpSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mergeShards } from '../../../src/migration/merge-shards.ts';
import { readJobStatus } from '../../../src/migration/records/job-status.ts';
import { adviseNext } from '../../../src/migration/report/texts/advice.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';

test('rows that may have been sent before a shard was cut off are not said to be unsent, nor after a merge', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const lines = Array.from({ length: 40 }, (_, at) => `user${at},md5,${goodHashes.md5}\n`);
    await writeFile(file, `user_name,algorithm,hash\n${lines.join('')}`);
    const copies: string[] = [];
    for (const index of [1, 2]) {
      const [jobDirectory, copy] = [join(directory, `shard${index}`), join(directory, `killed${index}`)];
      const client = recordingClient((_, number) => {
        // What a kill at this moment leaves.
        if (number === 12) cpSync(jobDirectory, copy, { recursive: true });
      });
      await importFile(client, { file, jobDirectory, concurrency: 1, shard: { index, of: 2 } });
      copies.push(copy);
    }
    const [first = ''] = copies;
    const { status, summary: cutOff } = await readJobStatus(first, Date.now);
    const { created, pending, unanswered = 0 } = status;
    expect(status).toMatchObject({ state: 'crashed', rows: 20 });
    expect(cutOff).toMatchObject({ created, pending, unanswered });
    expect(created + unanswered).toBeGreaterThanOrEqual(12);
    expect(unanswered).toBeLessThanOrEqual(pending);

    const whole = join(directory, 'whole');
    const { summary } = await mergeShards(copies, whole, 'test');
    const { unanswered: merged = 0 } = summary;
    expect(summary.created + merged).toBeGreaterThanOrEqual(24);
    expect(summary.created + summary.pending).toBe(40);
    expect((await readJobStatus(whole, Date.now)).status).toMatchObject({ unanswered: merged });
    expect(adviseNext(summary, undefined).map(({ text }) => text)).toEqual([
      `Rerun the same command to resume with the ${summary.pending} rows left: at most ${merged} of them may have been sent, and these are looked up first. No row is imported twice.`,
    ]);
    const report = await readFile(join(whole, 'report.html'), 'utf8');
    expect(report).toContain(
      `${summary.pending} without an outcome yet, of which at most ${merged} may have been sent`,
    );
    expect(report).not.toMatch(/not sent yet/i);

    await importFile(recordingClient(), { file, jobDirectory: whole });
    const { status: done } = await readJobStatus(whole, Date.now);
    expect(done).toMatchObject({ state: 'finished', created: 40, pending: 0 });
    expect(done).not.toHaveProperty('unanswered');
  });
});
