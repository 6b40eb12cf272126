import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld } from '../../../world.ts';

test('a plan keeps no examples of its recipe, which may be real records, and is applied without them', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  await writeFile(within('old.csv'), `login,pw\nann,${goodHashes.md5}\n`);
  await writeFile(
    within('recipe.yaml'),
    `title: as for Erna
from: csv
fields: { user_name: { column: login } }
password: { column: pw, algorithm: { value: md5 } }
examples: [{ in: { login: erna, pw: ${goodHashes.md5} }, out: { user_name: erna } }]
`,
  );
  const [to, how] = [within('plan'), ['--recipe', within('recipe.yaml')]];
  expect(await world.run('plan', within('old.csv'), ...how, '--to', to)).toMatchObject({ exitCode: 0 });
  const texts = await Promise.all((await readdir(to)).map((name) => readFile(join(to, name), 'utf8')));
  expect(texts.join()).not.toMatch(new RegExp(`erna|${goodHashes.md5}`, 'i'));
  const applied = await world.run('apply', to, '--yes', '--json');
  expect(JSON.parse(applied.stdout)).toMatchObject({ rows: 1, created: 1 });
});
