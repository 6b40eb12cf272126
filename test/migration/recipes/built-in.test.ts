import { expect, test } from 'vitest';
import { builtInNames, builtInRecipe, builtInText } from '../../../src/migration/recipes/built-in.ts';
import { checkExamples } from '../../../src/migration/recipes/check-examples.ts';
import { readRecipe } from '../../../src/migration/recipes/read-recipe.ts';

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
