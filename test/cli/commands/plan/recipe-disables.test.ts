import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

const condition = 'disable: { column: status, in: [L] }';

/** Plans a file against a tenant with `u0`, `u1` and so on; of the rows, `L` is disabled by the recipe. */
async function planOf(users: number, statuses: Record<string, string>, ...args: string[]) {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  for (let index = 0; index < users; index += 1)
    await world.client.createUser({ user_name: `u${index}`, name: `u${index}` });
  const rows = Object.entries(statuses).map(([name, status]) => `${name},${status}\n`);
  await writeFile(within('file.csv'), `name,status\n${rows.join('')}`);
  await writeFile(
    within('recipe.yaml'),
    `fields: { user_name: { column: name }, name: { column: name } }
skip: { where: { column: status, in: [S] } }
disable: { where: { column: status, in: [L] } }\n`,
  );
  const plan = within('plan');
  const how = ['--recipe', within('recipe.yaml'), '--allow-passwordless', '--at-most', 'disable=100%'];
  const made = await world.run('plan', within('file.csv'), '--to', plan, ...how, ...args);
  const shown = await world.run('plan', 'show', plan);
  const document = JSON.parse(await readFile(join(plan, 'plan.json'), 'utf8'));
  const page = await readFile(join(plan, 'plan.html'), 'utf8');
  return { world, plan, document, texts: [made.stderr, shown.stderr, page] };
}

test('a plan says for how many rows of the file a condition holds, and how many users are disabled in all', async () => {
  const { world, plan, document, texts } = await planOf(
    5,
    { u0: 'L', u1: 'A', u2: 'A', new1: 'L', new2: 'A', new3: 'A' },
    '--disable-missing',
  );
  expect(document).toMatchObject({
    totals: { create: 3, same: 2, disable: 3 },
    people: { to_disable: 1, by_condition: { [condition]: 2 } },
  });
  for (const text of texts) {
    expect(text).toContain('2 users will be disabled, as the recipe says.');
    expect(text).toContain(`${condition} holds for 2 of 6 rows.`);
    expect(text).toContain(
      '4 users will be disabled in all (1 after the create, 1 as the file says, 2 who are not in it), which the API cannot take back',
    );
    expect(text).not.toContain('most of the file');
  }
  const same = await world.run('plan', 'show', plan, '--action', 'same');
  expect(same.stderr).toContain('2 of 8 actions: same');
  const applied = await world.run('apply', plan, '--yes');
  expect(applied).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('4 users will be disabled') });
  const report = await readFile(join(plan, 'report.html'), 'utf8');
  expect(report).toContain('1 user of those who were created was disabled, as the recipe says.');
  expect(report).not.toContain('holds for');
});

test('a plan warns, as an import does, if the recipe disables or leaves out most of the file', async () => {
  const { texts } = await planOf(3, { u0: 'L', u1: 'L', u2: 'A' });
  for (const text of texts) {
    expect(text).toContain(`${condition} holds for 2 of 3 rows.`);
    expect(text).toContain(
      'disable: of the recipe holds for most of the file. Compare it with the values of the columns that it names.',
    );
    expect(text.match(/users will be disabled/g)).toHaveLength(1);
  }
  const skipping = await planOf(3, { u0: 'S', u1: 'S', u2: 'L' }, '--only', 'disable');
  for (const text of skipping.texts)
    expect(text).toContain('The recipe leaves out 2 of 3 rows. Compare its skip:');
});

test('a user whom a plan disables is not updated in it: this is said, and the next plan updates them', async () => {
  const { world } = await planOf(3, { u0: 'A' });
  const id = (await world.client.getUserByUserName('u0')).user_id;
  const mails = join(world.directory, 'mails.csv');
  await writeFile(mails, 'name,status,mail\nu0,L,u0@example.org\nu1,A,u1@example.org\n');
  const recipe = join(world.directory, 'mails.yaml');
  const fields = '{ user_name: { column: name }, name: { column: name }, email: { column: mail } }';
  await writeFile(recipe, `fields: ${fields}\ndisable: { where: { column: status, in: [L] } }\n`);
  const words = [
    mails,
    '--recipe',
    recipe,
    '--key',
    'user_name',
    '--allow-passwordless',
    '--update',
    '--at-most',
    'disable=100%',
  ];
  const first = join(world.directory, 'first');
  const made = await world.run('plan', ...words, '--to', first);
  expect(made).toMatchObject({ exitCode: 0 });
  const stays = 'A user who is disabled is not updated by the same plan: fields names what differs.';
  const listed = await world.run('plan', 'show', first, '--action', 'disable', '-o', 'csv');
  expect(listed).toMatchObject({
    stdout: `row,reason,user_id,fields\n1,FILE_SAYS,${id},email\n`,
    stderr: expect.stringContaining(`${stays} A further plan with --update changes it.`),
  });
  const shown = await world.run('plan', 'show', first);
  expect(shown.stderr).toContain(`For example: disable row 1 (user ${id})\n`);
  expect(await world.run('apply', first, '--yes')).toMatchObject({ exitCode: 0 });
  const next = await world.run(
    'plan',
    ...words,
    '--since',
    first,
    '--to',
    join(world.directory, 'next'),
    '--json',
  );
  expect(JSON.parse(next.stdout)).toMatchObject({ totals: { update: 1 }, fields: { email: 1 } });
});

test('a condition is counted for all rows of the file, also for those that fail the checks', async () => {
  const world = await startWorld();
  const within = (name: string) => join(world.directory, name);
  await writeFile(
    within('file.csv'),
    'login,mail,status\nann,a@x.org,L\nbob,no address,L\ncyd,a@x.org,L\ndan,,A\n',
  );
  await writeFile(
    within('recipe.yaml'),
    `fields: { user_name: { column: login }, email: { column: mail } }
disable: { where: { column: status, in: [L] } }\n`,
  );
  const args = ['--recipe', within('recipe.yaml'), '--allow-passwordless', '--job', within('job')];
  const dry = await world.run('import-hashes', within('file.csv'), ...args, '--dry-run', '--json');
  expect(JSON.parse(dry.stdout)).toMatchObject({
    invalid: 2,
    to_disable: 1,
    by_condition: { [condition]: 3 },
  });
});
