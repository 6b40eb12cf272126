import * as v from 'valibot';
import { count } from '../../contract/wire.ts';
import { described, list, text } from './shapes.ts';

/** What a recipe is, as a file. */
export const recipeFile = {
  title: 'A recipe, as import-hashes --recipe reads it',
  document: async () => (await import('../../migration/recipes/recipe.ts')).recipeSchema,
};

/** What the commands about recipes print. */
export const recipeShapes = {
  'recipe list': list('Built-in recipes', 'recipes', v.strictObject({ name: text, title: text })),
  'recipe show': {
    title: 'A built-in recipe',
    document: async () =>
      v.strictObject({
        name: text,
        recipe: (await import('../../migration/recipes/recipe.ts')).recipeSchema,
        text: described(text, 'the file'),
      }),
  },
  'recipe check': {
    title: 'A recipe whose examples come out as written',
    document: v.strictObject({
      recipe: described(text, 'the file'),
      valid: v.literal(true),
      examples: described(count, 'examples that were tried'),
      rows: v.exactOptional(described(count, 'rows of the file of users')),
      columns: v.exactOptional(described(v.array(text), 'fields, and the columns that they are made from')),
      ignored_columns: v.exactOptional(described(v.array(text), 'columns that the recipe does not use')),
    }),
  },
};
