import { expect, test } from 'vitest';
import { remainingLimit } from '../../../../src/migration/plan/foreseen-failures.ts';
import type { Plan } from '../../../../src/migration/plan/plan-schemas.ts';
import { bulk, usersOf, worldOf } from './bulk-world.ts';

const ghosts = Array.from({ length: 9 }, (_, at) => `ghost${at}`);

test.each([
  ['0', 8],
  ['8', 8],
  ['89%', 8],
  ['9', 7],
  ['90%', 7],
  ['100%', 7],
])(
  'a file of wrong identifiers disables nobody if more rows fail than --max-failures %s',
  async (most, exitCode) => {
    const { world, file } = await worldOf(2, ['user_name', 'u1', ...ghosts]);
    const result = await bulk(world, 'disable', file, '--max-failures', most, '--json');
    expect(result.exitCode).toBe(exitCode);
    const disabled = (await usersOf(world)).filter((user) => user.disabled).map((user) => user.user_name);
    expect(disabled).toEqual(exitCode === 7 ? ['u1'] : []);
    if (exitCode === 7) return;
    const { error } = JSON.parse(result.stdout || result.stderr);
    expect(error).toMatchObject({
      code: 'MAX_FAILURES',
      message: `the plan cannot carry out 9 of 10 rows, which is more than --max-failures ${most} allows`,
      hint: expect.stringMatching(/^Nothing was sent\. .*: tenant-users plan show \S+\.disable$/),
    });
  },
);

test('rows that fail by the plan leave less for those that fail when they are sent', () => {
  const totals = {
    create: 3,
    same: 0,
    update: 0,
    disable: 0,
    conflict: 1,
    cannot: 1,
    invalid: 0,
    skipped: 0,
  };
  const plan = { totals, file: { rows: 5 } } as Plan;
  expect(remainingLimit('p', plan, { rows: 5 })).toEqual({ rows: 3 });
  expect(remainingLimit('p', plan, { fraction: 0.5 })).toEqual({ fraction: 0.5 });
  expect(remainingLimit('p', plan, undefined)).toBeUndefined();
  // An undo leaves people out on purpose.
  expect(remainingLimit('p', { ...plan, undoes: {} as NonNullable<Plan['undoes']> }, { rows: 0 })).toEqual({
    rows: 0,
  });
});
