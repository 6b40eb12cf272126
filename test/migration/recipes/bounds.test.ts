import { expect, test } from 'vitest';
import { readRecipe } from '../../../src/migration/recipes/read-recipe.ts';
import { compileSteps } from '../../../src/migration/recipes/steps.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { recipeOf } from './recipe-of.ts';

const tenfold = { match: 'n', with: 'n'.repeat(10) };
const ofName = (replace: object[]) =>
  `fields:\n  user_name: { column: login, replace: ${JSON.stringify(replace)} }\npassword: { column: pw, algorithm: { value: md5 } }\n`;

test('a row for which replacements would make a text without end is rejected with its line', async () => {
  const content = `login,pw\nbob,${goodHashes.md5}\nann,${goodHashes.md5}\n`;
  const recipe = await recipeOf(ofName(Array(12).fill(tenfold)));
  const { sent, failures } = await runImport(content, { recipe });
  expect(sent).toMatchObject([{ user_name: 'bob' }]);
  expect(failures).toMatchObject([{ row: '2', line: '3', code: 'REPLACED_TOO_LONG' }]);
});

test.each<[string, { match: string; with: string }[], string, string | object]>([
  [
    'one long text for each letter',
    [{ match: '', with: 'x'.repeat(1000) }],
    'a'.repeat(1000),
    { code: 'REPLACED_TOO_LONG' },
  ],
  [
    'the same group many times',
    [{ match: '(.+)', with: '$1'.repeat(300) }],
    'a'.repeat(1000),
    { code: 'REPLACED_TOO_LONG' },
  ],
  [
    'the beginning of a picture',
    [{ match: '^data:;', with: 'data:image/png;' }],
    `data:;${'a'.repeat(200_000)}`,
    `data:image/png;${'a'.repeat(200_000)}`,
  ],
  [
    'what is around a picture',
    [{ match: '^<(.*)>$', with: '$1' }],
    `<${'a'.repeat(200_000)}>`,
    'a'.repeat(200_000),
  ],
])('%s is replaced unless that makes too much', async (_, replace, value, expected) => {
  expect((await compileSteps({ replace }))(value)).toEqual(expected);
});

const levels = [...'abcdefg'].map((name, at, all) => {
  const items = Array(9).fill(at === 0 ? 'x' : `*${all[at - 1]}`);
  return `${name}: &${name} [${items.join()}]`;
});

test.each<[string, string, number, string]>([
  ['aliases of aliases', [...levels, 'fields: *g'].join('\n'), 8, 'too much is repeated'],
  [
    'an alias without an anchor',
    'empty: &none [x]\nfields:\n  name: { column: *nope, empty: *none }',
    3,
    'must be in quotes',
  ],
  [
    'a field __proto__',
    'fields:\n  user_name: { column: a }\n  __proto__: { column: b }',
    3,
    'cannot have the name __proto__',
  ],
  [
    'a key constructor',
    'fields:\n  user_name:\n    column: a\n    constructor: b',
    4,
    'cannot have the name constructor',
  ],
  [
    'a value prototype',
    'fields:\n  name: { column: a, values: { b: c,\n    prototype: d } }',
    3,
    'cannot have the name prototype',
  ],
  ['a replacement by what is before', ofName([{ match: 'a', with: '$`' }]), 2, 'has a sign after $'],
])('%s in a recipe is an issue with its line', async (_, text, line, message) => {
  expect(await readRecipe(text)).toEqual({
    issues: [expect.objectContaining({ line, message: expect.stringContaining(message) })],
  });
});

test('values with an anchor can be repeated', async () => {
  const text = 'empty: &none [x]\nfields:\n  name: { column: a, empty: *none }';
  expect(await readRecipe(text)).toMatchObject({ recipe: { fields: { name: { empty: ['x'] } } } });
});
