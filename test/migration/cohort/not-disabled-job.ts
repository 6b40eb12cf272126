import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecipe } from '../../../src/migration/recipes/read-recipe.ts';
import { goodHashes } from '../hashes.ts';
import { startTenant } from '../start-tenant.ts';

const { md5 } = goodHashes;

/**
 * A file of one row, identified by this field, that the recipe disables. It is imported into a tenant in which every
 * disabling fails.
 */
export async function notDisabledJob(directory: string, field: string) {
  const tenant = await startTenant();
  const file = join(directory, 'users.csv');
  await writeFile(file, `login,pwd,off\nann,${md5},1\n`);
  const reading = await readRecipe(`
fields: { ${field}: { column: login } }
password: { column: pwd, algorithm: { value: md5 } }
disable: { where: { column: off, in: ["1"] } }
examples: [{ in: { login: ann, pwd: ${md5} }, out: { ${field}: ann } }]
`);
  if ('issues' in reading) throw new Error(JSON.stringify(reading.issues));
  const options = {
    file,
    jobDirectory: join(directory, 'job'),
    recipe: { name: 'mine.yaml', recipe: reading.recipe },
  };
  return { tenant, options, failing: { ...tenant, disableUser: () => Promise.reject(new Error('down')) } };
}
