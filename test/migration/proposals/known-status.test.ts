import { expect, test } from 'vitest';
import { assessFile } from '../../../src/migration/assess/assess-file.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { making } from './making.ts';

const ofColumn = (column: string, values: readonly string[], answers?: Record<string, string[]>) =>
  making(
    ['user_name,city', ...values.map((_, at) => `u${at},Rome`)]
      .map((line, at) => `${line},${at === 0 ? column : values[at - 1]}`)
      .join('\n'),
    answers,
  );

test.each([
  ...[
    ['J', 'N'],
    ['O', 'N'],
    ['S', 'N'],
    ['Oui', 'Non'],
    ['Sí', 'No'],
    ['Ja', 'Nein'],
    ['Sim', 'Não'],
  ].flatMap(([yes = '', no = '']) => [
    ['active', yes, no],
    ['locked', no, yes],
  ]),
  ['status', 'Active', 'Inactive'],
  ['user_state', 'ok', 'banned'],
])('of a column %s, the words %s and %s are known', async (column = '', good = '', bad = '') => {
  const line = new RegExp(
    `: add skip: \\{ where: \\{ column: ${column}, in: \\['?${bad}'?\\], known: \\['?${good}'?\\] \\} \\},`,
  );
  const values = [good, good, bad];
  expect((await ofColumn(column, values)).open).toEqual([expect.stringMatching(line)]);
  const { recipe, open } = await ofColumn(column, values, { fate: ['skip'] });
  expect([recipe.skip, open]).toEqual([{ where: { column, in: [bad], known: [good] } }, []]);
});

test.each([
  ['active', '1'],
  ['is_active', 'TRUE'],
  ['locked', 'No'],
  ['enabled', 'J'],
  ['is_deleted', '否'],
  ['status', 'active'],
])('a status %s that is good in every row is read all the same: %s', async (column, value) => {
  const { recipe, open, notes } = await ofColumn(column, [value, value]);
  expect([recipe.skip, open, notes]).toEqual([{ where: { column, in: [], known: [value] } }, [], []]);
});

test('who is disabled only in a later export is not enabled', async () => {
  const { md5 } = goodHashes;
  const file = (last: string) => `user_name,active,hash\nann,1,${md5}\nbob,${last},${md5}\n`;
  const recipe = { name: 'made', recipe: (await making(file('1'))).recipe };
  const { sent, failures } = await runImport(file('0'), { recipe, concurrency: 1 });
  expect(sent.map(({ user_name: name }) => name)).toEqual(['ann']);
  expect(failures.map(({ code }) => code)).toEqual(['VALUE_UNKNOWN']);
});

test.each([
  ['status', '1'],
  ['user_status', '0'],
  ['user_state', 'frozen goods'],
])('a column %s that is %s in every row tells nobody apart, and is a remark', async (column, value) => {
  const { recipe, open, notes } = await ofColumn(column, [value, value]);
  expect([recipe.skip, open]).toEqual([undefined, []]);
  expect(notes).toEqual([
    `${column} has the value ${value} in all 2 rows, and is not used: if another value means that a person may not log in, add a condition before the recipe reads another file`,
  ]);
});

test.each([
  ['status', 'suspended'],
  ['active', '0'],
  ['archived', '1'],
])('a column %s that is %s in every row is asked about', async (column, value) => {
  const { open } = await ofColumn(column, [value, value]);
  expect(open).toEqual([expect.stringContaining(`${column} may say who is disabled`)]);
});

test.each([
  [['status'], ['7', '8']],
  [['locked_at'], ['2020-01-01', '']],
])(
  'that a column says nothing about who may log in can be an answer, and stays in the recipe: %j',
  async ([column = ''], values) => {
    const { recipe, open } = await ofColumn(column, values, { [`status ${column}`]: [' '] });
    expect([recipe.skip, open, recipe.ignore]).toEqual([undefined, [], [column]]);
  },
);

test.each([
  'newsletter_status',
  ...['mfa_enabled', '2fa_status', 'sms.active', 'notifications.email.enabled', 'devices.0.status'],
])('nobody is asked whether %s says who may log in', async (name) => {
  const { recipe, open, notes } = await ofColumn(name, ['active', 'inactive', 'active']);
  expect([recipe.skip, open, notes]).toEqual([undefined, [], []]);
});

test('a state, which may be that of an address, is asked about by its values, and named by assess', async () => {
  const made = await ofColumn('state,zip', ['OK,1', 'OK,2', 'IN,3']);
  expect([made.recipe.skip, made.open]).toEqual([
    undefined,
    [
      expect.stringMatching(
        /^state may say .*\[VALUES\].*; if it says something else, add it to ignore: of the recipe, and delete this question$/,
      ),
    ],
  ]);
  expect((await assessFile({ file: made.file })).status_columns).toEqual(['state']);
});

test('words that are flags in YAML 1.1 are quoted', async () => {
  const rows = ['Yes', 'Yes', 'No'].map((word, at) => `u${at},u${at}@b.cn,${word}`);
  const { text } = await making(['username,email,active', ...rows].join('\n'), { fate: ['skip'] });
  expect(text).toContain('in: [ "No" ], known: [ "Yes" ]');
});

test.each([
  ['Account\nStatus', 'active', 'disabled'],
  ['Disabled?\r\n(Y/N)', 'N', 'Y'],
  [
    `Status (${'A = active, I = inactive, B = blocked by the administrator, '.repeat(5)})`,
    'active',
    'blocked',
  ],
])('a header as spreadsheets have them is that of a status: %j', async (column, good, bad) => {
  const { recipe, open, text } = await ofColumn(`"${column}"`, [good, good, bad], { fate: ['skip'] });
  expect([recipe.skip, open]).toEqual([{ where: { column, in: [bad], known: [good] } }, []]);
  expect(text).not.toContain('\r');
});

test('hashes and a question about a status are found under a header of two lines', async () => {
  const { bcrypt } = goodHashes;
  const file = `user_name,"Password\n(hash)","Account\nStatus"\nann,${bcrypt},0\nbob,${bcrypt},1\n`;
  const { recipe, open } = await making(file);
  expect(recipe.password).toMatchObject({ column: 'Password\n(hash)' });
  expect(open).toEqual([expect.stringContaining('Account Status may say who is disabled (0: 1, 1: 1')]);
  expect(open.join()).toContain('{ column: "Account\\nStatus", in: [');
});

test('columns without a name are asked about by their places, and a recipe can read them so', async () => {
  const { md5 } = goodHashes;
  const file = `user_name,hash,, \nann,${md5},active,1\nbob,${md5},disabled,2\nuser_name,hash,, \n`;
  const { recipe, open, text } = await making(file);
  expect(open).toEqual([
    expect.stringContaining('(column 3) may say who is disabled (active: 1, disabled: 1'),
  ]);
  expect(open.join()).toContain("{ column: '(column 3)', in: [");
  expect(text).toContain('# Not used: (column 3) (66.7 %), (column 4) (66.7 %)');
  const skip = { where: { column: '(column 3)', in: ['disabled'], known: ['active'] } };
  const decided = { name: 'decided', recipe: { ...recipe, skip, open: [] } };
  const { sent, summary } = await runImport(file, { recipe: decided, concurrency: 1 });
  expect(sent.map(({ user_name: name }) => name)).toEqual(['ann']);
  expect(summary).toMatchObject({
    skipped: 1,
    issues: { HEADER_REPEATED: 1 },
    ignored_columns: ['(column 4)'],
  });
});
