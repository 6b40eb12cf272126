import { copyFileSync, mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { NetworkError } from '../../../../src/client/errors.ts';
import type { HashedUser } from '../../../../src/contract/wire.ts';
import { mergeShards } from '../../../../src/migration/merge-shards.ts';
import { fastClock } from '../../../clocks.ts';
import { goodHashes } from '../../hashes.ts';
import { importFile, inDirectory } from '../../run-import.ts';
import { startTenant, type Tenant } from '../../start-tenant.ts';

const rowOf = (column: string) => (_: unknown, row: number) => `${column}-${row + 1},md5,${goodHashes.md5}\n`;
const fileOf = (column: string, rows: number) =>
  `${column},algorithm,hash\n${Array.from({ length: rows }, rowOf(column)).join('')}`;

const gone = new NetworkError('timeout', 'no answer', { effect: 'unknown' });

/** Copies the journal of a run under way, as a kill would leave it. */
function copyJournal(jobDirectory: string, left: string) {
  mkdirSync(left);
  for (const name of ['journal.db', 'journal.db-wal', 'journal.db-count']) {
    copyFileSync(join(jobDirectory, name), join(left, name));
  }
}

/** The job as it is on disk while the n-th row is being sent, which is what a kill at that moment leaves. */
async function killedAt(number: number, job: { file: string; jobDirectory: string }, tenant: Tenant) {
  const left = `${job.jobDirectory}-left`;
  const { importHashedUser: send } = tenant;
  const stop = new AbortController();
  let sent = 0;
  tenant.importHashedUser = async (user) => {
    sent += 1;
    if (sent === number) {
      copyJournal(job.jobDirectory, left);
      stop.abort();
    }
    if (sent > number) throw gone;
    // Half of the requests that are in flight arrive.
    if (sent === number || sent % 2) return send(user).finally(() => sleep(5));
    throw gone;
  };
  await importFile(tenant, { ...job, concurrency: 8, signal: stop.signal });
  tenant.importHashedUser = send;
  return left;
}

const idsOf = async (tenant: Tenant) => {
  const { users } = await tenant.client.listUsers({ offset: 0, limit: 100 });
  return users.map(({ external_id }) => external_id).sort();
};

test('after a kill, only rows that were in flight are unknown, and rows with an external ID only are all created, each once', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    await writeFile(job.file, fileOf('external_id', 90));
    const tenant = await startTenant();
    const jobDirectory = await killedAt(20, job, tenant);
    const before = new Set(await idsOf(tenant));
    const clock = fastClock(1000);
    const { summary, stoppedBy } = await importFile(tenant, { ...job, jobDirectory, clock });
    expect(stoppedBy).toBeUndefined();
    expect(summary).toMatchObject({ rows: 90, unknown: 0, pending: 0, failed: 0, conflict: 0 });
    expect(before.size).toBeGreaterThan(9);
    expect(await idsOf(tenant)).toEqual(
      Array.from({ length: 90 }, (_, row) => `external_id-${row + 1}`).sort(),
    );
  });
});

test('a row without any identifier stays unknown only if it was in flight', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    await writeFile(job.file, fileOf('name', 90));
    const tenant = await startTenant();
    const jobDirectory = await killedAt(20, job, tenant);
    const { summary, stoppedBy } = await importFile(tenant, { ...job, jobDirectory, clock: fastClock(1000) });
    expect(stoppedBy).toBeUndefined();
    expect(summary.unknown).toBeGreaterThan(0);
    expect(summary.unknown).toBeLessThanOrEqual(20);
    expect(summary).toMatchObject({ created: 90 - summary.unknown, pending: 0 });
  });
});

test('a user is looked up only when an earlier request can no longer arrive, and then the row is not sent again', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    await writeFile(job.file, fileOf('external_id', 1));
    const tenant = await startTenant();
    const { importHashedUser: send } = tenant;
    let late: HashedUser | undefined;
    tenant.importHashedUser = (user) => {
      late = user;
      return Promise.reject(gone);
    };
    expect((await importFile(tenant, job)).summary).toMatchObject({ unknown: 1 });
    tenant.importHashedUser = send;
    const waits: number[] = [];
    const clock = {
      now: () => performance.now(),
      schedule(wait: number, wake: () => void) {
        waits.push(wait);
        // The request arrives in the last moment.
        void (late ? send(late) : Promise.resolve()).then(wake);
        late = undefined;
        return () => {};
      },
    };
    const { summary } = await importFile(tenant, { ...job, clock, timeout: 20 });
    expect(summary).toMatchObject({ unknown: 0, pending: 0, failed: 0 });
    expect(summary.created + summary.existing).toBe(1);
    expect(await idsOf(tenant)).toEqual(['external_id-1']);
    // The earlier run had a timeout of 30 s for token, connection and request each; the timeout of this run is shorter.
    expect(waits[0]).toBeGreaterThan(85_000);
    expect(waits[0]).toBeLessThanOrEqual(90_000);
  });
});

test.each([1, 40.0005])(
  'a timeout of %d s gives an earlier request at least a minute and a half to arrive',
  async (timeout) => {
    await inDirectory(async (directory) => {
      const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job'), timeout };
      await writeFile(job.file, fileOf('external_id', 1));
      const tenant = await startTenant();
      const lost = { ...tenant, importHashedUser: () => Promise.reject(gone) };
      expect((await importFile(lost, job)).summary).toMatchObject({ unknown: 1 });
      const waits: number[] = [];
      const clock = {
        now: () => performance.now(),
        schedule(wait: number, wake: () => void) {
          waits.push(wait);
          setImmediate(wake);
          return () => {};
        },
      };
      expect((await importFile(tenant, { ...job, clock })).summary).toMatchObject({ created: 1 });
      expect(waits[0]).toBeGreaterThan(85_000);
    });
  },
);

test('after a kill, a row that loses its user name in a corrected file waits until its request can no longer arrive', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    const left = join(directory, 'left');
    const header = 'user_name,external_id,algorithm,hash';
    await writeFile(job.file, `${header}\nname-1,id-1,md5,${goodHashes.md5}\nname-2,id-2,md5,none\n`);
    const tenant = await startTenant();
    const { importHashedUser: send } = tenant;
    let late: HashedUser | undefined;
    tenant.importHashedUser = async (user) => {
      copyJournal(job.jobDirectory, left);
      late = user;
      throw gone;
    };
    await importFile(tenant, job);
    tenant.importHashedUser = send;
    // The second row was invalid, so this one could be its correction.
    await writeFile(job.file, `${header}\n,id-1,md5,${goodHashes.md5}\n`);
    const clock = {
      now: () => performance.now(),
      schedule(wait: number, wake: () => void) {
        // The request arrives in the last moment.
        void (late && wait > 20_000 ? send(late) : Promise.resolve()).then(wake);
        if (wait > 20_000) late = undefined;
        return () => {};
      },
    };
    const { summary } = await importFile(tenant, { ...job, jobDirectory: left, mode: 'only failed', clock });
    expect(summary).toMatchObject({ rows: 1, unknown: 0, pending: 0, failed: 0 });
    expect(late).toBeUndefined();
    expect(await idsOf(tenant)).toEqual(['id-1']);
  });
});

test('merged shards of a corrected file still wait until an earlier request can no longer arrive', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const whole = join(directory, 'whole');
    await writeFile(file, fileOf('external_id', 2));
    const tenant = await startTenant();
    const lost = { ...tenant, importHashedUser: () => Promise.reject(gone) };
    const shards = [1, 2].map((index) => ({
      file,
      jobDirectory: join(directory, `shard${index}`),
      shard: { index, of: 2 },
    }));
    const clock = fastClock(1000);
    for (const shard of shards) await importFile(lost, { ...shard, clock });
    await writeFile(file, `${fileOf('external_id', 2)}\n`);
    for (const shard of shards) {
      const stop = new AbortController();
      const onJob = () => stop.abort();
      await importFile(tenant, { ...shard, mode: 'only failed', onJob, signal: stop.signal });
    }
    await mergeShards(
      shards.map(({ jobDirectory }) => jobDirectory),
      whole,
      'test',
    );
    const waits: number[] = [];
    const waiting = {
      now: () => performance.now(),
      schedule(wait: number, wake: () => void) {
        waits.push(wait);
        setImmediate(wake);
        return () => {};
      },
    };
    const { summary } = await importFile(tenant, { file, jobDirectory: whole, clock: waiting });
    expect(summary).toMatchObject({ rows: 2, created: 2, unknown: 0 });
    expect(waits).toHaveLength(2);
    expect(Math.min(...waits)).toBeGreaterThan(20_000);
  });
});

test('unknown outcomes of an earlier run do not open the circuit breaker', async () => {
  await inDirectory(async (directory) => {
    const job = { file: join(directory, 'users.csv'), jobDirectory: join(directory, 'job') };
    await writeFile(job.file, fileOf('name', 300));
    const tenant = await startTenant();
    const { importHashedUser: send } = tenant;
    let sent = 0;
    tenant.importHashedUser = (user) => {
      sent += 1;
      return sent > 100 ? send(user) : Promise.reject(gone);
    };
    const anyFailure = { maxFailures: { fraction: 1 }, clock: fastClock(1000) };
    const stop = new AbortController();
    const onProgress = ({ done }: { done: number }) => {
      if (done >= 100) stop.abort();
    };
    const first = {
      ...job,
      ...anyFailure,
      concurrency: 1,
      onProgress,
      signal: stop.signal,
      silenceLimit: 1e9,
    };
    expect((await importFile(tenant, first)).summary.unknown).toBe(100);
    const { summary, stoppedBy } = await importFile(tenant, { ...job, clock: fastClock(1000) });
    expect(stoppedBy).toBeUndefined();
    expect(summary).toMatchObject({ unknown: 100, created: 200, pending: 0 });
  });
});
