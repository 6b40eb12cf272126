import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtInRecipe } from '../../../src/migration/recipes/built-in.ts';
import { runImport } from '../run-import.ts';

test('a list of users alone is read like the whole export in which the recipe looks for it', async () => {
  const file = join(import.meta.dirname, '../../../fixtures/exports/keycloak.json');
  const whole = readFileSync(file, 'utf8');
  const list = JSON.stringify(JSON.parse(whole).users);
  const recipe = await builtInRecipe('keycloak');
  const options = { allowPasswordless: true, foreignHashes: 'passwordless', concurrency: 1 } as const;
  const { sent } = await runImport(whole, options);
  expect(sent.length).toBeGreaterThan(1);
  expect((await runImport(list, options)).sent).toEqual(sent);
  expect((await runImport(list, { ...options, recipe })).sent).toEqual(sent);
  await expect(runImport('[{"id": "x"}]', { ...options, recipe })).rejects.toThrow(
    'there are no records in the list "users"',
  );
});
