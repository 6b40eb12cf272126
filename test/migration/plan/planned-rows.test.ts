import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFingerprints } from '../../../src/migration/actions/fingerprints.ts';
import { applyPlan } from '../../../src/migration/apply-plan.ts';
import { makePlan } from '../../../src/migration/make-plan.ts';
import { requireSameRows } from '../../../src/migration/plan/planned-rows.ts';
import type { StageResult } from '../../../src/migration/send/ramp.ts';
import { inDirectory } from '../run-import.ts';
import { countingTenant, facts } from './counting-tenant.ts';

test('a plan is applied with the rows as they were read when it was made, even days later', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const file = join(directory, 'users.csv');
    await writeFile(file, 'login,locked,banned\nann,,\nbob,2001-02-03,\ncid,,2001-02-03\ndan,,\n');
    const recipe = {
      name: 'test',
      recipe: {
        fields: { user_name: { column: 'login' } },
        disable: { where: { column: 'locked', not_past: true } },
        skip: { where: { column: 'banned', not_past: true } },
      },
    } as const;
    const to = join(directory, 'plan');
    const now = () => Date.UTC(2001, 0, 1);
    const reading = { recipe, allowPasswordless: true };
    const { plan } = await makePlan(tenant, { ...facts, now, file, directory: to, reading });
    expect(plan.totals).toMatchObject({ create: 3, skipped: 1 });
    const { summary } = await applyPlan(tenant, { ...facts, jobDirectory: to });
    expect(summary).toMatchObject({ created: 3, skipped: 1, pending: 0 });
    expect(await tenant.client.getUserByUserName('bob')).toMatchObject({ disabled: true });
  });
});

test('the comparison of the rows of a plan ends when it is interrupted', async () => {
  const stop = new AbortController();
  let lists = 0;
  async function* rows() {
    for (; lists < 3; lists += 1) {
      if (lists === 1) stop.abort(new Error('interrupted'));
      yield [];
    }
  }
  async function* noLines() {}
  const options = { signal: stop.signal, total: 2 };
  const compared = requireSameRows(rows(), noLines(), createFingerprints('key'), options);
  await expect(compared).rejects.toThrow('interrupted');
  expect(lists).toBe(1);
});

test('the comparison of the rows of a plan reports its progress before a person is asked', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const file = join(directory, 'users.csv');
    await writeFile(file, `user_name\n${Array.from({ length: 600 }, (_, row) => `user${row}\n`).join('')}`);
    const to = join(directory, 'plan');
    await makePlan(tenant, { ...facts, file, directory: to, reading: { allowPasswordless: true } });
    const steps: string[] = [];
    await applyPlan(tenant, {
      ...facts,
      jobDirectory: to,
      onStep: ({ done, total }) => steps.push(`${done} of ${total}`),
      onPlan: () => void steps.push('asked'),
    });
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.slice(-2)).toEqual(['600 of 600', 'asked']);
  });
});

test('a stage of a ramp is a fraction of the rows that change a user', async () => {
  await inDirectory(async (directory) => {
    const { tenant } = await countingTenant();
    const header = 'user_name,name\n';
    const lines = Array.from({ length: 40 }, (_, at) => `user${at},Old\n`);
    for (let at = 0; at < 40; at += 1)
      await tenant.client.createUser({ user_name: `user${at}`, name: 'Old' });
    const file = join(directory, 'users.csv');
    await writeFile(file, header + lines.join('').replaceAll(/(user.5),Old/g, '$1,New'));
    const to = join(directory, 'plan');
    const how = { by: 'user_name', update: 'all', reading: { allowPasswordless: true } } as const;
    const { plan } = await makePlan(tenant, { ...facts, ...how, file, directory: to });
    expect(plan.totals).toMatchObject({ update: 3, same: 37 });
    const stages: string[] = [];
    const ramp = {
      stages: [{ name: '40%', most: { fraction: 0.4 } }],
      onStage: ({ name, rows }: StageResult) => stages.push(`${name}: ${rows}`),
    };
    expect((await applyPlan(tenant, { ...facts, jobDirectory: to, ramp })).summary.updated).toBe(3);
    expect(stages).toEqual(['40%: 2']);
  });
});
