import { expect, test } from 'vitest';
import { readRecipe } from '../../../src/migration/recipes/read-recipe.ts';

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
])('%s in a recipe is an issue with its line', async (_, text, line, message) => {
  expect(await readRecipe(text)).toEqual({
    issues: [expect.objectContaining({ line, message: expect.stringContaining(message) })],
  });
});

test('values with an anchor can be repeated', async () => {
  const text = 'empty: &none [x]\nfields:\n  name: { column: a, empty: *none }';
  expect(await readRecipe(text)).toMatchObject({ recipe: { fields: { name: { empty: ['x'] } } } });
});
