import { expect, test } from 'vitest';
import { builtInRecipe } from '../../../src/migration/recipes/built-in.ts';
import { noticesOf } from '../../../src/migration/report/texts/notices.ts';
import { goodHashes } from '../hashes.ts';
import { making } from '../proposals/making.ts';
import { runImport } from '../run-import.ts';
import { recipeOf } from './recipe-of.ts';

const { bcrypt, md5 } = goodHashes;
const none = ['', 'NULL', 'null', '[NULL]', '(null)', 'None', '0000-00-00', '0000-00-00 00:00:00'];

test('a word for no value, or the zero date of MySQL, is no value in a condition', async () => {
  const rows = none.map((word, index) => `u${index},${word},${word},${word},${md5}`);
  const content = ['login,gone,seen,status,hash', ...rows, `out,2020-01-01,,A,${md5}`].join('\n');
  const recipe = await recipeOf(`
fields: { user_name: { column: login } }
password: { column: hash, algorithm: { infer: true } }
skip: { where: [{ column: gone, filled: true }, { column: status, in: [D], known: [A] }] }
disable: { where: { column: seen, filled: false } }
`);
  const { sent, failures, summary } = await runImport(content, { recipe });
  expect(failures).toEqual([]);
  expect(sent).toHaveLength(none.length);
  expect(summary).toMatchObject({ skipped: 1, to_disable: none.length });
});

test('a condition can name such a word', async () => {
  const recipe = await recipeOf(`
fields: { user_name: { column: login } }
password: { column: hash, algorithm: { infer: true } }
skip: { where: { column: status, in: ["None"] } }
`);
  const { summary } = await runImport(`login,status,hash\nann,None,${md5}\nbob,,${md5}\n`, { recipe });
  expect(summary).toMatchObject({ created: 1, skipped: 1 });
});

test.each([
  [
    'devise',
    'email,encrypted_password,reset_password_token,confirmed_at,locked_at',
    '2024-01-01,null',
    'null,null',
  ],
  [
    'laravel',
    'email,password,remember_token,updated_at,deleted_at',
    '2024,0000-00-00 00:00:00',
    '2024,2024-01-01',
  ],
] as const)(
  'an export of %s leaves out those who are out, and nobody else',
  async (name, header, here, gone) => {
    const rows = [`ann@b.cn,${bcrypt},,${here}`, `bob@b.cn,${bcrypt},,${gone}`];
    const recipe = await builtInRecipe(name);
    const { sent, failures } = await runImport([header, ...rows].join('\n'), { recipe, accept: [] });
    expect(failures).toEqual([]);
    expect(sent.map(({ email }) => email)).toEqual(['ann@b.cn']);
  },
);

test('the zero date of MySQL is no birthday, with a recipe and without', async () => {
  const header = 'user_name,attr_birthday,algorithm,hash';
  const content = `${header}\nann,0000-00-00,md5,${md5}\nbob,0000-00-00 00:00:00,md5,${md5}\n`;
  const recipe = await recipeOf(`
fields: { user_name: { column: user_name }, attr_birthday: { column: attr_birthday, date: [iso] } }
password: { column: hash, algorithm: { infer: true } }
`);
  for (const options of [{ recipe }, {}]) {
    const { sent, failures } = await runImport(content, { ...options, concurrency: 1 });
    expect(failures).toEqual([]);
    expect(sent.map((user) => [user.user_name, user.attr_birthday])).toEqual([
      ['ann', undefined],
      ['bob', undefined],
    ]);
  }
});

test('a first recipe takes the zero date of MySQL for no value', async () => {
  const content =
    'user_name,born,deleted_at\nann,1990-02-01,0000-00-00 00:00:00\nbob,0000-00-00,0000-00-00 00:00:00\n';
  const { recipe, open } = await making(content);
  expect(open).toEqual([]);
  expect(recipe.empty).toEqual(['0000-00-00', '0000-00-00 00:00:00']);
  expect(recipe.fields.attr_birthday).toEqual({ column: 'born', date: ['iso'] });
});

test('an import of which the recipe leaves out every row has a warning', async () => {
  const recipe = await recipeOf(`
fields: { user_name: { column: login } }
password: { column: hash, algorithm: { infer: true } }
skip: { where: { column: gone, filled: true } }
`);
  const warned = async (...rows: string[]) => {
    const content = ['login,gone,hash', ...rows].join('\n');
    const { summary } = await runImport(content, { recipe });
    return noticesOf(summary).map(({ text, isWarning }) => [isWarning, text]);
  };
  const warning = [true, expect.stringContaining('leaves out every row')];
  expect(await warned(`ann,x,${md5}`, `bob,x,${md5}`)).toContainEqual(warning);
  expect(await warned(`ann,x,${md5}`, `bob,,${md5}`)).not.toContainEqual(warning);
});

test('a day before 1902 and the first one of Unix say that there is none, and so does a zero beside no words', async () => {
  const first = [
    ...['0001-01-01', '0001-01-01T00:00:00Z', '1601-01-01 00:00:00', '1900-01-01 00:00:00.000'],
    ...['1899-12-30 00:00:00', '1753-01-01', '12/30/1899', '1.1.1753', '1901-12-13T20:45:52Z', '12/31/1969'],
    ...['1969-12-31 19:00:00', '31.12.1969', '1-1-1970'],
    ...['1970-01-01 08:00:00', '1970-01-01T00:00:00.000Z'],
  ];
  async function skippedBy(condition: string, ends: readonly string[]): Promise<number> {
    const rows = [...ends, '2020-01-01', '1902-01-02'].map((end, row) => `u${row},${end},${md5}`);
    const recipe = await recipeOf(`
fields: { user_name: { column: login } }
password: { column: hash, algorithm: { infer: true } }
skip: { where: [{ column: end, ${condition} }] }
`);
    const { summary, failures } = await runImport(['login,end,hash', ...rows].join('\n'), { recipe });
    expect(failures).toEqual([]);
    return summary.skipped;
  }
  expect(await skippedBy('past: true', first)).toBe(2);
  expect(await skippedBy('past: true, date: [iso, M/d/yyyy]', [...first, '1/1/1900', '2/1/1902'])).toBe(3);
  expect(await skippedBy('past: true, not_in: ["0"]', [...first, '0'])).toBe(2);
  expect(await skippedBy('not_past: true', first)).toBe(0);
  const all = [...first, '1/1/0001 12:00:00 AM', '01.01.1970', '0'];
  expect(await skippedBy('filled: true', all)).toBe(2);
  expect(await skippedBy('filled: false', all)).toBe(all.length);
  // Beside words, a zero is one of them.
  expect(await skippedBy('not_in: ["1902-01-02"], filled: true', all)).toBe(2);
  expect(await skippedBy('filled: false }, { column: end, in: ["2020-01-01"]', all)).toBe(all.length);
});

const unclear = [
  ...['none', 'NONE', 'never', 'Nil', '-', '–', '-1', '-1.0', '0.0', '00:00:00', '00000000'],
  ...['Null', 'n.a.', 'keine', '无', 'false', 'F', 'No', 'nein', '否'],
];

test('where only counts whether there is a value, a row is rejected whose value may say that there is none', async () => {
  async function rejectedBy(where: string, empty = ''): Promise<[number, number]> {
    const rows = [...unclear, '', 'NULL', '0', '2020-01-01'].map((value, row) => `u${row},${value},${md5}`);
    const recipe = await recipeOf(`
fields: { user_name: { column: login } }
password: { column: hash, algorithm: { infer: true } }
disable: { where: ${where} }
${empty}
`);
    const { summary, failures } = await runImport(['login,gone,hash', ...rows].join('\n'), { recipe });
    expect(failures.filter(({ code }) => code !== 'VALUE_UNKNOWN')).toEqual([]);
    return [failures.length, summary.to_disable];
  }
  const all = JSON.stringify(unclear);
  for (const [where, rejected, disabled] of [
    ['{ column: gone, filled: true }', unclear.length, 1],
    ['{ column: gone, filled: false }', unclear.length, 3],
    ['{ column: gone, not_in: [none, never], filled: true }', unclear.length - 2, 1],
    ['[{ column: gone, filled: false }, { column: gone, in: [none, never] }]', unclear.length - 2, 5],
  ] as const)
    expect([where, ...(await rejectedBy(where))]).toEqual([where, rejected, disabled]);
  expect(await rejectedBy('{ column: gone, filled: true }', `empty: ${all}`)).toEqual([0, 1]);
});

test.each([
  ['filled', [{ column: 'locked_at', not_in: ['never', '-1'], filled: true }]],
  [
    'empty',
    [
      { column: 'locked_at', filled: false },
      { column: 'locked_at', in: ['never', '-1'] },
    ],
  ],
])('a first recipe says of such words that there is no value: %s', async (answer, where) => {
  const days = Array.from({ length: 30 }, (_, at) => `u${at + 9},2020-01-${10 + at}x\n`).join('');
  const content = `user_name,locked_at\nann,never\nbob,-1\ncid,0\n${days}`;
  const { recipe } = await making(content, { 'status locked_at': [answer], fate: ['skip'] });
  expect([recipe.skip?.where].flat()).toEqual(where);
});
