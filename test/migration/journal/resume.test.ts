import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NetworkError } from '../../../src/client/errors.ts';
import type { HashedUser } from '../../../src/contract/wire.ts';
import type { ImportOptions } from '../../../src/migration/import-users.ts';
import { mergeShards } from '../../../src/migration/merge-shards.ts';
import { JobDirectoryError } from '../../../src/migration/model/errors.ts';
import { goodHashes } from '../hashes.ts';
import { recipeOf } from '../recipes/recipe-of.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';

const rowOf = (name: string) => `${name},${name}@example.com,md5,${goodHashes.md5}\n`;
const fileOf = (...names: string[]) => `user_name,email,algorithm,hash\n${names.map(rowOf).join('')}`;
const names = (count: number) => Array.from({ length: count }, (_, n) => `user${n}`);

/**
 * A client whose process dies while it waits for the answer of the n-th row: the service has carried the row out, and
 * the answer is lost.
 */
function dyingClient(at: number, abort: AbortController) {
  return recordingClient((_, number) => {
    if (number === at) abort.abort();
  });
}

test('the same command continues where the last run stopped, and sends no row twice', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    await writeFile(file, fileOf(...names(100)));
    const abort = new AbortController();
    const first = dyingClient(40, abort);
    const stopped = await importFile(first, { file, jobDirectory, concurrency: 1, signal: abort.signal });
    expect(stopped.summary).toMatchObject({ created: 40, pending: 60, resumed: false });

    const second = recordingClient();
    const { summary, stoppedBy } = await importFile(second, { file, jobDirectory, concurrency: 4 });
    expect(stoppedBy).toBeUndefined();
    expect(summary).toMatchObject({ rows: 100, created: 100, pending: 0, resumed: true });
    expect(second.sent).toHaveLength(60);

    const third = recordingClient();
    expect((await importFile(third, { file, jobDirectory })).summary).toMatchObject({
      created: 100,
      resumed: true,
    });
    expect(third.sent).toEqual([]);
    const users = (await readFile(join(jobDirectory, 'users.csv'), 'utf8')).trim().split('\n');
    expect(users.slice(1).map((line) => Number(line.split(',')[0]))).toEqual(names(100).map((_, n) => n + 1));
  });
});

interface Change extends Partial<ImportOptions> {
  content?: string;
}

test.each<[string, Change, RegExp, string]>([
  ['the source', { content: fileOf('ann', 'bob') }, /the source has changed/, '--restart'],
  [
    'the base URL',
    { target: { base_url: 'elsewhere' } },
    /base_url was memory and is elsewhere now/,
    'job retarget',
  ],
  ['the shard', { shard: { index: 1, of: 2 } }, /the shard was the whole file and is 1\/2 now/, '--restart'],
])(
  'a change of %s is refused, unless the job is started over',
  async (_, { content, ...changed }, reason, next) => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'users.csv');
      const jobDirectory = join(directory, 'job');
      await writeFile(file, fileOf('ann'));
      await importFile(recordingClient(), { file, jobDirectory });
      if (content) await writeFile(file, content);

      const client = recordingClient();
      const failure = await importFile(client, { file, jobDirectory, ...changed }).catch(
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(JobDirectoryError);
      expect(String(failure)).toMatch(reason);
      expect((failure as JobDirectoryError).hint).toContain(next);
      expect(client.sent).toEqual([]);

      const restarted = await importFile(client, { file, jobDirectory, ...changed, mode: 'restart' });
      expect(restarted.summary).toMatchObject({ resumed: false, pending: 0 });
      const kept = await readdir(jobDirectory);
      expect(kept).toEqual(
        expect.arrayContaining(['journal-1.db', 'users-1.csv', 'summary-1.json', 'journal.db']),
      );
    });
  },
);

test('a repeated command with another recipe of the same name is told how to continue with the first recipe', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    await writeFile(file, fileOf('ann'));
    const password = 'password: { column: hash, algorithm: { column: algorithm } }';
    const before = await recipeOf(`fields: { user_name: { column: user_name } }\n${password}\n`);
    const now = await recipeOf(`fields: { user_name: { column: user_name, lower: true } }\n${password}\n`);
    await importFile(recordingClient(), { file, jobDirectory, recipe: before });
    await expect(importFile(recordingClient(), { file, jobDirectory, recipe: now })).rejects.toThrow(
      'the recipe mine.yaml has changed; if it is built in, print the old one with recipe show in the version that started the job, and give it with --recipe',
    );
    const asBefore = { ...before, name: 'before.yaml' };
    const { summary } = await importFile(recordingClient(), { file, jobDirectory, recipe: asBefore });
    expect(summary).toMatchObject({ resumed: true, created: 1 });
  });
});

test('of two imports with one job directory the second is refused immediately, and its message names the first', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    await writeFile(file, fileOf(...names(3)));
    let refusal: unknown;
    const client = recordingClient(async (_, number) => {
      if (number !== 2) return;
      refusal = await importFile(recordingClient(), { file, jobDirectory }).catch((error: unknown) => error);
    });
    expect((await importFile(client, { file, jobDirectory })).summary.created).toBe(3);
    expect(refusal).toBeInstanceOf(JobDirectoryError);
    expect(String(refusal)).toMatch(
      new RegExp(`in use by another run: process ${process.pid} on .+, since `),
    );
    expect(await readdir(jobDirectory)).not.toContain('running.json');
  });
});

test('--only failed retries failed rows, which it finds in a corrected file by their identifiers', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    await writeFile(file, `${fileOf('ann')}bob,bob@example.com,md5,cut\n${rowOf('cid')}`);
    const tenant = await startTenant();
    expect((await importFile(tenant, { file, jobDirectory })).summary).toMatchObject({
      created: 2,
      invalid: 1,
    });

    // The broken row is corrected and moved, and there is a new row.
    await writeFile(file, fileOf('dan', 'bob', 'cid', 'ann'));
    let time = 0;
    // Two rows a second; the rows of the earlier run do not count.
    const now = () => time++ && 1000;
    const { summary } = await importFile(tenant, { file, jobDirectory, mode: 'only failed', now });
    expect(summary).toMatchObject({ rows: 4, created: 4, invalid: 0, pending: 0, resumed: true });
    expect(summary).toMatchObject({ seconds: 1, rows_per_second: 2 });
    expect(tenant.sent.map(({ user_name }) => user_name)).toEqual(['ann', 'cid', 'dan', 'bob']);
    const users = await readFile(join(jobDirectory, 'users.csv'), 'utf8');
    const idOf = async (name: string) => (await tenant.client.getUserByUserName(name)).user_id;
    const [dan, bob, cid, ann] = await Promise.all(['dan', 'bob', 'cid', 'ann'].map(idOf));
    expect(users).toBe(
      `row,user_name,external_id,user_id,result,found_by_look_up,disabled\n1,dan,,${dan},created,,\n2,bob,,${bob},created,,\n3,cid,,${cid},created,,\n4,ann,,${ann},created,,\n`,
    );
  });
});

test('shards are disjoint and complete, and their records can be merged', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, `${fileOf(...names(50))}bob,bob@example.com,md5,cut\n`);
    const tenant = await startTenant();
    const jobs = [1, 2, 3].map((index) => join(directory, `job${index}`));
    for (const [number, jobDirectory] of jobs.entries()) {
      const shard = { index: number + 1, of: 3 };
      const { summary } = await importFile(tenant, { file, jobDirectory, shard });
      expect(summary).toMatchObject({ rows: 17, shard: `${number + 1}/3`, pending: 0 });
    }
    expect(new Set(tenant.sent.map(({ user_name }) => user_name))).toEqual(new Set(names(50)));
    expect(tenant.sent).toHaveLength(50);

    const whole = join(directory, 'whole');
    const missing = mergeShards(jobs.slice(1), whole, '1.0.0').catch((error: unknown) => error);
    expect(String(await missing)).toMatch(/shards are missing: 1\/3/);
    const twice = mergeShards([...jobs, `${jobs[0]}`], whole, '1.0.0').catch((error: unknown) => error);
    expect(String(await twice)).toMatch(/the same shard 1\/3/);
    expect(await mergeShards(jobs, whole, '1.0.0')).toMatchObject({
      summary: {
        rows: 51,
        created: 50,
        invalid: 1,
        pending: 0,
      },
    });
    const rows = (await readFile(join(whole, 'users.csv'), 'utf8')).trim().split('\n').slice(1);
    expect(rows.map((line) => Number(line.split(',')[0]))).toEqual(names(50).map((_, n) => n + 1));
  });
});

test('rows that a killed shard may have sent are looked up before the merged job sends them', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, fileOf('ann', 'bob'));
    const tenant = await startTenant();
    const { importHashedUser: send, getUserByUserName, getUserByEmail } = tenant;
    const gone = () => Promise.reject(new NetworkError('timeout', 'no answer', { effect: 'unknown' }));
    const jobs = [1, 2].map((index) => join(directory, `job${index}`));
    // The user of the second shard is created, but the answer is lost.
    for (const [index, jobDirectory] of jobs.entries()) {
      if (index === 1)
        Object.assign(tenant, { importHashedUser: (user: HashedUser) => send(user).then(gone) });
      if (index === 1) Object.assign(tenant, { getUserByUserName: gone, getUserByEmail: gone });
      await importFile(tenant, { file, jobDirectory, shard: { index: index + 1, of: 2 }, silenceLimit: 0 });
    }
    const whole = join(directory, 'whole');
    expect(await mergeShards(jobs, whole, 'test')).toMatchObject({ summary: { created: 1, unknown: 1 } });
    Object.assign(tenant, { importHashedUser: send, getUserByUserName, getUserByEmail });
    const sentBefore = tenant.sent.length;
    const { summary } = await importFile(tenant, { file, jobDirectory: whole });
    expect(summary).toMatchObject({ created: 2, found_by_look_up: 1, unknown: 0, pending: 0 });
    expect(tenant.sent).toHaveLength(sentBefore);
  });
});

test('rows that a stopped run never sent are not unknown, so the next run sends them without an identifier', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    const rows = Array.from({ length: 100 }, () => `Same Name,md5,${goodHashes.md5}\n`).join('');
    await writeFile(file, `name,algorithm,hash\n${rows}`);
    const abort = new AbortController();
    const first = dyingClient(40, abort);
    await importFile(first, { file, jobDirectory, concurrency: 1, signal: abort.signal });

    const second = recordingClient();
    const { summary } = await importFile(second, { file, jobDirectory, concurrency: 1 });
    expect(summary).toMatchObject({ created: 100, unknown: 0, pending: 0 });
    expect(second.sent).toHaveLength(60);
  });
});
