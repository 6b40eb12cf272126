import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lookAtFile, makeRecipe } from '../../../src/migration/make-recipe.ts';
import { readRecipe } from '../../../src/migration/recipes/read-recipe.ts';
import { temporaryDirectory } from '../../world.ts';
import { runImport } from '../run-import.ts';
import { making } from './making.ts';

test('of a day on which a ban ends, the recipe can leave out people until it has passed', async () => {
  const content =
    'user_name,LockoutEndDateUtc,ban_expires,suspended_at\nann,2999-01-01 00:00:00 +00:00,5/1/2024,2020-01-01\nbob,,,\n';
  const piped = await making(content);
  const [lockout, ban, suspended] = piped.open;
  expect([lockout, ban]).toEqual([
    expect.stringMatching(
      /^LockoutEndDateUtc may say who is disabled \(a value in 1 of 2 rows, .*\): add \{ column: LockoutEndDateUtc, not_past: true \}/,
    ),
    expect.stringMatching(
      /^ban_expires may say who is disabled \(a value in 1 of 2 rows, .*\): add \{ column: ban_expires, not_past: true, date: \[d\/M\/yyyy, M\/d\/yyyy\] \} \(people with a value, until .*; leave one of the two forms d\/M\/yyyy and M\/d\/yyyy\) to skip/,
    ),
  ]);
  expect(suspended).toContain(
    'add { column: suspended_at, filled: true } (people with a value) to skip: { where: [CONDITIONS] }, or to such a disable:, or these people are enabled',
  );
  expect(piped.text).not.toMatch(/2999|5\/1/);
  const { recipe } = await making(content, { 'status LockoutEndDateUtc': ['not_past'] });
  expect(recipe.skip).toEqual({ where: { column: 'LockoutEndDateUtc', not_past: true } });
});

test.each([
  ['31.12.2024', ['d.M.yyyy']],
  ['1735603200', ['epoch-seconds']],
  ['133801632000000000', ['filetime']],
  ['20241231000000Z', ['generalized-time']],
])('a condition on days such as %s names their form', async (day, date) => {
  const content = `user_name,accountExpires\nann,${day}\nbob,\n`;
  const { open } = await making(content);
  expect(open[0]).toContain(
    `add skip: { where: { column: accountExpires, past: true, date: [${date}] } } (people whose day`,
  );
  const answered = await making(content, { 'status accountExpires': ['past'] });
  expect(answered.recipe.skip).toEqual({ where: { column: 'accountExpires', past: true, date } });
  expect(answered.open).toEqual([]);
});

test('a condition on days that is proposed rejects no row for a 0, and says which others it would reject', async () => {
  const content = 'user_name,accountExpires\nann,133801632000000000\nbob,0\ncyd,9223372036854775807\n';
  const piped = await making(content);
  expect(piped.open).toEqual([
    expect.stringContaining("past: true, date: [filetime], not_in: ['0'] } } (people whose day"),
  ]);
  const answers = { 'status accountExpires': ['past'], fate: ['disable'] };
  const { recipe, open } = await making(content, answers);
  const where = { column: 'accountExpires', past: true, date: ['filetime'], not_in: ['0'] };
  expect([recipe.disable, open]).toEqual([{ where }, []]);
  const options = { recipe: { name: 'made', recipe }, allowPasswordless: true };
  expect((await runImport(content, options)).summary).toMatchObject({ created: 3, to_disable: 1 });
  const unread = expect.stringContaining(
    "accountExpires has 1 value that is no such date: add not_in: ['0', '-1'] beside past: if these people may log in, or the condition { column: accountExpires, in: ['-1'] } if these people may not log in; else these rows are rejected",
  );
  expect((await making(`${content}dan,-1\n`)).open[1]).toEqual(unread);
  expect((await making(`${content}dan,-1\n`, answers)).open).toEqual([unread]);
});

test('of days since 1970, as LDAP has them, 1 has passed, and -1 and none are never', async () => {
  const content = 'user_name,shadowExpire\nann,12000\nbob,-1\ncyd,\ndan,29000\neve,1\n';
  const line = '{ column: shadowExpire, past: true, date: [epoch-days] }';
  expect((await making(content)).open).toEqual([
    expect.stringContaining(`add skip: { where: ${line} } (people whose`),
  ]);
  const { recipe, open } = await making(content, { 'status shadowExpire': ['past'] });
  expect(open).toEqual([]);
  const options = { recipe: { name: 'made', recipe }, allowPasswordless: true };
  expect((await runImport(content, options)).summary).toMatchObject({ created: 3, skipped: 2, invalid: 0 });
  const others = await making(`${content}fay,offen\n`);
  expect(others.open[1]).toMatch(/has 1 value that is no such date: .*: \[offen\]/);
  const birthdays = await making('user_name,born\nann,29000\n');
  expect(birthdays.open).toEqual([expect.stringContaining('born has 1 date in another form')]);
});

test('a day in no known form is asked about without a condition that could not read it', async () => {
  const { open } = await making('user_name,accountExpires\nann,5/1/2024 1:00\nbob,\n');
  expect(open).toEqual([
    expect.stringMatching(
      /: add a condition to skip: or disable:, or these people are enabled; if it says something else, /,
    ),
  ]);
});

test.each([
  ...['expires_at', 'accountExpires', 'shadowExpire', 'expiry_date', 'valid_until', 'ValidTo'],
  ...['account_expiration_date', 'krbPrincipalExpiration', 'endtime'],
])(
  'of a day on which an account ends, the recipe can leave out people after it has passed: %s',
  async (name) => {
    const content = `user_name,${name}\nann,2999-01-01 00:00:00\nbob,2020-01-01 00:00:00\ncyd,\n`;
    const { open } = await making(content);
    expect(open[0]).toContain(`${name} may say who is disabled (a value in 2 of 3 rows`);
    expect(open[0]).toContain(', past: true } } (people whose day');
    const { recipe } = await making(content, { [`status ${name}`]: ['past'] });
    expect(recipe.skip).toEqual({ where: { column: name, past: true } });
  },
);

test('a person sees how many people an answer means, and nobody is left out by the first one', async () => {
  const content = 'user_name,deleteat,activated_at\nann,0,2020-01-01\nbob,0,2020-01-01\ncyd,1700000000000,\n';
  const file = join(await temporaryDirectory(), 'legacy.csv');
  await writeFile(file, content);
  const asked: Record<string, string[]> = {};
  const made = await makeRecipe(await lookAtFile(file, { map: [] }), {
    map: [],
    region: undefined,
    async ask({ id, choices = [], suggested = [] }) {
      asked[id] = choices.map(({ name }) => name);
      return id === 'status activated_at' ? ['empty'] : suggested;
    },
  });
  expect(asked).toMatchObject({
    'status deleteat': [
      'decide later',
      'nobody: it says something else',
      'people with a value (1 of 3 rows)',
      'people without a value (2 of 3 rows)',
    ],
    'status activated_at': [
      'decide later',
      'nobody: it says something else',
      'people with a value (2 of 3 rows)',
      'people without a value (1 of 3 rows)',
      'people with a value, until that day has passed',
      'people whose day has passed',
    ],
  });
  expect(made.recipe.skip).toEqual({ where: { column: 'activated_at', filled: false } });
  expect(made.open).toEqual([]);
});

test.each([
  ['deleted_at', ['2020-01-01', ''], [['u0']]],
  ['deleted_at', ['2020-01-01', 'none', 'n/a'], [['u0']]],
  // What the column says is not known.
  ['activated_at', ['2020-01-01', '', 'never'], [['u0'], ['u1', 'u2'], ['u2'], ['u0']]],
  ['accountExpires', ['133801632000000000', '0', '9223372036854775807'], [['u0']]],
  ['Gesperrt bis', ['31.12.2999', ''], [['u0'], ['u1'], ['u0'], []]],
  ['archived', ['1', '0', '0'], [['u0']]],
  ['active', ['1', '', '1'], [['u1']]],
  ["who's archived", ['2020-01-01', ''], [['u0'], ['u1'], [], ['u0']]],
  ['Archived?', ['No', 'Yes', 'No'], [['u1']]],
])(
  'each line that a question about %s of %j names works when it is copied',
  async (column, values, skipped) => {
    const content = `user_name,"${column}"\n${values.map((value, at) => `u${at},${value}\n`).join('')}`;
    const made = await making(content);
    const lines = made.open.flatMap((text) =>
      [...text.matchAll(/skip: \{.*? \}\]? \}/g)].map(([line]) => line),
    );
    const left = await Promise.all(
      lines.map(async (line) => {
        // A person copies the line from the recipe, and deletes the question.
        expect(made.text).toContain(line);
        const reading = await readRecipe(`${made.text.replace(/^open:\n(?: {2}-.*\n)+/m, '')}${line}\n`);
        if (!('recipe' in reading)) throw new Error(JSON.stringify(reading.issues));
        const options = { recipe: { name: 'made', recipe: reading.recipe }, allowPasswordless: true };
        const { failures, sent } = await runImport(content, options);
        expect(failures).toEqual([]);
        const names = new Set(sent.map(({ user_name: name }) => name));
        return values.flatMap((_, at) => (names.has(`u${at}`) ? [] : [`u${at}`]));
      }),
    );
    expect(left).toEqual(skipped);
  },
);

test.each([
  [
    'locked_at',
    ['2020-01-01', '2020-01-02'],
    ': add a condition to skip: or disable:, or these people are enabled',
  ],
  [
    'confirmed_at',
    ['2020-01-01', '2020-01-02', ''],
    ': add skip: { where: { column: confirmed_at, filled: false } } (people without a value) or skip: { where: { column: confirmed_at, filled: true } } (people with a value) or',
  ],
])(
  'no line for %s of %j holds for everybody or nobody, and that for fewer people comes first',
  async (name, days, line) => {
    const { open } = await making(`user_name,${name}\n${days.map((day, at) => `u${at},${day}\n`).join('')}`);
    expect(open).toEqual([expect.stringContaining(line)]);
  },
);

test('a question about days names the words that are none', async () => {
  const days = ['2020-01-01', 'none', '-1', '0.0', '0', 'offen'];
  const content = `user_name,ban_expires\n${days.map((day, at) => `u${at},${day}\n`).join('')}`;
  const { open } = await making(content);
  expect(open[1]).toMatch(/not_in: \['0', none, '-1', '0\.0', offen\] beside not_past: if these/);
  expect(open[1]).toContain('add the condition { column: ban_expires, in: [offen] } if these');
  const { open: others } = await making(`${content}u9,30-31-2020\n`);
  expect(others[1]).toContain(
    '{ column: ban_expires, in: [VALUES] } if these people may not log in, or not_in:',
  );
});

test.each([
  ['locked_until', '2999-01-01', 'permanent'],
  ['expires_at', '2020-01-01', 'expired'],
])(
  'a word beside the days of %s leaves people out by the first line that is offered',
  async (name, day, word) => {
    const content = `user_name,${name}\nann,${day}\nbob,${word}\ncyd,\n`;
    const { text, open } = await making(content);
    const lines = open.map((line) => /\{ column: [^}]*\}/.exec(line)?.[0] ?? '');
    const where = `skip: { where: [${lines.join(', ')}] }\n`;
    const reading = await readRecipe(`${text.replace(/^open:\n(?: {2}-.*\n)+/m, '')}${where}`);
    if (!('recipe' in reading)) throw new Error(JSON.stringify(reading.issues));
    const options = { recipe: { name: 'made', recipe: reading.recipe }, allowPasswordless: true };
    expect((await runImport(content, options)).summary).toMatchObject({ created: 1, skipped: 2, invalid: 0 });
  },
);

test.each([
  ['filled', { created: 4, skipped: 2 }],
  ['empty', { created: 2, skipped: 4 }],
])('who has a no beside days is said to have no value, and is read so: %s', async (answer, counts) => {
  const cells = ['no', 'No', '2024-01-05 10:00', '2024-02-06 11:00', 'no', ''];
  const content = ['user_name,locked_at', ...cells.map((cell, at) => `u${at},${cell}`)].join('\n');
  expect((await making(content)).open).toEqual([expect.stringContaining('a value in 2 of 6 rows')]);
  const { recipe, open } = await making(content, { 'status locked_at': [answer] });
  expect(open).toEqual([]);
  const recipeOf = { recipe: { name: 'made', recipe }, allowPasswordless: true };
  expect((await runImport(content, recipeOf)).summary).toMatchObject({ ...counts, invalid: 0 });
});
