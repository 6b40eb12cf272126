import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePlan } from '../../../src/migration/make-plan.ts';
import { mergeShards } from '../../../src/migration/merge-shards.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';

const fileOf = (...rows: string[]) =>
  `user_name,name,algorithm,hash\n${rows.map((row) => `${row},md5,${goodHashes.md5}\n`).join('')}`;

test.each([
  ['before', false],
  ['after', true],
])(
  'a plan since merged shards decides a user who was taken over with other values %s the merge',
  async (_, isStopped) => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'users.csv');
      const whole = join(directory, 'whole');
      const tenant = await startTenant();
      const shards = [1, 2].map((index) => ({
        file,
        jobDirectory: join(directory, `shard${index}`),
        shard: { index, of: 2 },
      }));
      await writeFile(file, fileOf('ann,Ann', 'bob,Bob', 'cid,Cid'));
      for (const shard of shards) await importFile(tenant, shard);
      // Bob's row was imported with another name, and is taken over.
      await writeFile(file, fileOf('ann,Ann', 'bob,Bobby', 'cid,Cid'));
      for (const shard of shards) {
        const stop = new AbortController();
        const onJob = () => isStopped && stop.abort();
        await importFile(tenant, { ...shard, onlyFailed: true, onJob, signal: stop.signal });
      }
      await mergeShards(
        shards.map(({ jobDirectory }) => jobDirectory),
        whole,
        'test',
      );
      const { summary } = await importFile(tenant, { file, jobDirectory: whole });
      expect(summary).toMatchObject({ created: 3, pending: 0 });
      const target = { base_url: 'memory' };
      const facts = { target, version: '1.0.0', now: Date.now, file, reading: {}, by: 'user_name' } as const;
      const plan = (since?: string) =>
        makePlan(tenant, {
          ...facts,
          update: 'all',
          since,
          directory: join(directory, since ? 'since' : 'plan'),
        });
      expect((await plan()).plan.totals).toMatchObject({ same: 2, update: 1 });
      expect((await plan(whole)).plan.totals).toMatchObject({ same: 2, update: 1 });
    });
  },
);
