import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openInput } from '../../../src/migration/input/open-input.ts';
import { lookAtFile, makeRecipe } from '../../../src/migration/make-recipe.ts';
import type { RecipeQuestion } from '../../../src/migration/proposals/interview.ts';
import { readRecipe } from '../../../src/migration/recipes/read-recipe.ts';
import type { Recipe } from '../../../src/migration/recipes/recipe.ts';
import { temporaryDirectory } from '../../world.ts';

/**
 * A first recipe for a file with this content, with these answers of a person and this mapping; a question without an
 * answer here is an error.
 */
export async function making(
  content: string | Buffer,
  answers: Record<string, string[]> = {},
  map: { field: string; column: string }[] = [],
) {
  const file = join(await temporaryDirectory(), 'legacy.csv');
  await writeFile(file, content);
  const ask = async ({ id, suggested = [], initial = suggested }: RecipeQuestion) => answers[id] ?? initial;
  const made = await makeRecipe(await lookAtFile(file, { map }), {
    map,
    region: undefined,
    ask: Object.keys(answers).length > 0 ? ask : undefined,
  });
  const reading = await readRecipe(made.text);
  expect(reading).toEqual({ recipe: made.recipe });
  if (made.open.length > 0) return made;
  const recipe = { name: 'made', recipe: made.recipe };
  const { source } = await openInput(file, { recipe, allowPasswordless: true });
  await source.close();
  return made;
}

/** A first recipe for a file of three people with these columns; a value has a # where the number of the person comes. */
export const ofColumns = (columns: Record<string, string>) =>
  making(
    [
      Object.keys(columns),
      ...[7, 8, 9].map((at) => Object.values(columns).map((value) => value.replace('#', `${at}`))),
    ]
      .map((cells) => cells.join(','))
      .join('\n'),
  );

/** The column that each field is read from. */
export const readBy = ({ recipe: { fields } }: { recipe: Pick<Recipe, 'fields'> }) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, { column }]) => (column ? [[field, column]] : [])),
  );
