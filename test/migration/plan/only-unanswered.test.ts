import { cpSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyPlan } from '../../../src/migration/apply-plan.ts';
import { openCohort } from '../../../src/migration/cohort/open-cohort.ts';
import { makePlan } from '../../../src/migration/make-plan.ts';
import { adviseNext } from '../../../src/migration/report/texts/advice.ts';
import { fastClock } from '../../clocks.ts';
import { goodHashes } from '../hashes.ts';
import { recipeOf } from '../recipes/recipe-of.ts';
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
      const asked = await applyPlan(tenant, { ...options, jobDirectory: left, mode: 'only unanswered' });
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

test.each([
  ['before a create is sent', false, { created: 2, pending: 1 }],
  ['before a new user is disabled', true, { created: 2, pending: 0, failed: 1, stayed_enabled: 1 }],
])(
  '--only unanswered neither creates nor disables anybody if a plan was killed %s',
  async (_, isSent, found) => {
    await inDirectory(async (directory) => {
      const { tenant, calls } = await countingTenant();
      const [file, to, left] = ['users.csv', 'plan', 'left'].map((name) => join(directory, name)) as [
        string,
        string,
        string,
      ];
      const recipe = await recipeOf(`
fields: { user_name: { column: id } }
password: { column: hash, algorithm: { value: md5 } }
disable: { where: { column: status, in: [L] } }
`);
      const hash = goodHashes.md5;
      await writeFile(file, `id,status,hash\nann,A,${hash}\ncid,A,${hash}\nbob,L,${hash}\n`);
      await makePlan(tenant, { ...facts, file, reading: { recipe }, by: 'user_name', directory: to });
      const { importHashedUser: send, disableUser } = tenant;
      const stop = new AbortController();
      tenant.importHashedUser = async (user) => {
        if (user.user_name !== 'bob') return send(user);
        const answer = isSent ? await send(user) : undefined;
        // What a kill at this moment leaves.
        cpSync(to, left, { recursive: true });
        stop.abort();
        return answer ?? Promise.reject(new Error('killed'));
      };
      tenant.disableUser = () => Promise.reject(new Error('killed'));
      const options = { ...facts, concurrency: 1, clock: fastClock(1000) };
      await applyPlan(tenant, { ...options, jobDirectory: to, signal: stop.signal });
      Object.assign(tenant, { importHashedUser: send, disableUser });
      const sent = tenant.sent.length;
      const { summary } = await applyPlan(tenant, {
        ...options,
        jobDirectory: left,
        mode: 'only unanswered',
      });
      expect(summary).toMatchObject(found);
      if (isSent) {
        // No later run of the plan disables him.
        const failures = readFileSync(join(left, 'failures.csv'), 'utf8');
        expect(failures).toMatch(/,NOT_DISABLED,.*,Disable the user: tenant-users disable \S+\n/);
        expect(adviseNext(summary, undefined).map(({ text }) => text)).toEqual([
          '1 user is still enabled, although the file says otherwise: disable this user with the command in failures.csv.',
        ]);
      }
      expect([tenant.sent.length, calls]).toEqual([sent, []]);
    });
  },
);
