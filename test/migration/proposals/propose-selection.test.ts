import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { making } from './making.ts';

test.each([
  ['is_active', ['t', 'f'], { where: { column: 'is_active', in: ['f'], known: ['t'] } }],
  ['disabled', ['0', '1'], { where: { column: 'disabled', in: ['1'], known: ['0'] } }],
  ['deactivated', ['0', '1'], { where: { column: 'deactivated', in: ['1'], known: ['0'] } }],
  // A system may let people log in whom nobody has approved, and who have not confirmed their address.
  ['IsApproved', ['1', '0'], undefined, 'IsApproved may say who is disabled (1: 1, 0: 1; of 2 rows)'],
  // A single letter can mean anything.
  ['status', ['active', 'A'], undefined, 'status may say who is disabled (active: 1, A: 1; of 2 rows)'],
  ['status', ['1', '2'], undefined, 'status may say who is disabled (1: 1, 2: 1; of 2 rows)'],
  ['deleted', ['1  ', '   '], { where: { column: 'deleted', in: ['1'], known: [] } }],
  [
    'status',
    ['active ', 'Left  '],
    undefined,
    'status may say who is disabled (active: 1, Left: 1; of 2 rows)',
  ],
  ['status', ['ok ', 'Locked ', 'Locked'], { where: { column: 'status', in: ['Locked'], known: ['ok'] } }],
  ['deleted', ['1', ''], { where: { column: 'deleted', in: ['1'], known: [] } }],
  [
    'is_active',
    ['1', '', 'NULL'],
    undefined,
    'is_active may say who is disabled (1: 1, no value: 2; of 3 rows)',
  ],
  [
    'is_active',
    ['1', '0', ''],
    undefined,
    'is_active may say who is disabled (1: 1, 0: 1, no value: 1; of 3 rows)',
  ],
  [
    'locked_at',
    ['2020-01-01', ''],
    undefined,
    'locked_at may say who is disabled (a value in 1 of 2 rows, such as 9999-99-99)',
  ],
  ['activated', ['1', '0'], { where: { column: 'activated', in: ['0'], known: ['1'] } }],
  ['account_non_locked', ['1', '0'], { where: { column: 'account_non_locked', in: ['0'], known: ['1'] } }],
  [
    'accountNonExpired',
    ['true', 'false'],
    { where: { column: 'accountNonExpired', in: ['false'], known: ['true'] } },
  ],
  ['member_active', ['1', '0'], undefined, 'member_active may say who is disabled (1: 1, 0: 1; of 2 rows)'],
  ['canlogin', ['1', '0'], { where: { column: 'canlogin', in: ['0'], known: ['1'] } }],
  ['USE_YN', ['Y', 'N'], { where: { column: 'USE_YN', in: ['N'], known: ['Y'] } }],
  ['DEL_YN', ['Y', 'N'], { where: { column: 'DEL_YN', in: ['Y'], known: ['N'] } }],
  ['user_locked', ['Y', 'N'], { where: { column: 'user_locked', in: ['Y'], known: ['N'] } }],
  ['EmailConfirmed', ['1', '0'], undefined, 'EmailConfirmed may say who is disabled (1: 1, 0: 1; of 2 rows)'],
  // Nobody exports a file of people all of whom may not log in.
  ['active', ['0', '0'], undefined, 'active may say who is disabled (0: 2; of 2 rows)'],
  [
    'prohibit_login',
    ['true', 'false'],
    { where: { column: 'prohibit_login', in: ['true'], known: ['false'] } },
  ],
  [
    'Block credential',
    ['True', 'False'],
    { where: { column: 'Block credential', in: ['True'], known: ['False'] } },
  ],
  ['STATUS_CD', ['1', '0'], undefined, 'STATUS_CD may say who is disabled (1: 1, 0: 1; of 2 rows)'],
  [
    'Status [READ ONLY]',
    ['Active', 'Suspended'],
    { where: { column: 'Status [READ ONLY]', in: ['Suspended'], known: ['Active'] } },
  ],
  // A suspension without a day is no time.
  ['suspension', ['no', 'no', 'yes'], { where: { column: 'suspension', in: ['yes'], known: ['no'] } }],
  // In a time, a zero is none.
  [
    'deleteat',
    ['0', '0', '1700000000000'],
    undefined,
    'deleteat may say who is disabled (a value in 1 of 3 rows, such as 9, 9999999999999)',
  ],
  ['deleted_at', ['1970-01-01 00:00:00', '1970-01-01 00:00:00'], undefined],
  ['user_inactive_time', ['0', '0'], { where: { column: 'user_inactive_time', in: [], known: ['0'] } }],
])(
  'with a column %s of %j, the recipe skips the right people, or asks a person',
  async (column, values, skip, open?: string) => {
    const rows = values.map((value, index) => `u${index},${value}`);
    const content = `user_name,${column}\n${rows.join('\n')}\n`;
    const made = await making(content);
    // Whoever may not log in is left out by nobody but a person.
    const isKnown = [skip?.where.in ?? []].flat().length > 0;
    if (isKnown) expect(made.recipe.skip).toBeUndefined();
    const entered = await making(content, isKnown ? { fate: ['skip'] } : {});
    expect(entered.recipe.skip).toEqual(skip);
    expect(entered.open).toEqual(open === undefined ? [] : [expect.stringContaining(open)]);
    expect(made.text).not.toContain('2020');
  },
);

test('a status in an object may be that of something else than the person', async () => {
  const people = [true, false, false].map((enabled, index) => ({
    user_name: `u${index}`,
    active: index > 0,
    profile: { status: index > 0 ? 'active' : 'suspended' },
    mfa: { enabled },
    services: { email2fa: { enabled } },
    subscription: { status: enabled ? 'active' : 'expired' },
    suspension: { active: enabled },
    pages: [{ status: enabled ? 'active' : 'suspended' }],
  }));
  const content = people.map((person) => JSON.stringify(person)).join('\n');
  const { recipe, open } = await making(content, { fate: ['skip'] });
  expect(recipe.skip).toEqual({ where: { column: 'active', in: ['false'], known: ['true'] } });
  expect(open).toEqual(
    [
      'profile.status may say who is disabled (suspended: 1, active: 2; of 3 rows)',
      'subscription.status may say who is disabled (active: 1, expired: 2; of 3 rows)',
      'suspension.active may say who is disabled (true: 1, false: 2; of 3 rows)',
      'pages.0.status may say who is disabled (active: 1, suspended: 2; of 3 rows)',
    ].map((text) => expect.stringContaining(text)),
  );
});

test.each([
  [
    { user: { login: 'u', active: true, locked: false, profile: { active: false } } },
    ['user.active', 'user.locked'],
  ],
  [{ login: 'u', profile: { active: true }, data: { active: false } }, []],
])('a status in the object with the user name is that of the person: %j', async (person, columns) => {
  const people = [person, JSON.parse(JSON.stringify(person, (_, value) => opposite(value)))];
  const lines = people.map((person) => JSON.stringify(person));
  const { recipe } = await making(lines.join('\n'), { fate: ['skip'] });
  expect([recipe.skip?.where ?? []].flat().map(({ column }) => column)).toEqual(columns);
});

const opposite = (value: unknown) =>
  typeof value === 'boolean' ? !value : value === 'Active' ? 'Suspended' : value;

test('people without a value in a status column can be left out', async () => {
  const content = 'user_name,is_active,enabled\nann,1,yes\nbob,,no\ncid,NULL,\n';
  const answers = { 'status is_active': [''], 'status enabled': ['no', ''], fate: ['disable'] };
  const { recipe, open } = await making(content, answers);
  expect(open).toEqual([]);
  expect(recipe.disable).toEqual({
    where: [
      { column: 'is_active', in: [], known: ['1'] },
      { column: 'is_active', filled: false },
      { column: 'enabled', in: ['no'], known: ['yes'] },
      { column: 'enabled', filled: false },
    ],
  });
});

test('a status that appears only in a later export enables nobody', async () => {
  const { md5 } = goodHashes;
  const header = 'user_name,status,is_active,hash\n';
  const early = `${header}ann,active,1,${md5}\nbob,suspended,1,${md5}\ncyd,active,,${md5}\n`;
  const made = await making(early, { 'status is_active': [''], fate: ['skip'] });
  const words = ['active', 'suspended', 'Suspended', 'banned', ''];
  const rows = words.map((word, index) => `u${index},${word},1,${md5}`);
  const late = [header.trim(), ...rows, `no,active,0,${md5}`, `none,active,,${md5}`].join('\n');
  const recipe = { name: 'made', recipe: made.recipe };
  const { sent, failures, summary } = await runImport(late, { recipe, concurrency: 1 });
  expect(sent.map((user) => user.user_name)).toEqual(['u0', 'u4']);
  expect(failures.map(({ user_name, code }) => [user_name, code])).toEqual(
    ['u2', 'u3', 'no'].map((name) => [name, 'VALUE_UNKNOWN']),
  );
  expect(summary.skipped).toBe(2);
});

test('of a status with words that are not all known, Enter alone selects none', async () => {
  const states = ['valid', 'email_confirm', 'moderated', 'disabled', 'rejected'];
  const file = ['username,user_state', ...states.map((state, at) => `u${at},${state}`)].join('\n');
  const answers = { 'status user_state': ['moderated'], fate: ['skip'] };
  expect((await making(file, answers)).recipe.skip).toMatchObject({ where: { in: ['moderated'] } });
  const none = await making(file, { 'status user_state': [] });
  expect(none.recipe).not.toHaveProperty('skip');
  const unasked = await making(file);
  expect(unasked.recipe).not.toHaveProperty('skip');
  expect(unasked.open).toEqual([expect.stringContaining('in: [disabled, rejected], known: [valid] }')]);
  expect((await making(file, { fate: ['skip'] })).open).toEqual(unasked.open);
  expect(none.open, 'Enter may have been pressed by habit').toEqual(unasked.open);
});
