import { expect, test } from 'vitest';
import { builtInNames, builtInRecipe, builtInText } from '../../../src/migration/recipes/built-in.ts';
import { checkExamples } from '../../../src/migration/recipes/check-examples.ts';
import { readRecipe } from '../../../src/migration/recipes/read-recipe.ts';
import { findPath } from '../../../src/migration/source/json/read-json.ts';

test.each(builtInNames)(
  'the recipe %s is valid, and its examples have the expected results',
  async (name) => {
    const reading = await readRecipe(await builtInText(name));
    expect('issues' in reading ? reading.issues : []).toEqual([]);
    const named = await builtInRecipe(name);
    expect(named.recipe.examples?.length).toBeGreaterThan(1);
    expect(await checkExamples(named)).toEqual([]);
  },
);

test('the list of people that a built-in recipe names is found in a file before its recipe is', async () => {
  const recipes = await Promise.all(builtInNames.map((name) => builtInRecipe(name)));
  const lists = recipes.flatMap(({ recipe: { from } }) =>
    typeof from === 'object' ? (from.records ?? []) : [],
  );
  expect(lists).toContain('users');
  for (const list of lists)
    expect(await findPath('export.json', [Buffer.from(`{"${list}":[{"email":"a@b.cn"}]}`)])).toEqual([list]);
});
