import { expect, test } from 'vitest';
import { making } from './making.ts';

const states = {
  in: ['active', 'enabled', 'activated'],
  out: ['disabled', 'inactive', 'locked', 'blocked', 'suspended', 'banned', 'deleted', 'forbidden'],
} as const;
const ofAccount = ['', 'is_', 'user_', 'account_'];
const ofOthers = ['member_', 'membership_', 'employee_', 'staff_', 'customer_', 'client_'];
const named = (before: readonly string[], words: readonly string[], after: readonly string[] = ['']) =>
  before.flatMap((start) => words.flatMap((word) => after.map((end) => `${start}${word}${end}`)));

/** Names of columns of flags: of people who may log in, of those who may not, and such that only a person knows. */
const flags = {
  in: [
    ...named(ofAccount, states.in),
    ...['use_yn', 'ACTIVE_FLAG', 'canLogin', 'login_allowed', 'account_non_locked'],
  ],
  out: [
    ...named(ofAccount, states.out),
    ...['del_flag', 'is_del', 'loginDisabled', 'no_login', 'prohibit_login', 'LOCK_YN'],
  ],
  ask: [
    ...named(ofOthers, [...states.in, ...states.out]),
    ...named(['', 'user_', 'account_'], ['status', 'status_flag', 'status_flg', 'status_cd']),
    ...['user_state', 'account_state'],
    ...['confirmed', 'EmailConfirmed', 'approved', 'is_approved', 'valid', 'is_valid', 'lockout', 'is_spam'],
    ...['resigned', 'terminated', 'archived', 'expired', 'cancelled', 'closed', 'dormant', 'deceased'],
  ],
  /** Of which not even that is known. */
  unknown: [
    ...named([...states.in, ...states.out], ['_status', '_reason']),
    ...['LockoutEnabled', 'account_lock_enabled', 'retired', 'verified', 'employed', 'membership'],
    ...['aktiv', 'gesperrt', 'actif', 'bloqueado', '启用', '用户状态', 'employment_status'],
  ],
};
/** Most columns of one file: each answer proposes the whole recipe again, with the questions of all columns. */
const mostColumns = 20;

/** What the first recipes skip and leave open for files in which each column has the first value twice and the second one once. */
async function ofColumns(names: readonly string[], many: string, one: string, answers = {}) {
  const files = Array.from({ length: Math.ceil(names.length / mostColumns) }, (_, at) =>
    names.slice(at * mostColumns, (at + 1) * mostColumns),
  );
  const made: Made[] = [];
  for (const columns of files) {
    const rows = [many, many, one].map((value, at) => [`u${at}`, ...columns.map(() => value)]);
    made.push(await making([['user_name', ...columns], ...rows].join('\n'), answers));
  }
  return {
    skipped: made.flatMap(skipped),
    asked: made.flatMap(asked),
    open: made.flatMap(({ open }) => open),
  };
}
/** What Enter alone answers. */
const enter = { fate: ['skip'] };

type Made = Awaited<ReturnType<typeof making>>;
const skipped = ({ recipe }: Made) => [recipe.skip?.where ?? []].flat();
const asked = ({ open }: Made) => open.map((text) => text.split(' may say who is disabled')[0]);

test.each([
  ['1', '0'],
  ['true', 'false'],
  ['Y', 'N'],
  ['是', '否'],
])('by flags of %s and %s nobody is left out or enabled by a guess', async (yes, no) => {
  for (const [many, one] of [
    [yes, no],
    [no, yes],
  ] as const) {
    const open = await ofColumns([...flags.in, ...flags.out], many, one);
    expect(open.asked).toHaveLength(flags.in.length + flags.out.length);
    const known = await ofColumns([...flags.in, ...flags.out], many, one, enter);
    const condition = (value: string, other: string) => (column: string) => ({
      column,
      in: [value],
      known: [other],
    });
    expect(known.skipped).toEqual([
      ...flags.in.map(condition(no, yes)),
      ...flags.out.map(condition(yes, no)),
    ]);
    expect(known.open).toEqual([]);
    const unknown = await ofColumns(flags.ask, many, one);
    expect([unknown.skipped, unknown.asked]).toEqual([[], flags.ask]);
    const others = await ofColumns(flags.unknown, many, one);
    expect([others.skipped, others.asked]).toEqual([
      [],
      [expect.stringMatching(/, deleted_reason$/), expect.stringMatching(/, 用户状态, employment_status$/)],
    ]);
  }
});

test.each([
  ['active', 'inactive'],
  ['enabled', 'disabled'],
  ['ok', 'locked'],
])('by the words %s and %s people are left out only where the name agrees', async (good, bad) => {
  const plain = ['status', 'user_status', 'account_state', ...flags.in];
  for (const [many, one] of [
    [good, bad],
    [bad, good],
  ] as const) {
    const known = await ofColumns(plain, many, one, enter);
    expect([known.skipped, known.open]).toEqual([
      plain.map((column) => ({ column, in: [bad], known: [good] })),
      [],
    ]);
    // Where a lock is enabled or active, the person is not.
    const names = [...flags.out, 'lockout', 'confirmed'];
    const unknown = await ofColumns(names, many, one);
    expect([unknown.skipped, unknown.asked]).toEqual([[], names]);
  }
});

test.each([
  ...[
    ['status', 'active', 'retired'],
    ['status', 'active', 'expired'],
    ['status', 'aktiv', 'gesperrt'],
    ['status', 'A', 'D'],
  ],
])('in a column %s, the words %s and %s are asked about', async (name = '', good = '', bad = '') => {
  const made = await ofColumns([name], good, bad);
  expect([made.skipped, made.asked]).toEqual([[], [name]]);
});

test('a file in which everybody has the same flag says nothing if it is the good one, and is asked about otherwise', async () => {
  const all = (names: readonly string[], value: string) => ofColumns(names, value, value);
  expect((await all([...flags.in, 'confirmed', 'member_active'], '1')).asked).toEqual([]);
  expect((await all([...flags.out, 'archived', 'locked_at', 'account_expires'], '0')).asked).toEqual([]);
  const bad = await all([...flags.in, 'member_active'], '0');
  expect([bad.skipped, bad.asked]).toEqual([[], [...flags.in, 'member_active']]);
});

test.each(['lockout.enabled', 'suspension.active', 'member.active', 'mfa.locked', 'employee.status'])(
  'in an object, %s is asked about',
  async (path) => {
    const [outer = '', inner = ''] = path.split('.');
    const people = [true, true, false].map((value, at) => ({
      user_name: `u${at}`,
      [outer]: { [inner]: value },
    }));
    const made = await making(JSON.stringify(people));
    expect([skipped(made), asked(made)]).toEqual([[], [path]]);
  },
);

test.each([
  ...['active_until', 'enabled_until', 'approved_until', 'user_active_till', 'account_valid_to'],
  ...['member_valid_until', 'deletion_date', 'exit_date'],
])('of %s, the day until which people are active, those are left out whose day has passed', async (name) => {
  const content = `user_name,${name}\nann,\nbob,2999-01-01\ncyd,2020-01-01\n`;
  expect((await making(content)).open).toEqual([
    expect.stringContaining(', past: true } } (people whose day'),
  ]);
  const { recipe } = await making(content, { [`status ${name}`]: ['past'] });
  expect(recipe.skip).toEqual({ where: { column: name, past: true } });
});

test('of a day of which only a person knows what it means, both conditions are named', async () => {
  const days = ['2020-01-01', '2999-01-01', ''].map((expires_at, at) => ({
    user_name: `u${at}`,
    token: { expires_at },
  }));
  const { open } = await making(JSON.stringify(days));
  expect(open).toEqual([
    expect.stringMatching(/: add skip: .* filled: false \} \} \(.*\) or skip: .* filled: true \} \} \(/),
  ]);
});
