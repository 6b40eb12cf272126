import type { BuiltInRecipe } from '../../migration/recipes/built-in.ts';
import type { NamedRecipe } from '../../migration/recipes/recipe.ts';
import { guess } from '../../text/edit-distance.ts';
import type { CommandContext } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { invalidFile, nameOf, readText } from './read-input.ts';

/** Options that name a recipe: by its system, or as a file. */
export interface RecipeOptions {
  from?: string | undefined;
  recipe?: string | undefined;
}

/** The recipe that the options name; `undefined` if the file's content decides. Throws a `UsageError` if it does not exist. */
export async function readRecipeOption(
  context: CommandContext,
  { from, recipe }: RecipeOptions,
): Promise<NamedRecipe | 'none' | undefined> {
  if (recipe !== undefined) return readRecipeFile(context, recipe);
  if (from === undefined || from === 'none') return from;
  return namedBuiltIn(from);
}

/** Finds a built-in recipe by its name. Throws a `UsageError` that lists the names if there is none. */
export async function namedBuiltIn(name: string): Promise<BuiltInRecipe> {
  const { builtInNames, builtInRecipe, isBuiltIn } = await import('../../migration/recipes/built-in.ts');
  if (isBuiltIn(name)) return builtInRecipe(name);
  const names = builtInNames.join(', ');
  throw new UsageError(
    `there is no built-in recipe ${JSON.stringify(name)}`,
    `${guess(name, builtInNames)}Built-in recipes: ${names}. A file of your own is named with --recipe.`,
  );
}

/** Reads a recipe from a file, or from standard input for `-`. Throws a `UsageError` with every issue and its line. */
export async function readRecipeFile(context: CommandContext, file: string): Promise<NamedRecipe> {
  const text = await readText(context, file);
  const { readRecipe } = await import('../../migration/recipes/read-recipe.ts');
  const reading = await readRecipe(text);
  const name = nameOf(file);
  if ('recipe' in reading) return { name, recipe: reading.recipe };
  const issues = reading.issues.map(({ line, path, message }) => ({
    path: [line === undefined ? '' : `line ${line}`, path].filter(Boolean).join(', '),
    message,
  }));
  const hint =
    'Nothing was sent. Its schema: tenant-users schema recipe. A complete one: tenant-users recipe show django';
  throw await invalidFile(name, 'a valid recipe', issues, hint);
}
