import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assessFile } from '../../../src/migration/assess/assess-file.ts';
import { readRecipe } from '../../../src/migration/recipes/read-recipe.ts';
import { temporaryDirectory } from '../../world.ts';

test('unknown values are counted for their columns, even if a name and a value share words', async () => {
  const file = join(await temporaryDirectory(), 'a.csv');
  await writeFile(file, 'login,sex,sex old\nann,old x,x\nbob,m,x\n');
  const reading = await readRecipe(
    'fields: { user_name: { column: login }, attr_gender: { column: sex, values: { m: male } }, industry: { column: sex old, values: { m: a } } }',
  );
  if (!('recipe' in reading)) throw new Error('the recipe is valid');
  const { unknown_values: unknown } = await assessFile({ file, recipe: { name: 'r', ...reading } });
  expect(unknown).toEqual([
    { column: 'sex old', value: 'x', rows: 2 },
    { column: 'sex', value: 'old x', rows: 1 },
  ]);
});

test('a column that is not read and has the words of a status is named, whatever its name is', async () => {
  const file = join(await temporaryDirectory(), 'a.csv');
  const rows = ['ann,Active,Sales,8', 'bob,Suspended,Active,Suspended', 'cyd, Archived ,Active,'];
  await writeFile(file, `login,group,team,x/1\n${rows.join('\n')}\n`);
  const { status_columns: statuses } = await assessFile({ file });
  expect(statuses).toEqual(['group']);
});
