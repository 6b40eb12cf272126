import * as v from 'valibot';
import { count, described, optional, text, textOrNull } from '../../contract/value-schemas.ts';
import { list } from './shapes.ts';

/** A recipe file. */
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
  'recipe make': {
    title: 'A first recipe for a file of users',
    document: async () =>
      v.strictObject({
        ...(await import('../../migration/make-recipe.ts')).madeRecipe.entries,
        to: described(textOrNull, 'the file that it was written to'),
      }),
  },
  'recipe check': {
    title: 'A recipe whose examples come out as written',
    document: v.strictObject({
      recipe: described(text, 'the file'),
      valid: v.literal(true),
      examples: described(count, 'examples that were tried'),
      open: described(v.array(text), 'what is left to decide before an import or a plan with the recipe'),
      rows: optional(count, 'rows of the file of users'),
      columns: optional(v.array(text), 'fields, and the columns that they are made from'),
      ignored_columns: optional(v.array(text), 'columns that the recipe does not use'),
      missing_columns: optional(
        v.array(text),
        'columns of conditions that the file lacks: nobody is skipped or disabled by them',
      ),
    }),
  },
};
