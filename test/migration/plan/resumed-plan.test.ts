import { cpSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { ApiError } from '../../../src/client/errors.ts';
import { applyPlan } from '../../../src/migration/apply-plan.ts';
import { readJobStatus } from '../../../src/migration/records/job-status.ts';
import { fastClock } from '../../clocks.ts';
import { inDirectory } from '../run-import.ts';
import { countingTenant, facts, planFor } from './counting-tenant.ts';

test.each([403, 500])(
  'a user who cannot be read (%i) is reported, and the plan can be resumed',
  async (status) => {
    await inDirectory(async (directory) => {
      const { tenant, calls } = await countingTenant();
      const to = await planFor(tenant, directory, 4);
      const { getUser } = tenant;
      tenant.getUser = () => Promise.reject(new ApiError('GATEWAY.7', 'not for you', status));
      const options = { ...facts, jobDirectory: to, concurrency: 1, clock: fastClock(50) };
      const { summary: first } = await applyPlan(tenant, { ...options, maxFailures: { rows: 3 } });
      expect(first).toMatchObject({ updated: 0, disabled: 0, pending: 0, codes: { NOT_REACHED: 4 } });
      expect(await readFile(join(to, 'failures.csv'), 'utf8')).toContain('not for you (GATEWAY.7)');
      // The last row stopped it, and no row was sent.
      expect((await readJobStatus(to, Date.now)).status.state).toBe('stopped');
      tenant.getUser = getUser;
      const { summary } = await applyPlan(tenant, options);
      expect(summary).toMatchObject({ created: 2, updated: 2, disabled: 2, failed: 0, pending: 0 });
      expect(new Set(calls).size).toBe(calls.length);
    });
  },
);

test('a change that somebody else made before a resumed run is found by look-up, and not one that the plan sent', async () => {
  await inDirectory(async (directory) => {
    const { tenant, calls } = await countingTenant();
    const to = await planFor(tenant, directory, 6);
    const left = join(directory, 'left');
    const { updateUser } = tenant;
    const stop = new AbortController();
    tenant.updateUser = async (id, changes) => {
      // What a kill would leave while the first change is being sent.
      cpSync(to, left, { recursive: true });
      stop.abort();
      return updateUser(id, changes);
    };
    await applyPlan(tenant, { ...facts, jobDirectory: to, concurrency: 1, signal: stop.signal });
    tenant.updateUser = updateUser;
    const { user_id: other } = await tenant.client.getUserByUserName('user5');
    await tenant.client.disableUser(other);
    const before = [...calls];
    const { summary } = await applyPlan(tenant, { ...facts, jobDirectory: left });
    expect(summary).toMatchObject({ updated: 3, disabled: 3, conflict: 0, found_by_look_up: 0 });
    const users: Record<string, string>[] = parse(await readFile(join(left, 'users.csv'), 'utf8'), {
      columns: true,
    });
    const changed = users.filter(({ result }) => result === 'updated' || result === 'disabled');
    const found = changed.filter(({ found_by_look_up: isFound }) => isFound === 'true');
    const sent = changed.filter((user) => !found.includes(user)).map(({ user_id: id }) => id);
    expect(found.map(({ user_id: id }) => id)).toEqual([before[0]?.replace('update ', ''), other]);
    expect(
      calls
        .slice(before.length)
        .map((call) => call.split(' ')[1])
        .sort(),
    ).toEqual(sent.sort());
  });
});

test('a user who registers after a kill, before their row is sent, is drift and not created by the plan', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const to = await planFor(tenant, directory, 6);
    const left = join(directory, 'left');
    const { importHashedUser: send } = tenant;
    const stop = new AbortController();
    tenant.importHashedUser = async (user) => {
      // What a kill would leave while the first row is being sent.
      cpSync(to, left, { recursive: true });
      const answer = await send(user);
      stop.abort();
      return answer;
    };
    await applyPlan(tenant, { ...facts, jobDirectory: to, concurrency: 1, signal: stop.signal });
    expect(tenant.sent.length).toBe(1);
    tenant.importHashedUser = send;
    const { user_id: stranger } = await tenant.client.createUser({ user_name: 'new5', name: 'New 5' });
    const again = { ...facts, jobDirectory: left, acceptedDrift: 1 };
    const { summary } = await applyPlan(tenant, again);
    expect(summary).toMatchObject({ created: 2, conflict: 1, codes: { DRIFT: 1 } });
    expect((await tenant.client.getUser(stranger)).disabled).toBe(false);
  });
});
