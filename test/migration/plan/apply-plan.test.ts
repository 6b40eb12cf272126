import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '../../../src/client/errors.ts';
import { reasons } from '../../../src/migration/actions/reasons.ts';
import { applyPlan } from '../../../src/migration/apply-plan.ts';
import { openCohort } from '../../../src/migration/cohort/open-cohort.ts';
import { makePlan } from '../../../src/migration/make-plan.ts';
import { fastClock } from '../../clocks.ts';
import { inDirectory } from '../run-import.ts';
import { countingTenant, facts, planFor } from './counting-tenant.ts';

test('a run that was stopped continues, and does each action once', async () => {
  await inDirectory(async (directory) => {
    const { tenant, calls } = await countingTenant();
    const to = await planFor(tenant, directory, 40);
    let runs = 0;
    for (let pending = 1; pending > 0 && runs < 30; runs += 1) {
      const stop = new AbortController();
      const { summary } = await applyPlan(tenant, {
        ...facts,
        jobDirectory: to,
        concurrency: 2,
        signal: stop.signal,
        onProgress: ({ done }) => done >= (runs + 1) * 8 && stop.abort(new Error('enough')),
      });
      pending = summary.pending;
      expect(summary.rows).toBe(60);
    }
    expect(runs).toBeGreaterThan(3);
    expect([calls.length, new Set(calls).size, tenant.sent.length]).toEqual([40, 40, 20]);
    const again = applyPlan(tenant, { ...facts, jobDirectory: to });
    await expect(again).rejects.toMatchObject({ code: 'PLAN_APPLIED' });
  });
});

test('after a change whose answer is lost the user is looked up, and the change is not sent again if it arrived', async () => {
  await inDirectory(async (directory) => {
    const { tenant, calls } = await countingTenant();
    const to = await planFor(tenant, directory, 8);
    const lost = new Set<string>();
    const { updateUser, disableUser } = tenant;
    const lose = async <Answer>(id: string, call: () => Promise<Answer>, isBefore: boolean) => {
      const isFirst = !lost.has(id);
      lost.add(id);
      // The client reports this for every change that may be repeated.
      const gone = new NetworkError('interrupted', 'cut off', { effect: 'none' });
      if (isFirst && isBefore) throw gone;
      const answer = await call();
      if (isFirst) throw gone;
      return answer;
    };
    tenant.updateUser = (id, changes) => lose(id, () => updateUser(id, changes), lost.size % 2 === 0);
    tenant.disableUser = (id) => lose(id, () => disableUser(id), false);
    const { summary } = await applyPlan(tenant, { ...facts, jobDirectory: to, concurrency: 1 });
    expect(summary).toMatchObject({ created: 4, updated: 4, disabled: 4, conflict: 0, pending: 0 });
    expect([calls.length, new Set(calls).size]).toEqual([8, 8]);
  });
});

test('a change that was carried out before the service became unavailable is not drift in the next run', async () => {
  await inDirectory(async (directory) => {
    const { tenant, calls } = await countingTenant();
    const to = await planFor(tenant, directory, 4);
    const { updateUser, disableUser, getUser, importHashedUser } = tenant;
    const down = new NetworkError('unavailable', 'down', { effect: 'none', status: 502 });
    let isDown = false;
    const ifUp = <Input extends unknown[], Answer>(call: (...input: Input) => Promise<Answer>) => {
      return (...input: Input) => (isDown ? Promise.reject(down) : call(...input));
    };
    const andGoDown = <Input extends unknown[], Answer>(call: (...input: Input) => Promise<Answer>) => {
      return ifUp(async (...input: Input) => {
        await call(...input);
        isDown = true;
        throw down;
      });
    };
    tenant.getUser = ifUp(getUser);
    tenant.importHashedUser = ifUp(importHashedUser);
    tenant.updateUser = andGoDown(updateUser);
    tenant.disableUser = andGoDown(disableUser);
    for (let run = 1; run <= 5; run += 1) {
      isDown = false;
      const options = { ...facts, jobDirectory: to, concurrency: 1, clock: fastClock(50) };
      const { summary, stoppedBy } = await applyPlan(tenant, options);
      expect(summary.conflict + summary.failed).toBe(0);
      if (run < 5) expect(stoppedBy).toMatchObject({ code: 'HOST_GONE' });
      else expect(summary).toMatchObject({ created: 2, updated: 2, disabled: 2, pending: 0, unknown: 0 });
    }
    expect([calls.length, new Set(calls).size]).toEqual([4, 4]);
  });
});

test('actions that did not reach the service stay to be done, and the plan can be resumed', async () => {
  await inDirectory(async (directory) => {
    const { tenant, calls } = await countingTenant();
    const to = await planFor(tenant, directory, 4);
    const { updateUser } = tenant;
    tenant.updateUser = () =>
      Promise.reject(new NetworkError('notTheApi', 'a page', { effect: 'none', status: 404 }));
    const options = { ...facts, jobDirectory: to, concurrency: 1, clock: fastClock(50) };
    expect((await applyPlan(tenant, options)).summary).toMatchObject({ updated: 0, failed: 2, pending: 0 });
    tenant.updateUser = updateUser;
    const { summary } = await applyPlan(tenant, options);
    expect(summary).toMatchObject({ created: 2, updated: 2, disabled: 2, failed: 0, pending: 0 });
    expect(new Set(calls).size).toBe(calls.length);
    await expect(applyPlan(tenant, options)).rejects.toThrow(/this plan was applied at/);
  });
});

test('after an answer with status 202 the user is looked up', async () => {
  await inDirectory(async (directory) => {
    const { tenant, calls } = await countingTenant();
    const to = await planFor(tenant, directory, 8);
    const { disableUser } = tenant;
    tenant.disableUser = async (id) => {
      await disableUser(id);
      throw new NetworkError('notTheApi', 'accepted', { effect: 'none', status: 202 });
    };
    const { summary } = await applyPlan(tenant, { ...facts, jobDirectory: to, concurrency: 1 });
    expect(summary).toMatchObject({ created: 4, updated: 4, disabled: 4, failed: 0 });
    expect(new Set(calls).size).toBe(calls.length);
  });
});

test('the user of the very first create, whose answer is lost, is not drift', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const to = await planFor(tenant, directory, 4);
    const { importHashedUser: send } = tenant;
    tenant.importHashedUser = async (user) => {
      const answer = await send(user);
      if (tenant.sent.length === 1) throw new NetworkError('interrupted', 'cut off', { effect: 'unknown' });
      return answer;
    };
    const { summary } = await applyPlan(tenant, { ...facts, jobDirectory: to, concurrency: 1 });
    expect(summary).toMatchObject({ created: 2, found_by_look_up: 1, conflict: 0, pending: 0 });
    expect(tenant.sent.length).toBe(2);
  });
});

test('a tenant that could not be listed completely gives no plan', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const { listUsers } = tenant;
    tenant.listUsers = async (query) => {
      const page = await listUsers(query);
      return query.limit === 100 ? { ...page, total: Number(page.total) + 1 } : page;
    };
    await expect(planFor(tenant, directory, 3)).rejects.toMatchObject({ code: 'INCOMPLETE' });
  });
});

test('rows that a recipe skips or disables become: nothing, create and disable, or disable an existing user', async () => {
  await inDirectory(async (directory) => {
    const { tenant, calls } = await countingTenant();
    const { user_id: ann } = await tenant.client.createUser({ user_name: 'ann' });
    const file = join(directory, 'users.csv');
    await writeFile(file, 'login,status\nann,off\nbob,off\ncid,on\ndan,gone\n');
    const recipe = {
      name: 'test',
      recipe: {
        fields: { user_name: { column: 'login' } },
        disable: { where: { column: 'status', in: ['off'] } },
        skip: { where: { column: 'status', in: ['gone'] } },
      },
    };
    const to = join(directory, 'plan');
    const limits = [{ kind: 'disable', most: { rows: 1 } }] as const;
    const reading = { recipe, allowPasswordless: true };
    const { plan } = await makePlan(tenant, { ...facts, file, directory: to, limits, reading });
    expect(plan.totals).toMatchObject({ create: 2, disable: 1, skipped: 1, invalid: 0 });
    const { summary } = await applyPlan(tenant, { ...facts, jobDirectory: to });
    expect(summary).toMatchObject({ created: 2, disabled: 1, skipped: 1, failed: 0, pending: 0 });
    expect(await tenant.client.getUser(ann)).toMatchObject({ disabled: true });
    expect(await tenant.client.getUserByUserName('bob')).toMatchObject({ disabled: true });
    expect(await tenant.client.getUserByUserName('cid')).toMatchObject({ disabled: false });
    expect(calls.length).toBe(2);
  });
});

test('rows without an action are in failures.csv, each with its remedy', async () => {
  await inDirectory(async (directory) => {
    const { tenant, calls } = await countingTenant();
    const { user_id: ann } = await tenant.client.createUser({ user_name: 'ann' });
    await tenant.client.disableUser(ann);
    await tenant.client.createUser({ user_name: 'bob', name: 'Bob' });
    const file = join(directory, 'users.csv');
    await writeFile(file, 'user_name,name\nann,\nbob,Robert\n');
    const to = join(directory, 'plan');
    await makePlan(tenant, { ...facts, file, directory: to, reading: { allowPasswordless: true } });
    const { summary } = await applyPlan(tenant, { ...facts, jobDirectory: to });
    expect(summary).toMatchObject({ failed: 1, conflict: 1, codes: { ENABLE: 1, OTHER_PERSON: 1 } });
    const failures = await readFile(join(to, 'failures.csv'), 'utf8');
    for (const code of ['ENABLE', 'OTHER_PERSON'] as const) {
      expect(failures).toContain(`,${code},`);
      expect(failures).toContain(reasons[code].remedy);
    }
    expect(failures).toMatch(
      new RegExp(`\n1,2,ann,,ENABLE,.*,${ann},user_name=ann\n2,3,bob,,OTHER_PERSON,.*,,user_name=bob\n$`),
    );
    // A user whom the plan only names is not one whom it created.
    await expect(openCohort(to)).resolves.toMatchObject({ size: 0 });
    expect(calls).toEqual([]);
  });
});

test('a create that the API refuses counts for the algorithm of its hash, and an update that it refuses does not', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const to = await planFor(tenant, directory, 4);
    const refuse = async () => {
      throw new ApiError('SVC.TENANT.USER.0099', 'refused', 400);
    };
    const { importHashedUser: send } = tenant;
    const client = {
      ...tenant,
      importHashedUser: (user: Parameters<typeof send>[0]) =>
        user.user_name === 'new1' ? refuse() : send(user),
      updateUser: refuse,
    };
    const { summary } = await applyPlan(client, { ...facts, jobDirectory: to });
    expect(summary).toMatchObject({ created: 1, failed: 3, disabled: 2 });
    expect(summary.by_algorithm).toEqual({ md5: { created: 1, failed: 1, canaries: 0 } });
  });
});
