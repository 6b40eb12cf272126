import { expect, test } from 'vitest';
import { builtInRecipe } from '../../../src/migration/recipes/built-in.ts';
import { checkExamples } from '../../../src/migration/recipes/check-examples.ts';
import { lastPassedDay } from '../../../src/migration/recipes/compile-rule.ts';
import { readRecipe } from '../../../src/migration/recipes/read-recipe.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { recipeOf } from './recipe-of.ts';

const { md5 } = goodHashes;

test('a status that a recipe does not know is an issue of its row, so that no disabled user becomes active', async () => {
  const recipe = await recipeOf(`
fields: { user_name: { column: login } }
password: { column: hash, algorithm: { infer: true } }
empty: ["-"]
skip: { where: [{ column: status, in: [D], known: [A, 1] }, { column: gone, filled: true }] }
disable: { where: { column: lock, in: [L], known: [U] } }
`);
  const rows = ['ann,A,,U', 'bob,D,,X', 'cyd,d,,U', 'dan,-,,', 'eve,x,2020,U', 'fay,1,,L', 'gil,A,,u'];
  const content = ['login,status,gone,lock,hash', ...rows.map((row) => `${row},${md5}`)].join('\n');
  const { sent, failures, summary } = await runImport(content, { recipe, concurrency: 1 });
  expect(sent.map((user) => user.user_name)).toEqual(['ann', 'dan', 'fay']);
  expect(failures.map(({ user_name, code, message }) => [user_name, code, message])).toEqual([
    ['cyd', 'VALUE_UNKNOWN', 'status: nothing says what this value means'],
    ['gil', 'VALUE_UNKNOWN', 'lock: nothing says what this value means'],
  ]);
  expect(failures[0]?.hint).toContain('whether this person may log in');
  expect(summary).toMatchObject({ skipped: 2, to_disable: 1 });
});

test('a condition can match a part of a value', async () => {
  const recipe = await recipeOf(`
fields: { user_name: { column: login } }
password: { column: hash, algorithm: { infer: true } }
skip: { where: { column: login, match: "^(svc|bot)-" } }
`);
  const rows = ['svc-mail', 'bot-1', 'ann-svc-', 'bob'];
  const { sent, summary } = await runImport(
    ['login,hash', ...rows.map((row) => `${row},${md5}`)].join('\n'),
    {
      recipe,
      concurrency: 1,
    },
  );
  expect(sent.map((user) => user.user_name)).toEqual(['ann-svc-', 'bob']);
  expect(summary.skipped).toBe(2);
  const wrong = await readRecipe('fields: {}\nskip: { where: { column: a, match: "(" } }');
  expect(wrong).toMatchObject({ issues: [{ line: 2, path: 'skip.where.match' }] });
});

test('words of YAML and numbers are compared with cells as they are written', async () => {
  const recipe = await recipeOf(`
fields:
  user_name: { column: login }
  extension.age: { column: plan, values: { 01: gold, True: silver }, otherwise: none }
password: { column: hash, algorithm: { infer: true } }
skip: { where: { column: id, in: [007, 9007199254740993] } }
disable: { where: { column: is_active, in: [False] } }
examples:
  - { in: { login: ann, is_active: False }, out: { disabled: True } }
`);
  const rows = [
    'ann,1,False,01',
    'bob,7,false,1',
    'cyd,007,True,',
    'dan,9007199254740993,True,',
    'eve,9007199254740992,True,True',
  ];
  const content = ['login,id,is_active,plan,hash', ...rows.map((row) => `${row},${md5}`)].join('\n');
  const { sent, summary } = await runImport(content, { recipe, concurrency: 1 });
  expect(sent.map(({ user_name, extension }) => [user_name, extension?.age])).toEqual([
    ['ann', 'gold'],
    ['bob', 'none'],
    ['eve', 'silver'],
  ]);
  expect(summary).toMatchObject({ skipped: 2, to_disable: 1 });
  expect(await checkExamples(recipe)).toEqual([]);
});

test.each([
  ['auth0', 'user_id,email,email_verified,password_hash', 'blocked', 'TRUE'],
  ['cognito', 'cognito:username,email,cognito:mfa_enabled', 'enabled', 'FALSE'],
  ['discourse', 'username,email,password_hash,salt,trust_level', 'active', 'FALSE'],
  ['discourse', 'username,email,password_hash,salt,trust_level', 'staged', 'TRUE'],
  ['django', 'username,email,last_login,password', 'is_active', 'FALSE'],
  ['supabase', 'id,email,aud,encrypted_password', 'is_anonymous', 'TRUE'],
] as const)(
  'a recipe reads flags as a spreadsheet saves them: %s, %s, %s',
  async (name, header, flag, out) => {
    const empty = ','.repeat(header.split(',').length - 2);
    const content = `${header},${flag}\nann,ann@b.cn${empty},TRUE\nbob,bob@b.cn${empty},FALSE\n`;
    const recipe = await builtInRecipe(name);
    const { sent, failures, summary } = await runImport(content, { recipe, allowPasswordless: true });
    expect([failures, summary.skipped]).toEqual([[], 1]);
    expect(sent.map(({ email }) => email)).toEqual([out === 'TRUE' ? 'bob@b.cn' : 'ann@b.cn']);
  },
);

test.each([
  ['discourse', 'username,email,password_hash,salt,trust_level', 'suspended_till'],
  ['supabase', 'id,email,aud,encrypted_password', 'banned_until'],
] as const)('%s: a user who was banned until a day in the past is imported', async (name, header, column) => {
  const empty = ','.repeat(header.split(',').length - 2);
  const ends = [
    ...['', '2001-02-03', '2001-02-03 04:05:06.789+00', '2001-02-03T04:05:06Z', 'NULL'],
    ...['2999-01-01', '2999-01-01 00:00:00+00', 'infinity', '20010203', '981173106', '03.02.2001'],
    '2001-02-031',
  ];
  const rows = ends.map((end, row) => `u${row},u${row}@b.cn${empty},${end}\n`);
  const recipe = await builtInRecipe(name);
  const options = { recipe, allowPasswordless: true, concurrency: 1 };
  const { sent, failures, summary } = await runImport(`${header},${column}\n${rows.join('')}`, options);
  // What cannot be read says neither that a ban lasts nor that it has ended.
  expect(failures.map(({ row, code }) => [row, code])).toEqual(
    ['9', '10', '11', '12'].map((row) => [row, 'VALUE_UNKNOWN']),
  );
  const wanted = [0, 1, 2, 3, 4].map((row) => `u${row}@b.cn`);
  expect(sent.map(({ email }) => email)).toEqual(wanted);
  expect(summary).toMatchObject({ skipped: 3 });
});

test.each([
  ['d.M.yyyy', '3.2.2001', '31.12.2999'],
  ['epoch-seconds', '981173106', '32472144000'],
  ['epoch-milliseconds', '981173106000', '32472144000000'],
  ['filetime', '126256467060000000', '456200352000000000'],
  ['filetime', '126256467060000000', '9223372036854775807'],
  ['generalized-time', '20010203040506Z', '29991231235959.0Z'],
  ['generalized-time', '200102030405+0800', '2999123123-0330'],
])('a condition reads dates of the form %s', async (form, past, future) => {
  const skipped = async (test: string) => {
    const recipe = await recipeOf(`
fields: { user_name: { column: login } }
password: { column: hash, algorithm: { infer: true } }
skip: { where: { column: until, ${test}: true, date: [${form}] } }
`);
    const rows = [past, future, '', 'never', '2001-02-03', '0'].map((end, row) => `u${row},${end},${md5}`);
    const { sent, failures } = await runImport(['login,until,hash', ...rows].join('\n'), {
      recipe,
      concurrency: 1,
    });
    expect(failures.map(({ user_name, code }) => [user_name, code])).toEqual([
      ['u4', 'VALUE_UNKNOWN'],
      ['u5', 'VALUE_UNKNOWN'],
    ]);
    return sent.map(({ user_name }) => user_name);
  };
  expect(await skipped('past')).toEqual(['u1', 'u2', 'u3']);
  expect(await skipped('not_past')).toEqual(['u0', 'u2']);
});

test('a day is in the past when it has ended in the last time zone', () => {
  expect(lastPassedDay(Date.UTC(2026, 2, 2, 11, 59))).toBe('2026-02-28');
  expect(lastPassedDay(Date.UTC(2026, 2, 2, 12))).toBe('2026-03-01');
});

test('the usual Chinese words for active employees are known', async () => {
  const words = ['正常', '启用', '在用', '使用中', '在职', '正式', '试用', '活跃', '停用', '离职', '半正常'];
  const rows = words.map((word, index) => `u${index},${word},${md5}`);
  const recipe = await builtInRecipe('chinese');
  const content = ['用户名,状态,密码', ...rows].join('\n');
  const { summary, failures } = await runImport(content, { recipe });
  expect(summary).toMatchObject({ created: 8, skipped: 2, invalid: 1 });
  expect(failures.map(({ user_name, code }) => [user_name, code])).toEqual([['u10', 'VALUE_UNKNOWN']]);
});

test('a recipe does not choose between two columns with the same name', async () => {
  const joined = `id,username,password,is_active,last_login,id\n9001,ann,${md5},t,,7\n`;
  await expect(runImport(joined)).rejects.toThrow(
    'line 1: recipe django: the columns 1 and 6 have the same name, and the recipe reads one of them; rename the other',
  );
  const unread = `id,username,password,is_active,last_login,x,x\n7,ann,${md5},t,,1,2\n`;
  expect((await runImport(unread)).sent).toMatchObject([{ user_name: 'ann', external_id: '7' }]);
});

test('a recipe finds a column with blanks around its name', async () => {
  const file = `username,password,is_active,last_login, email \nann,${md5},t,,ann@b\n`;
  expect((await runImport(file)).sent).toMatchObject([{ user_name: 'ann', email: 'ann@b' }]);
});

test('a birthday with a time of day is not a valid date, and other dates may have one', async () => {
  const forms = '[iso, epoch-milliseconds]';
  const recipe = await recipeOf(`
fields:
  user_name: { column: login }
  attr_birthday: { column: born, date: ${forms} }
  extension.since: { column: since, date: ${forms} }
password: { column: hash, algorithm: { infer: true } }
`);
  const days = [
    '1990-02-01',
    '1990-02-01T00:00:00.000Z',
    '1990-02-01 00:00:00+08',
    '1990-02-01T00:00',
    '633830400000',
  ];
  // Midnight in Shanghai as programs there write it.
  const times = ['1990-01-31T16:00:00.000Z', '1990-01-31 16:00:00', '1990-02-01T00:00:01', '633801600000'];
  const content = [
    'login,born,since,hash',
    ...[...days, ...times].map((born, index) => `u${index},${born},2020-05-01T13:45:00Z,${md5}`),
  ].join('\n');
  const { sent, failures } = await runImport(content, { recipe, concurrency: 1 });
  expect(sent.map(({ attr_birthday, extension }) => [attr_birthday, extension?.since])).toEqual(
    days.map(() => ['1990-02-01', '2020-05-01']),
  );
  expect(failures.map(({ code, message }) => [code, message])).toEqual(
    times.map(() => ['DATE_UNREADABLE', expect.stringContaining('the day depends on the time zone')]),
  );
  expect(failures[0]?.hint).toContain('Export the day alone');
});

test('an ignored column whose name may be a value is reported by its position in the file', async () => {
  const recipe = await recipeOf(`
fields: { user_name: { column: login } }
password: { column: hash, algorithm: { infer: true } }
`);
  const content = `login,note,hash,ann@example.com\nann,,${md5},\n`;
  const { summary } = await runImport(content, { recipe });
  expect(summary.ignored_columns).toEqual(['note', '(column 4)']);
});
