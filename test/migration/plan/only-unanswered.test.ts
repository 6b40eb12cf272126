import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyPlan } from '../../../src/migration/apply-plan.ts';
import { openCohort } from '../../../src/migration/cohort/open-cohort.ts';
import { fastClock } from '../../clocks.ts';
import { inDirectory } from '../run-import.ts';
import { countingTenant, facts, planFor } from './counting-tenant.ts';

test.each(['create', 'update', 'disable'] as const)(
  '--only unanswered finds what a plan that was killed at a %s has done, and leaves the rest to the plan',
  async (kind) => {
    await inDirectory(async (directory) => {
      const { tenant, calls } = await countingTenant();
      const to = await planFor(tenant, directory, 8);
      const left = join(directory, 'left');
      const { importHashedUser: send, updateUser, disableUser } = tenant;
      const stop = new AbortController();
      let made = 0;
      /** Makes a call; of the second one of the kind, keeps what a kill before its answer leaves. */
      const call = async <Answer>(of: string, make: () => Promise<Answer>): Promise<Answer> => {
        const answer = await make();
        if (of === kind) made += 1;
        if (made === 2 && !stop.signal.aborted) {
          cpSync(to, left, { recursive: true });
          stop.abort();
        }
        return answer;
      };
      tenant.importHashedUser = (user) => call('create', () => send(user));
      tenant.updateUser = (id, changes) => call('update', () => updateUser(id, changes));
      tenant.disableUser = (id) => call('disable', () => disableUser(id));
      const options = { ...facts, concurrency: 1, clock: fastClock(1000) };
      await applyPlan(tenant, { ...options, jobDirectory: to, signal: stop.signal });
      const sent = tenant.sent.length + calls.length;
      const unresolved = async () => {
        const cohort = await openCohort(left);
        cohort.close();
        return cohort.unresolved;
      };
      expect(await unresolved()).toBeGreaterThan(0);
      const asked = await applyPlan(tenant, { ...options, jobDirectory: left, onlyUnanswered: true });
      expect(asked.stoppedBy).toBeUndefined();
      expect(asked.summary).toMatchObject({ [`${kind}d`]: 2, conflict: 0, failed: 0, unknown: 0 });
      expect(await unresolved()).toBe(0);
      expect(tenant.sent.length + calls.length).toBe(sent);
      const { summary } = await applyPlan(tenant, { ...options, jobDirectory: left });
      expect(summary).toMatchObject({ created: 4, updated: 4, disabled: 4, conflict: 0, pending: 0 });
      expect([tenant.sent.length, new Set(calls).size, calls.length]).toEqual([4, 8, 8]);
    });
  },
);
