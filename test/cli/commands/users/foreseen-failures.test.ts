import { expect, test } from 'vitest';
import type { Plan } from '../../../../src/migration/plan/document/plan-schemas.ts';
import { remainingLimit } from '../../../../src/migration/plan/foreseen-failures.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { bulk, usersOf, worldOf } from './bulk-world.ts';

const ghosts = Array.from({ length: 9 }, (_, at) => `ghost${at}`);

test.each([
  ['0', 8],
  ['8', 8],
  ['9', 7],
  // A percentage is judged from 100 rows on.
  ['5%', 7],
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
    });
    const [, command = ''] = /^Nothing was sent\. .*:\n {2}tenant-users (.*)$/.exec(error.hint) ?? [];
    const { stdout } = await world.run(...command.split(' '), '-o', 'csv', '--columns', 'reason');
    expect(stdout.trim().split('\n')).toEqual(['reason', ...ghosts.map(() => 'UNKNOWN_USER')]);
  },
);

test('a run that goes on is not refused for what its plan could not carry out', async () => {
  const { world, file } = await worldOf(2, ['user_name', 'u1', 'u2', ...ghosts]);
  expect(await bulk(world, 'disable', file)).toMatchObject({ exitCode: 7 });
  await forgetOutcomes(`${file}.disable`, 10);
  const { exitCode, stdout } = await bulk(world, 'disable', file, '--max-failures', '0', '--json');
  expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({ exitCode: 7, failed: 9, resumed: true });
});

test('the run says which limit was given, and what the plan took of it', async () => {
  const { world, file } = await worldOf(3, [
    'user_name,mobile',
    ...[1, 2, 3].map((at) => `u${at},+999-123456${at}`),
    'z1,',
    'z2,',
  ]);
  const { exitCode, stderr } = await bulk(world, 'update', file, '--key', 'user_name', '--max-failures', '3');
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 8,
    stderr: expect.stringContaining(
      '2 of 2 rows of this run failed, which is more than --max-failures 3 allows besides 2 that the plan cannot carry out\n',
    ),
  });
});

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
  expect(remainingLimit('p', plan, { rows: 5 })).toEqual({ rows: 5, foreseen: 2 });
  const many = { ...plan, totals: { ...totals, conflict: 51 }, file: { rows: 1000 } } as Plan;
  expect(remainingLimit('p', many, { fraction: 0.052 })).toEqual({ fraction: 0.052 });
  expect(() => remainingLimit('p', many, { fraction: 0.051 })).toThrow('cannot carry out 52 of 1,000 rows');
  expect(remainingLimit('p', plan, { fraction: 0.5 })).toEqual({ fraction: 0.5 });
  expect(remainingLimit('p', plan, undefined)).toBeUndefined();
  // An undo leaves people out on purpose.
  expect(remainingLimit('p', { ...plan, undoes: {} as NonNullable<Plan['undoes']> }, { rows: 0 })).toEqual({
    rows: 0,
  });
});
