import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecipe } from '../../../src/migration/recipes/read-recipe.ts';
import { type Recipe, recipeDigest } from '../../../src/migration/recipes/recipe.ts';
import { startWorld, type TestWorld } from '../../world.ts';
import { goodHashes } from '../hashes.ts';
import { making } from '../proposals/making.ts';

const { bcrypt, md5, md5_sha256: nested } = goodHashes;
const md5Of = (text: string) => createHash('md5').update(text).digest('hex');

const status =
  'status may say who is disabled (17: 1, 18: 1; of 2 rows): add skip: { where: { column: status, in: [VALUES], known: [OTHER VALUES] } }, or such a disable:, or these people are enabled; if it says something else, add it to ignore: of the recipe, and delete this question';
const email = 'email may be mail or e-mail: run recipe make again with --map email=COLUMN';

/** User name and e-mail address of everybody in the tenant. */
async function namesIn({ client }: TestWorld) {
  const { users } = await client.listUsers({ offset: 0, limit: 10 });
  return users.map(({ user_name, email: address }) => [user_name, address]);
}

/** A world with a file about which two questions are open, and the recipe that `recipe make` writes for it in a pipe. */
async function startUndecided() {
  const world = await startWorld();
  const at = (name: string) => join(world.directory, name);
  const [file, recipe] = [at('old.csv'), at('mine.yaml')];
  const people = ['ann,17', 'bob,18'].map((line) => {
    const [name] = line.split(',');
    return `${line},${name}@a.cn,${name}@b.cn,${md5}`;
  });
  await writeFile(file, ['user_name,status,mail,e-mail,password', ...people, ''].join('\n'));
  const made = await world.run('recipe', 'make', file, '--to', recipe);
  const decide = async (from: string | RegExp, to: string) =>
    writeFile(recipe, (await readFile(recipe, 'utf8')).replace(from, to));
  return { world, at, file, recipe, made, decide };
}

test('a recipe with open questions is made, decided and then imported', async () => {
  const { world, at, file, recipe, made, decide } = await startUndecided();
  const warning = `Warning: ${recipe}: 2 questions of the recipe are open: no import and no plan before each is decided\n`;
  expect(made).toMatchObject({ exitCode: 0 });
  expect(made.stderr).toContain(
    `Warning: ${email}\nWarning: ${status}\n2 questions of the recipe are open: decide each in the recipe, then delete it from open:. No import and no plan before.\n`,
  );
  const text = await readFile(recipe, 'utf8');
  expect(text.split('\n').slice(1, 5)).toEqual([
    '# Decide each in the recipe, then delete it here: no import and no plan before.',
    'open:',
    `  - ${JSON.stringify(email)}`,
    `  - ${JSON.stringify(status)}`,
  ]);
  const checked = await world.run('recipe', 'check', recipe, file);
  expect(checked).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(warning) });
  expect(checked.stderr.split(warning)).toHaveLength(2);

  const refusal = {
    exitCode: 2,
    stdout: '',
    stderr: `Target: ${world.baseUrl} (client id test-application)\ntenant-users: ${recipe}: 2 questions of the recipe are open:\n  ${email}\n  ${status}\nNothing was sent. Decide each in the recipe, then delete it from open:.\n`,
  };
  const job = ['--job', at('job')];
  const importing = ['import-hashes', file, '--recipe', recipe];
  expect(await world.run(...importing, ...job)).toEqual(refusal);
  await decide(/^fields:/m, 'skip: { where: { column: status, in: [18], known: [17] } }\nfields:');
  await decide(/ {2}- "status.*\n/, '');
  expect(await world.run(...importing, ...job)).toEqual({
    ...refusal,
    stderr: refusal.stderr
      .replace('2 questions of the recipe are', '1 question of the recipe is')
      .replace(`  ${status}\n`, ''),
  });
  expect(await namesIn(world)).toEqual([]);
  // The last line of a list is deleted, and its key stays.
  await decide(/^fields:/m, 'fields:\n  email: { column: mail }');
  await decide(/ {2}- "email.*\n/, '');
  expect(await readFile(recipe, 'utf8')).toContain('\nopen:\nfrom:');
  const again = await world.run('recipe', 'check', recipe, file);
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('open') });
  expect(await world.run(...importing, ...job)).toMatchObject({ exitCode: 0 });
  expect(await namesIn(world)).toEqual([['ann', 'ann@a.cn']]);
});

test('only what neither sends nor decides for a tenant works with open questions, with a warning', async () => {
  const { world, at, file, recipe } = await startUndecided();
  const using = ['--recipe', recipe];
  const missing = at('missing.csv');
  for (const args of [
    ['import-hashes', file, '--local', at('local.db')],
    ['import-hashes', file, '--shard', '1/2'],
    ['import-hashes', file, '--restart'],
    ['plan', file, '--to', at('plan')],
    ['plan', file, '--local', at('local.db'), '--to', at('plan')],
    // The recipe is looked at first.
    ['import-hashes', missing],
    ['plan', missing, '--to', at('plan')],
  ]) {
    const job = args[0] === 'plan' ? [] : ['--job', at('job')];
    const ended = await world.run(...args, ...using, ...job);
    expect(ended, args.join(' ')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(`${recipe}: 2 questions of the recipe are open:\n`),
    });
    expect(ended.stderr).toContain('delete it from open:.');
  }
  // Not even a database is made before.
  expect(existsSync(at('local.db'))).toBe(false);
  const warning = '2 questions of the recipe are open: no import and no plan before each is decided';
  await writeFile(at('password'), 'secret');
  for (const args of [
    ['import-hashes', file, '--dry-run', '--job', at('dry')],
    ['import-hashes', file, '--dry-run', '--live', '--job', at('live')],
    ['import-hashes', file, '--rehearse', '--job', at('rehearsal')],
    ['assess', file],
    ['forecast', file],
    ['hash', 'identify', '--csv', file],
    ['hash', 'verify', '--csv', file, '--row', '1', '--algorithm', 'md5', '--password-file', at('password')],
  ]) {
    const ended = await world.run(...args, ...using);
    expect(ended, args.join(' ')).toMatchObject({ exitCode: 0 });
    expect(ended.stderr.split(warning), args.join(' ')).toHaveLength(2);
  }
  const compared = await world.run('compare', file, '--to', at('compared'), ...using);
  expect(compared).toMatchObject({ exitCode: 7, stderr: expect.stringContaining(warning) });
  expect(await namesIn(world)).toEqual([]);
});

test.each([
  ['--dry-run', 'check'],
  ['--rehearse', 'rehearse'],
])('the result of %s with open questions proposes to decide them, and no import', async (trial, verb) => {
  const { world, at, file, recipe, decide } = await startUndecided();
  const importing = ['import-hashes', file, '--recipe', recipe, trial, '--job', at('job')];
  const undecided = await world.run(...importing);
  const next = `Next: Decide each open question in the recipe, delete it from open:, and ${verb} again.`;
  expect(undecided.stderr).toContain(`${next}\n  tenant-users import-hashes ${file}`);
  expect(undecided.stderr).not.toContain('for real');
  const shown = await world.run('import-hashes', 'status', at('job'));
  expect(shown.stderr).toContain(next);
  expect(await readFile(at('job/report.html'), 'utf8')).toContain('2 questions of the recipe are open');
  const { stdout } = await world.run(...importing, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ open_questions: 2 });
  await decide(/open:\n.*\n.*\n/, 'ignore: [status]\n');
  const decided = await world.run(...importing);
  expect(decided.stderr).toContain('for real');
  expect(decided.stderr).not.toContain('open');
});

test('JSON has what is open, remarks, and the refusal', async () => {
  const { world, file, recipe } = await startUndecided();
  const { stdout } = await world.run('recipe', 'make', file, '--json');
  const { open, notes, recipe: whole, text } = JSON.parse(stdout);
  expect([open, notes, whole.open]).toEqual([[email, status], [], [email, status]]);
  expect(await readRecipe(text)).toEqual({ recipe: whole });
  const checked = await world.run('recipe', 'check', recipe, '--json');
  expect(JSON.parse(checked.stdout)).toMatchObject({ valid: true, open: [email, status] });
  const refused = await world.run('import-hashes', file, '--recipe', recipe, '--json');
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(JSON.parse(refused.stderr).error.message).toContain(`\n  ${email}\n  ${status}`);
});

test.each([
  // Nobody would keep the password, or everybody has one that is read.
  ['user_name,pwd\nann,hunter2\n', 'open', 'pwd holds no known hashes and is not used: if it holds hashes'],
  [
    `user_name,pwd_hash,pwd\nann,${md5},hunter2\n`,
    'notes',
    'pwd holds no known hashes and is not used: if it holds passwords',
  ],
  [`user_name,email,pwd\nann,a@b.cn,${md5Of('a@b.cn')}\n`, 'open', 'pwd holds the MD5 of email'],
  [
    `user_name,email,pwd_hash,pwd\nann,a@b.cn,${md5},${md5Of('a@b.cn')}\n`,
    'notes',
    'pwd holds the MD5 of email',
  ],
  // Its name does not say that it holds passwords.
  [`user_name,email,gravatar\nann,a@b.cn,${md5Of('a@b.cn')}\n`, 'notes', 'gravatar holds the MD5 of email'],
  // A row would be rejected, or people would have to change the password.
  ['user_name,birthday\nann,1990-02-30\n', 'open', 'birthday has 1 date with a day that does not exist'],
  [
    `user_name,hash,pwd_must_modify\nann,${md5},no\nbob,${md5},\n`,
    'open',
    'pwd_must_modify has no value in 1 row',
  ],
] as const)('of %j something is left to decide, or only to note', async (content, kind, text) => {
  const made = await making(content);
  expect(made[kind]).toEqual([expect.stringContaining(text)]);
  expect([...made.open, ...made.notes]).toHaveLength(1);
  const line = kind === 'open' ? `\nopen:\n  - "${text}` : `\n# Note: ${text}`;
  expect(made.text).toContain(line);
});

test('what a person does not know, or no answer decides, stays open', async () => {
  const open = 'hashes of password can be of several algorithms: name it';
  const lines = `user_name,password\nann,${nested}\n`;
  const unknown = await making(lines, { made: [''] });
  expect(unknown.open).toEqual([expect.stringContaining(open)]);
  const known = await making(lines, { made: ['md5_sha256'] });
  expect([known.open, known.recipe.password?.algorithm]).toEqual([[], { value: 'md5_sha256' }]);
  // A foreign hash, or a text that is none, needs no algorithm.
  const others = await making(`${lines}bob,$P$BDrRBXpHlq9PFbLdPvCYyCgGM9Fvs0/\ncyd,-\n`, {
    made: ['md5_sha256'],
    foreign: ['passwordless'],
  });
  expect([others.open, others.recipe.password?.algorithm]).toEqual([[], { value: 'md5_sha256' }]);
  // A recipe has one name for all.
  for (const answers of [{}, { made: ['md5_sha256'] }]) {
    const mixed = await making(`${lines}bob,${bcrypt}\n`, answers);
    expect(mixed.open).toEqual([
      expect.stringContaining('password has hashes that can be of several algorithms, beside others'),
    ]);
    expect(mixed.recipe.password?.algorithm).toEqual({ infer: true });
  }
});

test('a copy of a built-in recipe says which values of a date of a status cannot be read', async () => {
  const { world, at } = await startUndecided();
  const header =
    'id,email,encrypted_password,reset_password_token,sign_in_count,locked_at,username,banned_until';
  const rows = ['2030-01-01', 'soon'].map((day, at) => `${at},u${at}@b.cn,${bcrypt},,0,,u${at},${day}`);
  await writeFile(at('gitlab.csv'), `${[header, ...rows].join('\n')}\n`);
  const { stdout } = await world.run('recipe', 'make', at('gitlab.csv'), '--json');
  expect(JSON.parse(stdout).open).toEqual([
    expect.stringContaining('banned_until may say who is disabled'),
    expect.stringContaining('banned_until has 1 value that is no such date'),
  ]);
});

test('questions that are open do not change what a recipe does', () => {
  const recipe: Recipe = { fields: { user_name: { column: 'login' } } };
  expect(recipeDigest({ ...recipe, open: ['?'] })).toBe(recipeDigest(recipe));
});

test.each([
  ['open: a question', 'line 1, open: expected'],
  ['open: [{ a: b }]', 'line 1, open.0: expected'],
])('%s is no list of questions', async (line, fault) => {
  const { world, at, file } = await startUndecided();
  await writeFile(at('wrong.yaml'), `${line}\nfields: { user_name: { column: user_name } }\n`);
  const ended = await world.run('import-hashes', file, '--recipe', at('wrong.yaml'));
  expect(ended).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(fault) });
});
