import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { making } from './making.ts';

const { bcrypt } = goodHashes;

/** A file of twelve people, and these columns: for each, the values of the first ones, and that of all others. */
function fileOf(columns: Record<string, readonly [values: readonly string[], others: string]>): string {
  const names = Object.keys(columns);
  const rows = Array.from({ length: 12 }, (_, at) => [
    `u${at}`,
    `u${at}@b.cn`,
    bcrypt,
    ...Object.values(columns).map(([values, others]) => values[at] ?? others),
  ]);
  return [['login', 'mail', 'password', ...names], ...rows].map((cells) => cells.join(',')).join('\n');
}

test.each([
  ['Sperre', ['1'], '0', '(1: 1, 0: 11)'],
  ['Löschkennzeichen', ['X'], '', '(a value in 1 of 12 rows, such as A)'],
  ['在籍区分', ['退職', '退職'], '在籍', '(退職: 2, 在籍: 10)'],
  ['Gesperrt', ['ja'], 'nein', '(ja: 1, nein: 11)'],
  ['rolcanlogin', ['f'], 't', '(f: 1, t: 11)'],
  ['valid_id', ['2', '3'], '1', '(2: 1, 3: 1, 1: 10)'],
  ['loginShell', ['/sbin/nologin'], '/bin/bash', '(/sbin/nologin: 1, /bin/bash: 11)'],
  ['group', ['Suspended'], 'Active', '(Suspended: 1, Active: 11)'],
  [
    'city',
    ['Rome', 'Rome', 'Bonn', 'Bonn', 'Ulm', 'Rio'],
    'Oslo',
    // In the order of the file: nothing is left out for "1 more".
    '(Rome: 2, Bonn: 2, Ulm: 1, Rio: 1, Oslo: 6)',
  ],
  [
    'city',
    ['Rome', 'Rome', 'Bonn', 'Bonn', 'Ulm', 'Ulm', 'Rio', 'Bern'],
    'Oslo',
    '(Oslo: 4, Rome: 2, Bonn: 2, Ulm: 2, 2 more)',
  ],
  ['department', ['Sales', 'Sales'], '', '(Sales: 2, no value: 10)'],
  ['Sperrdatum', ['31.12.2019'], '', '(a value in 1 of 12 rows, such as 99.99.9999)'],
  ['ferme', ['1600000000', '1700000000'], '0', '(a value in 2 of 12 rows, such as 9, 9999999999)'],
  ['austritt', ['43831', '44197'], '', '(a value in 2 of 12 rows, such as 99999)'],
  ['GLTGB', ['31.12.2019'], '31.12.9999', '(a value in 12 of 12 rows, such as 99.99.9999)'],
])(
  'whatever it is called, a column such as %s is in one question with its values: %j, else %j',
  async (name, values, others, shown) => {
    const { recipe, open } = await making(
      fileOf({ [name]: [values, others], town: [['Rome', 'Rome'], 'Oslo'] }),
    );
    expect(open).toEqual([
      expect.stringMatching(
        / may say who is disabled: for each that does, add .*, or these people are enabled; add the others to ignore: of the recipe, and delete this question$/,
      ),
    ]);
    expect(open[0]).toContain(`${name} ${shown}`);
    expect(recipe.skip).toBeUndefined();
    const { open: alone } = await making(fileOf({ [name]: [values, others] }));
    expect(alone).toEqual([
      expect.stringMatching(
        `^${name} may say who is disabled .*; if it says something else, add it to ignore: of the recipe, and delete this question$`,
      ),
    ]);
  },
);

const upTo = (text: (at: number) => string) => [Array.from({ length: 12 }, (_, at) => text(at)), ''] as const;

test.each([
  ['first_name', upTo((at) => `${'abcdef'[at % 6]}nn`)],
  ['Notiz', upTo((at) => `spoke on the telephone, number ${at}`)],
  ['nr', upTo((at) => String(100 + at))],
  ['website', [['https://a.cn/'], '']],
  ['Vorgesetzter', [['boss@b.cn', 'boss@b.cn'], 'chief@b.cn']],
  ['Fon', [['+8613800138000'], '']],
  ['sms_active', [['1'], '0']],
  ['grain_salt', [['a', 'a'], 'b']],
  ['status_quo', [[], 'active']],
  ['erstellt', upTo((at) => `2020-01-${10 + at}`)],
  ['token', [[bcrypt], '']],
  ['of ann@b.cn', [['1'], '0']],
  ['updated_at', [['2020-01-01'], '2020-01-02']],
] as const)('nobody is asked whether %s says who may not log in', async (name, column) => {
  const { open } = await making(fileOf({ [name]: column }));
  expect(open.filter((text) => text.includes('may say'))).toEqual([]);
});

test('of many columns, the question names all, with the values of those that most likely say it', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 9 }, (_, at) => [`c${at}`, [['x', 'x', 'y', 'y'], 'z']]),
  );
  const { open } = await making(fileOf({ ...many, aktiv: [['nein'], 'ja'] } as Parameters<typeof fileOf>[0]));
  expect(open[0]).toContain(`aktiv (nein: 1, ja: 11), c0 (x: 2, y: 2, z: 8), c1`);
  expect(open[0]).toContain('c6 (x: 2, y: 2, z: 8), c7, c8 may say who is disabled: for each that does, add');
  expect(open[0]).toContain(
    'does, add { column: COLUMN, in: [VALUES], known: [OTHER VALUES] } to skip: { where: [CONDITIONS] },',
  );
});

const two = fileOf({
  Sperre: [['1'], '0'],
  city: [['Rome', 'Rome'], 'Oslo'],
  ende: [['2020-01-01'], '2999-01-01'],
});

test('who chooses a column is asked what its values mean; the others are ignored', async () => {
  const { recipe, open } = await making(two, {
    statuses: ['Sperre', 'ende'],
    'status Sperre': ['1'],
    'status ende': ['past'],
    fate: ['skip'],
  });
  expect(open).toEqual([]);
  expect(recipe).toMatchObject({
    skip: {
      where: [
        { column: 'Sperre', in: ['1'], known: ['0'] },
        { column: 'ende', past: true },
      ],
    },
    ignore: ['city'],
  });
  const { summary } = await runImport(two, { recipe: { name: 'made', recipe } });
  expect(summary).toMatchObject({ created: 11, skipped: 1, ignored_columns: [] });
});

test('that none of them says it is an answer; neither Enter alone nor a contradiction is one', async () => {
  const none = await making(two, { statuses: [' '] });
  expect([none.open, none.recipe.ignore]).toEqual([[], ['Sperre', 'city', 'ende']]);
  const piped = await making(two);
  for (const statuses of [[], ['city', ' ']]) {
    const { open, recipe } = await making(two, { statuses });
    expect([open, recipe.ignore]).toEqual([piped.open, undefined]);
  }
});

test('an import names the columns whose values may say who may not log in once, unless the recipe ignores them', async () => {
  const { recipe } = await making(two, { statuses: ['Sperre'], 'status Sperre': ['1'], fate: ['skip'] });
  const { ignore: _, ...before } = recipe;
  const { summary } = await runImport(two, { recipe: { name: 'made', recipe: before } });
  expect(summary).toMatchObject({ created: 11, status_columns: ['city'] });
  const decided = await runImport(two, { recipe: { name: 'made', recipe } });
  expect(decided.summary).not.toHaveProperty('status_columns');
});
