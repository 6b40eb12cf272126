import { cpSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NetworkError } from '../../../src/client/errors.ts';
import type { HashedUser } from '../../../src/contract/wire.ts';
import { openCohort } from '../../../src/migration/cohort/open-cohort.ts';
import { fastClock } from '../../clocks.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';
import { forgetOutcomes } from './forget-outcomes.ts';

const fileOf = (...names: string[]) =>
  `user_name,algorithm,hash\n${names.map((name) => `${name},md5,${goodHashes.md5}\n`).join('')}`;
const names = (count: number) => Array.from({ length: count }, (_, at) => `user${at}`);

test('--only unanswered looks up the rows that an interrupted run may have sent, and sends nothing', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    await writeFile(file, fileOf(...names(200)));
    const tenant = await startTenant();
    const { importHashedUser: send } = tenant;
    const stop = new AbortController();
    tenant.importHashedUser = async (user) => {
      const answer = await send(user);
      if (tenant.sent.length === 40) stop.abort(new Error('cut off'));
      return answer;
    };
    await importFile(tenant, { file, jobDirectory, signal: stop.signal, concurrency: 1 });
    const created = tenant.sent.length;
    await forgetOutcomes(jobDirectory, 30);
    tenant.importHashedUser = send;
    let heldFor = 0;
    const { summary, changed } = await importFile(tenant, {
      file,
      jobDirectory,
      mode: 'only unanswered',
      clock: fastClock(1000),
      onProgress: (_, limits) => {
        heldFor = Math.max(heldFor, limits().heldFor ?? 0);
      },
    });
    expect(heldFor).toBeGreaterThan(0);
    expect(changed).toBe(0);
    expect(summary).toMatchObject({ created, found_by_look_up: created - 30, pending: 200 - created });
    expect(tenant.sent.length).toBe(created);
    const cohort = await openCohort(jobDirectory);
    expect(cohort).toMatchObject({ size: created, unresolved: 0 });
    cohort.close();
    const rest = await importFile(tenant, { file, jobDirectory });
    expect([rest.summary.created, tenant.sent.length]).toEqual([200, 200]);
  });
});

test('--only unanswered sends no row without a unique value either, although the high-water mark is above it', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    const rest = Array.from({ length: 5 }, (_, at) => `,id-${at},md5,${goodHashes.md5}\n`);
    await writeFile(
      file,
      `user_name,external_id,algorithm,hash\nann,,md5,${goodHashes.md5}\n${rest.join('')}`,
    );
    const tenant = await startTenant();
    const left = join(directory, 'left');
    const { importHashedUser: send } = tenant;
    tenant.importHashedUser = async (user) => {
      // What a kill at this moment leaves.
      if (tenant.sent.length === 0) cpSync(jobDirectory, left, { recursive: true });
      return send(user);
    };
    await importFile(tenant, { file, jobDirectory, concurrency: 1 });
    expect(tenant.sent.length).toBe(6);
    const { summary } = await importFile(tenant, {
      file,
      jobDirectory: left,
      mode: 'only unanswered',
      clock: fastClock(1000),
    });
    expect(tenant.sent.length).toBe(6);
    expect(summary).toMatchObject({ created: 0, existing: 1, pending: 5 });
  });
});

test('--only unanswered gives the requests of a killed run their time before it looks anybody up', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    await writeFile(file, fileOf('ann'));
    const tenant = await startTenant();
    const left = join(directory, 'left');
    const { importHashedUser: send } = tenant;
    let late: HashedUser | undefined;
    tenant.importHashedUser = (user) => {
      cpSync(jobDirectory, left, { recursive: true });
      late = user;
      return Promise.reject(new NetworkError('timeout', 'no answer', { effect: 'unknown' }));
    };
    await importFile(tenant, { file, jobDirectory, clock: fastClock(1000) });
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
    const options = { file, jobDirectory: left, mode: 'only unanswered' as const, clock };
    const { summary } = await importFile(tenant, options);
    expect(summary).toMatchObject({ pending: 0, unknown: 0 });
    expect(summary.created + summary.existing).toBe(1);
    expect(waits[0]).toBeGreaterThan(85_000);
    expect(waits[0]).toBeLessThanOrEqual(90_000);
  });
});

test('--only unanswered leaves no trace of rows that it does not look up, even if it is killed', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const [job, left, killed] = ['job', 'left', 'killed'].map((name) => join(directory, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(file, fileOf(...names(400)));
    const tenant = await startTenant();
    const { importHashedUser: send } = tenant;
    const stop = new AbortController();
    tenant.importHashedUser = (user) => {
      if (tenant.sent.length < 69) return send(user);
      // The outcomes of rows 1 to 64 are on disk, and the high-water mark is 192.
      cpSync(job, left, { recursive: true });
      stop.abort(new Error('cut off'));
      return send(user);
    };
    await importFile(tenant, { file, jobDirectory: job, signal: stop.signal, concurrency: 1 });
    tenant.importHashedUser = send;
    const clock = {
      now: () => performance.now(),
      schedule(_wait: number, wake: () => void) {
        // What a kill while the first row waits leaves.
        cpSync(left, killed, { recursive: true });
        wake();
        return () => {};
      },
    };
    await importFile(tenant, { file, jobDirectory: left, mode: 'only unanswered', clock });
    const cohort = await openCohort(killed);
    expect(cohort).toMatchObject({ unresolved: 128, pending: 208 });
    cohort.close();
    // This row was never sent, so the user is somebody who has registered.
    await tenant.client.createUser({ user_name: 'user200' });
    const { summary } = await importFile(tenant, { file, jobDirectory: killed, clock: fastClock(1000) });
    expect(summary).toMatchObject({ created: 399, existing: 1 });
  });
});

test('a canary that has no answer still says nothing about the rows before it', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    const jobDirectory = join(directory, 'job');
    await writeFile(file, fileOf(...names(200)));
    const tenant = await startTenant();
    const lost = () => Promise.reject(new NetworkError('timeout', 'no answer', { effect: 'unknown' }));
    const silent = { ...tenant, importHashedUser: lost, getUserByUserName: lost };
    const job = { file, jobDirectory, clock: fastClock(1000) };
    const canaries = { name: 'canaries', list: [{ line: 1, userName: 'user99', password: 'secret' }] };
    const tryCanaries = () => Promise.reject(new Error('no canary was created'));
    const ramp = { stages: [], tryCanaries };
    for (const more of [{ canaries, ramp }, { mode: 'only unanswered' as const }]) {
      const { summary } = await importFile(silent, { ...job, ...more });
      expect(summary).toMatchObject({ unknown: 1, pending: 199 });
      const cohort = await openCohort(jobDirectory);
      expect(cohort).toMatchObject({ unresolved: 1, pending: 199 });
      cohort.close();
    }
  });
});

test('--only unanswered needs an import that has begun', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'users.csv');
    await writeFile(file, fileOf('ann'));
    const client = recordingClient();
    const options = { file, jobDirectory: join(directory, 'job'), mode: 'only unanswered' as const };
    await expect(importFile(client, options)).rejects.toThrow('there is nothing to retry');
    expect(client.sent).toEqual([]);
  });
});
