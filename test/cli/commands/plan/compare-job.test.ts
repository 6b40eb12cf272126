import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
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

test('with --job, a user who has other identifiers now differs: neither missing nor extra', async () => {
  let time = Date.UTC(2026, 0, 1);
  const world = await startWorld({ now: () => (time += 1000) });
  const within = (name: string) => join(world.directory, name);
  const file = within('legacy.csv');
  await writeFile(file, 'user_name\nann\nbob\ncid\n');
  await world.run('import-hashes', file, '--allow-passwordless', '--job', within('job'));
  const idOf = async (name: string) => (await world.client.getUserByUserName(name)).user_id;
  const [ann, bob, cid] = await Promise.all(['ann', 'bob', 'cid'].map(idOf));
  await world.client.updateUser(ann ?? '', { user_name: 'anna' });
  await world.client.disableUser(ann ?? '');
  await world.client.updateUser(bob ?? '', { user_name: 'rob' });
  await world.client.updateUser(cid ?? '', { user_name: 'bob' });
  const compare = async (...more: string[]) => {
    const ended = await world.run('compare', file, '--to', within('lists'), '--json', ...more);
    const list = async (name: string) =>
      (await readFile(within(`lists/${name}.csv`), 'utf8')).trimEnd().split('\n').slice(1);
    return {
      ...ended,
      summary: JSON.parse(ended.stdout),
      differs: await list('differs'),
      ambiguous: await list('ambiguous'),
    };
  };
  const { exitCode, summary, differs, ambiguous } = await compare('--job', within('job'));
  expect(exitCode).toBe(7);
  expect(summary).toMatchObject({
    same: 1,
    differs: 1,
    missing: 0,
    ambiguous: 1,
    extra: 1,
    changed_since: 1,
  });
  expect(summary.fields).toEqual({ user_name: 1, disabled: 1 });
  expect(differs).toEqual([expect.stringMatching(`^1,2,${ann},user_name disabled,.*,yes,created$`)]);
  expect(ambiguous).toEqual([
    expect.stringMatching('^3,4,cid,,another row of the file is the same user,,created$'),
  ]);
  expect((await compare()).summary).toMatchObject({ same: 1, missing: 2, extra: 2 });
});

test('a comparison advises the options of a plan, and says nothing of a job that did not reach every row', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  const [file, recipe] = [within('people.csv'), within('mine.yaml')];
  await writeFile(file, 'user_name,email\nann,no address\nbob,no address\n');
  await writeFile(recipe, 'fields: { user_name: { column: user_name } }\n');
  const options = ['--recipe', recipe, '--allow-passwordless'];
  // Of the consents, that for the rows of one run is not repeated.
  const accepting = ['--accept', 'OUTER_BLANK', '--accept', 'KEY_CHANGED'];
  await world.run('plan', file, ...options, ...accepting, '--to', within('plan'));
  await world.run('apply', within('plan'), '--yes');
  const compared = async (job: string) =>
    (await world.run('compare', file, '--job', job, '--to', within('lists'))).stderr;
  expect(await compared(within('plan'))).toContain(
    `0 rows failed them in ${within('plan')}. To compare what it imported, give the same options for the file as its plan:\n  tenant-users plan ${file} --recipe ${recipe} --allow-passwordless --accept OUTER_BLANK\n`,
  );
  await world.run('import-hashes', file, '--allow-passwordless', '--job', within('job'));
  await forgetOutcomes(within('job'), 1);
  expect(await compared(within('job'))).not.toContain('failed them');
});

test('compare --job says that its file may have been changed, if the file has another digest', async () => {
  const { world, within } = await worldWithFile();
  const file = within('staff.csv');
  await world.run('import-hashes', file, '--allow-passwordless', '--job', within('job'));
  await writeFile(file, 'user_name\nbob\n');
  expect(await world.run('compare', file, '--job', within('job'), '--to', within('lists'))).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(
      `job: it is the job of another file, or of this one before it was changed (${file})\n`,
    ),
  });
});
