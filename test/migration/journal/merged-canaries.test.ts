import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFacts, storeFact } from '../../../src/migration/journal/database/job-facts.ts';
import { openJob } from '../../../src/migration/journal/reading/open-job.ts';
import { mergeShards } from '../../../src/migration/merge-shards.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';

test('merged shards have every algorithm that a shard verified', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const key = Buffer.from('key').toString('base64');
    const hmac = createHmac('sha256', 'key').update('secret').digest('base64');
    await writeFile(
      file,
      `user_name,algorithm,hash,key\nann,md5,${goodHashes.md5},\nbob,hmacsha256_base64_key,${hmac},${key}\n`,
    );
    const tenant = await startTenant();
    const of = 2;
    const verifiedBy = { 1: 'ann', 2: 'bob' } as const;
    const shards = ([1, 2] as const).map((index) => ({
      jobDirectory: join(directory, `shard${index}`),
      shard: { index, of },
      canaries: {
        name: 'canaries.csv',
        list: [{ line: 1, userName: verifiedBy[index], password: 'secret' }],
      },
    }));
    for (const shard of shards) {
      const { summary } = await importFile(tenant, { file, ...shard });
      expect(summary.not_verified).toEqual([]);
    }
    // As ramps and an undo leave them.
    const ramps = {
      shard1: { canaries: 1, logins: 'accepted' },
      // Its canary was in the tenant before, so nobody was tried.
      shard2: { canaries: 0, logins: 'unproven on the tenant' },
    } as const;
    for (const [name, ramp] of Object.entries(ramps)) {
      const { connection } = await openJob(join(directory, name));
      storeFact(connection, 'ramp', ramp);
      if (name === 'shard2') {
        storeFact(connection, 'undone', '2026-01-01T00:00:00.000Z');
        storeFact(connection, 'undone_by', '/plans/undo');
      }
      connection.close();
    }
    const whole = join(directory, 'whole');
    const { summary } = await mergeShards(
      shards.map(({ jobDirectory }) => jobDirectory),
      whole,
      'test',
    );
    expect(summary).toMatchObject({
      created: 2,
      not_verified: [],
      ramp: { canaries: 1, logins: 'accepted' },
      by_algorithm: { md5: { canaries: 1 }, hmacsha256_base64_key: { canaries: 1 } },
    });
    const { connection } = await openJob(whole);
    expect(readFacts(connection)).toMatchObject({ undone_by: '/plans/undo' });
    connection.close();
    await expect(importFile(tenant, { file, jobDirectory: whole })).rejects.toThrow('disabled by an undo');
  });
});
