import { readRecipe } from '../../../src/migration/recipes/read-recipe.ts';
import type { NamedRecipe } from '../../../src/migration/recipes/recipe.ts';

/** The recipe of a text, which must be valid. */
export async function recipeOf(text: string): Promise<NamedRecipe> {
  const reading = await readRecipe(text);
  if ('issues' in reading) throw new Error(JSON.stringify(reading.issues));
  return { name: 'mine.yaml', recipe: reading.recipe };
}
