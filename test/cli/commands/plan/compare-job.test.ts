import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { startWorld } from '../../../world.ts';

async function worldWithFile() {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  await writeFile(within('staff.csv'), 'user_name\nann\n');
  return { world, within };
}

test('compare --job refuses a job that wrote nothing, and one of another tenant: exit code 3', async () => {
  const { world, within } = await worldWithFile();
  const words = ['import-hashes', within('staff.csv'), '--allow-passwordless'];
  await world.run(...words, '--job', within('checked'), '--dry-run');
  await world.run(...words, '--job', within('job'));
  const other = await startWorld();
  for (const [tenant, job, fault] of [
    [world, 'checked', 'its job wrote nothing to a tenant'],
    [other, 'job', 'its job was for another tenant: base_url was'],
  ] as const) {
    const lists = within('lists');
    expect(
      await tenant.run('compare', within('staff.csv'), '--job', within(job), '--to', lists),
    ).toMatchObject({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringContaining(fault),
    });
  }
});

test('no plan is made in the directory of a comparison, where it could not be applied', async () => {
  const { world, within } = await worldWithFile();
  await world.run('compare', within('staff.csv'), '--to', within('lists'));
  const plan = await world.run('plan', within('staff.csv'), '--to', within('lists'), '--allow-passwordless');
  expect(plan).toMatchObject({
    exitCode: 3,
    stdout: '',
    stderr: expect.stringMatching(/lists: this directory contains .* of a comparison or a job\nName another/),
  });
});

test('a user whom the job itself disabled does not count as changed since, and nobody knows whether somebody else changed them', async () => {
  let time = Date.UTC(2026, 0, 1);
  const world = await startWorld({ now: () => (time += 1000) });
  const within = (name: string) => join(world.directory, name);
  const file = within('legacy.csv');
  await writeFile(file, `login,name,hash\nann,Ann,${goodHashes.md5}\n`);
  const recipeOf = async (name: string, field: string) => {
    await writeFile(
      within(name),
      `from: csv
fields:
  user_name: { column: login }
${field}password: { column: hash, algorithm: { value: md5 } }
disable: { where: { column: login, filled: true } }
`,
    );
    return ['--recipe', within(name)];
  };
  const job = within('job');
  await world.run('import-hashes', file, ...(await recipeOf('first.yaml', '')), '--yes', '--job', job);
  const named = await recipeOf('named.yaml', '  name: { column: name }\n');
  const lists = within('lists');
  const { stdout } = await world.run('compare', file, ...named, '--job', job, '--to', lists, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ differs: 1, fields: { name: 1 }, changed_since: 0 });
  expect(await readFile(join(lists, 'differs.csv'), 'utf8')).toMatch(/,,created\n$/);
});
