import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';
import { goodHashes } from '../hashes.ts';

const { bcrypt, md5 } = goodHashes;

test('a file of a known system gets a copy of the recipe of that system', async () => {
  const file = join(import.meta.dirname, '../../../fixtures/exports/django.csv');
  const world = await startWorld();
  const { stdout } = await world.run('recipe', 'show', 'django');
  expect(await world.run('recipe', 'make', file)).toMatchObject({
    exitCode: 0,
    stdout,
    stderr: expect.stringContaining('copy of the built-in recipe django'),
  });
});

test('a copy of a built-in recipe says which column that it does not read may say who is disabled', async () => {
  const world = await startWorld();
  // GitLab uses Devise, and has a state of its own.
  const header =
    'id,email,encrypted_password,reset_password_token,sign_in_count,locked_at,username,state,mfa.enabled';
  const states = ['active', 'active', 'blocked'];
  const rows = states.map((state, index) => `${index},u${index}@b.cn,${bcrypt},,0,,u${index},${state},true`);
  const file = join(world.directory, 'gitlab.csv');
  await writeFile(file, `${[header, ...rows].join('\n')}\n`);
  const open =
    'state may say who is disabled (active: 2, blocked: 1; of 3 rows): add { column: state, in: [VALUES], known: [OTHER VALUES] } to skip: { where: [CONDITIONS] }, or to such a disable:, or these people are enabled; if it says something else, add it to ignore: of the recipe, and delete this question';
  const { stdout: whole } = await world.run('recipe', 'show', 'devise');
  const made = await world.run('recipe', 'make', file, '--to', join(world.directory, 'mine.yaml'));
  expect(made).toMatchObject({ exitCode: 0, stdout: '' });
  expect(made.stderr).toContain(`Warning: ${open}\n`);
  expect(await readFile(join(world.directory, 'mine.yaml'), 'utf8')).toBe(
    `# Decide each in the recipe, then delete it here: no import and no plan before.\nopen:\n  - "${open}"\n${whole}`,
  );
  const checked = await world.run('recipe', 'check', join(world.directory, 'mine.yaml'), file);
  expect(checked).toMatchObject({ exitCode: 0 });
  expect(checked.stderr).toContain('Columns that the recipe does not use: state, mfa.enabled\n');
});

test('a copy says nothing of a value that all have whom the recipe does not leave out', async () => {
  const world = await startWorld();
  const file = join(world.directory, 'laravel.csv');
  const days = ['', '', '', '', '2024-01-01'];
  const rows = days.map((day, at) => `${at},u${at}@b.cn,${bcrypt},,2020-01-01,${day},${day ? '' : 'web'}`);
  const header = 'id,email,password,remember_token,updated_at,deleted_at,guard';
  await writeFile(file, `${[header, ...rows].join('\n')}\n`);
  const { stdout } = await world.run('recipe', 'make', file, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ built_in: 'laravel', open: [] });
  const some = rows.map((row, at) => (at === 1 ? row.replace('web', 'api') : row));
  await writeFile(file, `${[header, ...some].join('\n')}\n`);
  const others = await world.run('recipe', 'make', file, '--json');
  const open = [expect.stringContaining('guard may say who is disabled (web: 3, api: 1; of 4 rows)')];
  expect(JSON.parse(others.stdout)).toMatchObject({ built_in: 'laravel', open });
});

/** The export of a realm with a user for each of these lists of required actions. */
function realmOf(actions: readonly string[][]): string {
  const users = actions.map((requiredActions, index) => ({
    id: `u${index}`,
    createdTimestamp: 1_600_000_000_000,
    username: `u${index}`,
    enabled: true,
    emailVerified: false,
    requiredActions,
    credentials: [
      {
        type: 'password',
        secretData: JSON.stringify({ value: bcrypt }),
        credentialData: JSON.stringify({ algorithm: 'bcrypt' }),
      },
    ],
  }));
  return JSON.stringify({ realm: 'acme', users });
}

test('an action that Keycloak requires before somebody is let in is named at every step', async () => {
  const world = await startWorld();
  const file = join(world.directory, 'acme.json');
  await writeFile(file, realmOf([['VERIFY_EMAIL'], ['UPDATE_PASSWORD', 'VERIFY_EMAIL'], []]));
  const made = await world.run('recipe', 'make', file);
  expect(made).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('recipe keycloak') });
  expect(made.stdout).toContain(
    'open:\n  - "requiredActions.0 may say who is disabled (VERIFY_EMAIL: 1, UPDATE_PASSWORD: 1, no value: 1; of 3 rows)',
  );
  const { stderr } = await world.run(
    'import-hashes',
    file,
    '--dry-run',
    '--job',
    join(world.directory, 'job'),
  );
  expect(stderr).toContain(
    'requiredActions.0 and requiredActions.1 look like a status, and the import ignores',
  );
});

test('with the field of the page on Keycloak, whoever had to change the password has to, whatever else they had to do', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/guide/from/keycloak.md'), 'utf8');
  const [, field = ''] = /`(pwd_must_modify: \{ template.*?)`/.exec(page) ?? [];
  const world = await startWorld();
  const [file, recipe] = [join(world.directory, 'acme.json'), join(world.directory, 'mine.yaml')];
  const actions = [[], ['UPDATE_PASSWORD'], ['CONFIGURE_TOTP', 'UPDATE_PASSWORD'], ['CONFIGURE_TOTP']];
  await writeFile(file, realmOf(actions));
  const { stdout } = await world.run('recipe', 'show', 'keycloak');
  await writeFile(recipe, stdout.replace('\nfields:\n', `\nfields:\n  ${field}\n`));
  const words = ['--recipe', recipe, '--set', 'pwd_must_modify=false', '--dry-run', '--json'];
  const dry = await world.run('import-hashes', file, ...words, '--job', join(world.directory, 'job'));
  expect(JSON.parse(dry.stdout)).toMatchObject({ invalid: 0, skipped: 0, must_change_password: 2 });
});

test('the country of a copy of a built-in recipe is the given one, if that recipe leaves it open', async () => {
  const exportsOf = join(import.meta.dirname, '../../../fixtures/exports');
  const world = await startWorld();
  const made = await world.run('recipe', 'make', join(exportsOf, 'auth0.ndjson'), '--region', 'DE');
  expect(made).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('phone: { region: DE } }') });
  expect(made.stderr).not.toContain('--region');
  const fixed = await world.run('recipe', 'make', join(exportsOf, 'ruoyi.tsv'), '--region', 'DE');
  expect(fixed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('region: CN') });
  expect(fixed.stderr).toContain(
    'Warning: --region was not used: the recipe ruoyi names the country itself; change region: in the copy',
  );
  const without = await world.run('recipe', 'make', join(exportsOf, 'django.csv'), '--region', 'DE');
  expect(without.stderr).toContain('--region was not used: the recipe django reads no telephone numbers');
});

test('a file without a header whose system is known gets the recipe of that system', async () => {
  const exportsOf = join(import.meta.dirname, '../../../fixtures/exports');
  const world = await startWorld();
  const { stdout } = await world.run('recipe', 'show', 'firebase-csv');
  const made = await world.run('recipe', 'make', join(exportsOf, 'firebase.csv'));
  expect(made).toMatchObject({ exitCode: 0, stdout });
  expect(made.stderr).toContain('3 rows');
  const one = join(world.directory, 'one.csv');
  const [first = ''] = (await readFile(join(exportsOf, 'firebase.csv'), 'utf8')).split('\n');
  await writeFile(one, `${first}\n`);
  expect(await world.run('recipe', 'make', one)).toMatchObject({ exitCode: 0, stdout });
});

test('--from none makes a recipe from the columns of a file that looks like that of a known system', async () => {
  const world = await startWorld();
  const file = join(world.directory, 'own.csv');
  await writeFile(file, `login,firstName,lastName,email,password\nann,Ann,Lee,ann@b.cn,${md5}\n`);
  const copied = await world.run('recipe', 'make', file);
  expect(copied.stderr).toContain(
    'This is a copy of the built-in recipe okta, which is for such files; --from none makes one from the columns',
  );
  const made = await world.run('recipe', 'make', file, '--from', 'none');
  expect(made).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('password: { column: password'),
  });
  expect(made.stdout).toContain('user_name: { column: login }');
  const given = await world.run('recipe', 'make', file, '--from', 'django');
  expect(given).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('title: Django') });
  const both = await world.run('recipe', 'make', file, '--from', 'django', '--map', 'user_name=login');
  expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('copies a recipe as it is') });
  expect(await world.run('recipe', 'make', file, '--from', 'x')).toMatchObject({ exitCode: 2, stdout: '' });
});

test('words of a status that a copied recipe does not know are open, and can be decided as they say', async () => {
  const world = await startWorld();
  const [file, recipe] = ['old.csv', 'mine.yaml'].map((name) => join(world.directory, name)) as [
    string,
    string,
  ];
  const rows = [0, 0, 1].map((state, at) => `z${at},z${at}@b.cn,${bcrypt},${state}`);
  await writeFile(file, `登录名,邮箱,密码,状态\n${rows.join('\n')}\n`);
  const made = await world.run('recipe', 'make', file, '--to', recipe);
  expect(made.stderr).toContain(
    'Warning: 状态 has words that the recipe does not know: 0 (2 rows), 1 (1 row): add each to in: of its condition (may not log in) or to known: (may), or these rows are rejected\n',
  );
  const checked = await world.run('recipe', 'check', recipe, file);
  expect(checked.stderr).toContain('Warning: 状态 has words that the recipe does not know');
  const decided = (await readFile(recipe, 'utf8'))
    .replace(/^open:\n( {2}- .*\n)+/m, '')
    .replace('in: &gone [', 'in: &gone [1, ')
    .replace('known: &here [', 'known: &here [0, ');
  await writeFile(recipe, decided);
  expect((await world.run('recipe', 'check', recipe, file)).stderr).not.toContain('does not know');
  const job = join(world.directory, 'job');
  const dry = await world.run('import-hashes', file, '--recipe', recipe, '--dry-run', '--job', job);
  expect(dry).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/│ 3 .* 0 +│ 1 +│ 0 +│ 2 +│/) });
});

test('fields that a copied recipe does not read are remarks, and who must change the password is open', async () => {
  const world = await startWorld();
  const file = join(world.directory, 'auth_user.csv');
  const header =
    'id,password,last_login,is_superuser,username,first_name,last_name,email,is_staff,is_active,date_joined,phone_number,date_of_birth,force_password_change';
  const rows = [0, 1].map(
    (at) =>
      `${at},bcrypt$${bcrypt},,0,u${at},Ann,Lee,u${at}@b.cn,0,1,2020-01-01,13800138000,1990-02-0${1 + at},${at}`,
  );
  await writeFile(file, [header, ...rows, ''].join('\n'));
  const { stdout, stderr } = await world.run('recipe', 'make', file);
  const lines = [
    'mobile: { column: phone_number, phone: { region: COUNTRY } }',
    'attr_birthday: { column: date_of_birth, date: [ iso ] }',
    'pwd_must_modify: { column: force_password_change, values: { "0": false, "1": true } }',
  ];
  for (const line of lines) expect(stderr).toContain(`, add ${line} under fields:`);
  expect(stdout).toMatch(
    /^open:\n {2}- "the recipe does not read pwd_must_modify: if it is in the column force_password_change, .*"\n# Note: the recipe does not read mobile: /m,
  );
  const decided = stdout
    .replace(/^open:\n {2}- .*\n/m, '')
    .replace(
      /^fields:\n/m,
      `fields:\n${lines.map((line) => `  ${line.replace('COUNTRY', 'CN')}\n`).join('')}`,
    );
  const recipe = join(world.directory, 'mine.yaml');
  await writeFile(recipe, decided);
  expect(await world.run('recipe', 'check', recipe, file)).toMatchObject({ exitCode: 0 });
});
