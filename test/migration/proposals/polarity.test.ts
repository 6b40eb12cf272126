import { expect, test } from 'vitest';
import { making } from './making.ts';

const states = {
  in: [
    ...['active', 'enabled', 'activated', 'aktiv', 'actif', 'activo', 'ativo', 'attivo', 'actief', 'aktywny'],
    ...['активен', '启用', '激活', '可用'],
  ],
  out: [
    ...['disabled', 'inactive', 'locked', 'blocked', 'suspended', 'banned', 'deleted', 'gesperrt', 'inaktiv'],
    ...['bloqué', 'désactivé', 'inactivo', 'bloqueado', 'inativo', 'desativado', 'inattivo', 'disattivato'],
    ...['geblokkeerd', 'nieaktywny', 'заблокирован', '停用', '禁用', '删除', '锁定', '冻结', '注销'],
  ],
} as const;
const ofAccount = ['', 'is_', 'user_', 'account_', '用户', '是否', '账号是否'];
const ofOthers = [
  ...['member_', 'membership_', 'employee_', 'staff_', 'customer_', 'kunde_', 'mitglied_', 'client_'],
  ...['membre_', 'cliente_', '会员', '会员是否', '员工', '在职'],
];
const named = (before: readonly string[], words: readonly string[], after: readonly string[] = ['']) =>
  before.flatMap((start) => words.flatMap((word) => after.map((end) => `${start}${word}${end}`)));

/** Names of columns of flags: of people who may log in, of those who may not, and such that only a person knows. */
const flags = {
  in: [
    ...named(ofAccount, states.in),
    ...[
      'use_yn',
      'ACTIVE_FLAG',
      'canLogin',
      'login_allowed',
      'account_non_locked',
      'konto_aktiv',
      '允许登录',
    ],
  ],
  out: [
    ...named(ofAccount, states.out),
    ...[
      'del_flag',
      'is_del',
      'loginDisabled',
      'no_login',
      'prohibit_login',
      'LOCK_YN',
      '删除标志',
      '禁止登录',
    ],
  ],
  ask: [
    ...named(ofOthers, [...states.in, ...states.out]),
    ...named(['', 'user_', 'account_'], ['status', 'state', 'status_flag', 'status_flg', 'status_cd']),
    ...named(['', '用户', '员工', '会员', '锁定', '启用'], ['状态']),
    ...named([...states.in, ...states.out], ['_status', '_state', '_reason']),
    ...['estado', 'statut', 'situacao', 'situação', 'lockout', 'LockoutEnabled', 'account_lock_enabled'],
    ...['confirmed', 'EmailConfirmed', 'approved', 'is_approved', 'valid', 'is_valid', '有效', '会员有效'],
    ...['在职', '是否在职', '在职标志', '離職', '离职', 'resigned', 'terminated', 'retired', 'dado_de_baja'],
    ...['archived', 'expired', 'cancelled', 'closed', 'is_spam', 'dormant', 'deceased', 'desligado', 'baja'],
    ...['verified', 'employed', 'membership', 'access_allowed', 'no_access', 'ausgeschieden', 'résilié'],
  ],
};
const isStatus = (name: string) =>
  !/^(?:verified|employed|membership|retired|account_lock_enabled)$/.test(name);

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
    expect([unknown.skipped, unknown.asked]).toEqual([[], flags.ask.filter(isStatus)]);
  }
});

test.each([
  ['active', 'inactive'],
  ['enabled', 'disabled'],
  ['正常', '停用'],
  ['ok', 'locked'],
])('by the words %s and %s people are left out only where the name agrees', async (good, bad) => {
  const plain = [
    'status',
    'state',
    'user_status',
    'account_state',
    'estado',
    '状态',
    '账号状态',
    ...flags.in,
  ];
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
    const others = [
      ...flags.out,
      ...named(['lock', 'lockout', 'ban', '锁定'], ['_status', '状态', '_state']),
    ];
    const names = [
      ...others,
      'membership_status',
      'employment_status',
      '员工状态',
      '在职状态',
      'lockout',
      'confirmed',
    ];
    const unknown = await ofColumns(names, many, one);
    expect([unknown.skipped, unknown.asked]).toEqual([[], names]);
  }
});

test.each([
  ...[
    ['status', 'active', 'retired'],
    ['status', 'active', 'expired'],
    ['状态', '在职', '离职'],
    ['status', 'A', 'D'],
  ],
  ['状态', '正常', '离职'],
])('in a column %s, the words %s and %s are asked about', async (name = '', good = '', bad = '') => {
  const made = await ofColumns([name], good, bad);
  expect([made.skipped, made.asked]).toEqual([[], [name]]);
});

test('a file in which everybody has the same flag says nothing if it is the good one, and is asked about otherwise', async () => {
  const all = (names: readonly string[], value: string) => ofColumns(names, value, value);
  expect((await all([...flags.in, 'confirmed', 'member_active'], '1')).asked).toEqual([]);
  expect((await all([...flags.out, 'archived', 'locked_at', 'account_expires'], '0')).asked).toEqual([]);
  const bad = await all([...flags.in, 'member_active', '在职'], '0');
  expect([bad.skipped, bad.asked]).toEqual([[], [...flags.in, 'member_active', '在职']]);
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
  ...[
    'active_until',
    'enabled_until',
    'approved_until',
    'aktiv_bis',
    'user_active_till',
    '有效日期',
    '有效时间',
  ],
  ...['有效期', '失效日期', 'account_valid_to', 'member_valid_until'],
])('of %s, the day until which people are active, those are left out whose day has passed', async (name) => {
  const content = `user_name,${name}\nann,\nbob,2999-01-01\ncyd,2020-01-01\n`;
  expect((await making(content)).open).toEqual([
    expect.stringContaining(', past: true } } (if the last day'),
  ]);
  const { recipe } = await making(content, { [`status ${name}`]: ['past'] });
  expect(recipe.skip).toEqual({ where: { column: name, past: true } });
});

test.each(['active_date', 'activated_at', '启用时间', 'token.expires_at'])(
  'of a day such as %s, of which only a person knows what it means, both conditions are named',
  async (name) => {
    const [outer = '', inner] = name.split('.');
    const days = ['2020-01-01', '2999-01-01', ''].map((day, at) => ({
      user_name: `u${at}`,
      [outer]: inner ? { [inner]: day } : day,
    }));
    const { open } = await making(JSON.stringify(days));
    expect(open).toEqual([
      expect.stringMatching(/: add skip: .* filled: false \} \} \(.*\) or skip: .* filled: true \} \} \(/),
    ]);
  },
);
