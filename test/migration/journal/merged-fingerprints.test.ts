import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  outcomesWithSent,
  unpackFingerprints,
} from '../../../src/migration/journal/database/row-fingerprints.ts';
import { openJournal } from '../../../src/migration/journal/open-journal.ts';
import { openJob } from '../../../src/migration/journal/reading/open-job.ts';
import { makePlan } from '../../../src/migration/make-plan.ts';
import { mergeShards } from '../../../src/migration/merge-shards.ts';
import type { RunMode } from '../../../src/migration/model/job.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';
import { job } from './job.ts';

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
        await importFile(tenant, { ...shard, mode: 'only failed', onJob, signal: stop.signal });
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

test('users of a merged job do not count as without a row while one of its corrected shards has not read all', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const tenant = await startTenant();
    const jobs = [1, 2].map((index) => join(directory, `shard${index}`));
    async function importing(mode?: RunMode) {
      for (const [at, jobDirectory] of jobs.entries()) {
        const stop = new AbortController();
        const onJob = () => mode && at === 1 && stop.abort();
        const shard = { index: at + 1, of: 2 };
        await importFile(tenant, { file, jobDirectory, shard, mode, onJob, signal: stop.signal });
      }
    }
    await writeFile(file, fileOf('ann,Ann', 'bob,Bob', 'cid,Cid'));
    await importing();
    await writeFile(file, fileOf('ann,Ann', 'bob,Bobby', 'cid,Cid'));
    await importing('only failed');
    const { summary: early } = await mergeShards(jobs, join(directory, 'whole'), 'test');
    expect(early.without_row).toBeUndefined();
  });
});

test('a plan since merged shards decides a user who was there before and differs, whichever shard found them', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const whole = join(directory, 'whole');
    const tenant = await startTenant();
    for (const name of ['ann', 'bob', 'cid', 'dan'])
      await tenant.client.createUser({ user_name: name, attr_nick_name: name });
    const row = (name: string, nick: string) => `${name},${nick},md5,${goodHashes.md5}\n`;
    const rows = [row('ann', 'ann'), row('bob', 'B'), row('cid', 'cid'), row('dan', 'D')];
    await writeFile(file, `user_name,attr_nick_name,algorithm,hash\n${rows.join('')}`);
    const jobs = [1, 2].map((index) => join(directory, `shard${index}`));
    for (const [at, jobDirectory] of jobs.entries())
      await importFile(tenant, { file, jobDirectory, shard: { index: at + 1, of: 2 } });
    expect(await mergeShards(jobs, whole, 'test')).toMatchObject({ summary: { existing: 4 } });
    const facts = { version: '1.0.0', now: Date.now, file, reading: {}, target: { base_url: 'memory' } };
    const options = { since: whole, directory: join(directory, 'plan'), update: 'all' } as const;
    const { plan } = await makePlan(tenant, { ...facts, ...options });
    expect(plan.reasons).toEqual({ UNCHANGED: 2, DIFFERS: 2 });
  });
});

test('a plan since merged shards decides the users whose rows the shard named first did not read', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const whole = join(directory, 'whole');
    const tenant = await startTenant();
    const names = Array.from({ length: 2000 }, (_, at) => `user${at}`);
    await writeFile(file, `user_name\n${names.map((name) => `${name}\n`).join('')}`);
    const jobs = [1, 2].map((index) => join(directory, `shard${index}`));
    const reading = { allowPasswordless: true };
    for (const [at, jobDirectory] of jobs.entries()) {
      const stop = new AbortController();
      const onProgress = () => at === 0 && stop.abort();
      const shard = { index: at + 1, of: 2 };
      await importFile(tenant, { ...reading, file, jobDirectory, shard, onProgress, signal: stop.signal });
    }
    const {
      summary: { created },
    } = await mergeShards(jobs, whole, 'test');
    expect(created).toBeLessThan(2000);
    await writeFile(file, 'user_name\nnew\n');
    const facts = { version: '1.0.0', now: Date.now, file, reading, target: { base_url: 'memory' } };
    const { plan } = await makePlan(tenant, { ...facts, since: whole, directory: join(directory, 'plan') });
    expect(plan.since).toMatchObject({ vanished: created });
  });
});

test('a user who was found to differ before the row passed through is never unchanged, but has the hash of the row', async () => {
  await inDirectory(async (directory) => {
    const journal = await openJournal(directory, job, { now: () => 0 });
    const user = { 'hash-pwd': { algorithm: 'md5', value: goodHashes.md5 } } as const;
    async function* lists() {
      yield [1, 2].map((row) => ({ row, line: row + 1, user }));
    }
    const found = { result: 'existing', userId: 'id', isDifferent: true } as const;
    const names = { userName: 'user2', externalId: undefined, algorithm: undefined };
    journal.record({ row: 2, line: 3, ...names, ...found });
    for await (const _ of journal.fingerprints.record(lists()));
    journal.close(0);
    const { connection } = await openJob(directory);
    unpackFingerprints(connection);
    const [sent] = connection.prepare(`SELECT sent_values, sent_hash FROM ${outcomesWithSent}`).all();
    const [own] = connection.prepare('SELECT hash FROM unpacked WHERE row = 2').all();
    const rows = connection.prepare('SELECT row FROM unpacked').all();
    connection.close();
    expect(rows).toEqual([{ row: 1 }, { row: 2 }]);
    expect(own?.hash).toMatch(/^[\w-]{16}$/);
    expect(sent).toEqual({ sent_values: '', sent_hash: own?.hash });
  });
});
