import { expect, test } from 'vitest';
import { compileSteps } from '../../../src/migration/recipes/steps.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { recipeOf } from './recipe-of.ts';

const { md5 } = goodHashes;
const password = 'password: { column: hash, algorithm: { infer: true } }';

/** Imports rows of one condition: the user names that are sent, and those of users who are then disabled. */
async function disabledBy(condition: string, values: readonly string[]) {
  const recipe = await recipeOf(`
fields: { user_name: { column: login } }
${password}
empty: ["-"]
disable: { where: ${condition} }
`);
  const rows = values.map((value, row) => `u${row},${value},${md5}`);
  const { summary, failures } = await runImport(['login,status,hash', ...rows].join('\n'), { recipe });
  return { disabled: summary.to_disable, codes: failures.map(({ code }) => code) };
}

test.each([
  ['{ column: status, in: [D] }', ['D', 'D  ', ' D', 'D\u00a0', 'A '], 4, []],
  ['{ column: status, in: ["D  "] }', ['D', 'D  ', 'D    '], 3, []],
  ['{ column: status, in: [D], known: [A] }', ['D ', 'A  ', ' - ', '   ', 'x '], 1, ['VALUE_UNKNOWN']],
  ['{ column: status, not_in: [A] }', ['A', 'A  ', 'D '], 1, []],
  ['{ column: status, filled: true }', ['', ' ', '\t', '\u3000', '- ', 'x '], 1, []],
  ['{ column: status, filled: false }', ['', ' ', '- ', 'x '], 3, []],
  ['{ column: status, match: "^D$" }', ['D', 'D  ', ' D', 'DD'], 3, []],
  ['{ column: status, not_past: true }', [' ', ' 2001-01-01 ', '2999-01-01 '], 1, []],
  ['{ column: status, not_past: true }', ['infinity', '5/1/2001'], 1, ['VALUE_UNKNOWN']],
  ['{ column: status, past: true }', [' ', ' 2001-01-01 ', '2001-01-01T00:00:00Z', 'NULL', '- '], 2, []],
  ['{ column: status, past: true }', ['2999-01-01', 'infinity', 'Never', '5/1/2001'], 0, ['VALUE_UNKNOWN']],
  ['{ column: [status, login], in: [u0] }', [' ', 'u0 '], 2, []],
])('a condition reads values that are padded with blanks: %s', async (condition, values, disabled, codes) => {
  expect(await disabledBy(condition, values)).toEqual({ disabled, codes });
});

test.each(['[epoch-milliseconds, epoch-seconds]', '[epoch-seconds]'])(
  'every time of the year 9999 means that an account has no end, in any time zone: %s',
  async (date) => {
    // The first and the last moment of the year on Earth, and the last midnight in Shanghai and in Paris.
    const ends = [253370728800, 253370764800, 253402185600, 253402210800, 253402300799, 253402343999];
    const values = [...ends, ...ends.map((end) => end * 1000)].map(String);
    const past = ['1600000000', '1600000001'];
    const condition = `{ column: status, past: true, date: ${date} }`;
    expect(await disabledBy(condition, [...values, ...past])).toEqual({ disabled: 2, codes: [] });
  },
);

test('of several columns, one whose value the rule itself takes for none is passed over', async () => {
  const recipe = await recipeOf(`
fields:
  user_name: { column: login }
  mobile: { column: [mobile, phone], trim: true, empty: ["-", 0] }
  name: { template: "{last} {first}", empty: ["?"], trim: true }
  attr_nick_name: { column: nick, template: "{first}!", empty: ["?"], trim: true }
${password}
`);
  const rows = [
    'a,-,86-13800000001,Li,Ann,?',
    'b, ,86-13800000002,?,Bob, ',
    'c,0,-,Wu,?,cy',
    'd,86-13800000004,86-13800000005,?,?,di ',
    'e, - ,86-13800000006, ? ,Eve,? ',
  ].map((row) => `${row},${md5}`);
  const content = ['login,mobile,phone,last,first,nick,hash', ...rows].join('\n');
  const { sent, failures } = await runImport(content, { recipe, concurrency: 1 });
  expect(failures).toEqual([]);
  expect(sent.map(({ mobile, name, attr_nick_name }) => [mobile, name, attr_nick_name])).toEqual([
    ['86-13800000001', 'Li Ann', 'Ann!'],
    ['86-13800000002', 'Bob', 'Bob!'],
    [undefined, 'Wu', 'cy'],
    ['86-13800000004', undefined, 'di'],
    ['86-13800000006', 'Eve', 'Eve!'],
  ]);
});

test('a table of values says with the empty text what becomes of no value', async () => {
  const recipe = await recipeOf(`
fields:
  user_name: { column: login }
  attr_gender: { column: sex, values: { M: male, "": unknow }, empty: ["-"] }
  attr_nick_name: { column: sex, values: { M: m, "": a }, empty: ["-"], default: b }
${password}
`);
  const rows = ['ann,M', 'bob,', 'cyd,-', 'dan,X'].map((row) => `${row},${md5}`);
  const content = ['login,sex,hash', ...rows].join('\n');
  const { sent, failures } = await runImport(content, { recipe, concurrency: 1 });
  expect(sent.map(({ attr_gender, attr_nick_name }) => [attr_gender, attr_nick_name])).toEqual([
    ['male', 'm'],
    ['unknow', 'b'],
    ['unknow', 'b'],
  ]);
  expect(failures.map(({ user_name, code }) => [user_name, code])).toEqual([['dan', 'VALUE_UNKNOWN']]);
});

test('a table of values says with the empty text what becomes of a column that the file lacks', async () => {
  const recipe = await recipeOf(`
fields:
  user_name: { column: login }
  attr_gender: { column: sex, optional: true, values: { M: male, "": unknow } }
  attr_nick_name: { column: nick, optional: true, values: { M: m } }
${password}
`);
  const { sent, failures } = await runImport(`login,hash\nann,${md5}\n`, { recipe });
  expect(failures).toEqual([]);
  expect(sent).toMatchObject([{ user_name: 'ann', attr_gender: 'unknow' }]);
  expect(sent[0]).not.toHaveProperty('attr_nick_name');
});

test('a word that otherwise leaves out does not become the value for none', async () => {
  for (const none of [{ values: { a: 'b', '': 'x' } }, { values: { a: 'b' }, default: 'x' }]) {
    const step = await compileSteps({ ...none, otherwise: '' });
    expect(['a', 'c', ''].map(step)).toEqual(['b', '', 'x']);
  }
});
