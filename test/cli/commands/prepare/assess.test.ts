import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goodHashes } from '../../../migration/hashes.ts';
import { withoutService } from '../../../world.ts';

const { bcrypt, md5 } = goodHashes;
const header = 'uid;login;displayname;mail;tel;pwd_hash;enc;status';
const rows = [
  `1;ann;Ann;ann@example.com;138 0013 8000;${bcrypt};BLOWFISH;A`,
  `2;bob;Bob;bob@example.com;;${md5};MD5;D`,
  '3;cyd;Cyd;cyd@example.com;;$P$BDrRBXpHlq9PFbLdPvCYyCgGM9Fvs0/;PHPASS;A',
  `4;dan;;not-an-address;;bcrypt$${bcrypt};BLOWFISH;A`,
  '5;eve;Eve;eve@example.com;;;;A',
];

async function assessing(content: string, ...args: string[]) {
  const world = await withoutService();
  const file = join(world.directory, 'vendor.csv');
  await writeFile(file, content);
  const ended = await world.run('assess', file, ...args);
  return { ...ended, world, file };
}

test('assess counts users who keep the password by kind, every issue, unknown values, and what is not read', async () => {
  const { exitCode, stdout, stderr } = await assessing([header, ...rows].join('\n'), '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({
    rows: 5,
    ready: 1,
    rejected: 4,
    skipped: 0,
    recipe: null,
    status_columns: ['status'],
  });
  expect(found.passwords.map(({ use, users }: { use: string; users: number }) => [use, users])).toEqual([
    ['as-is', 1],
    ['as-is', 1],
    ['no', 1],
    ['strip', 1],
    ['none', 1],
  ]);
  expect(found.issues).toMatchObject({ ALGORITHM_UNKNOWN: 3, HASH_FOREIGN: 1, MOBILE: 1, EMAIL: 1 });
  expect(found.unknown_values).toEqual([
    { column: 'enc', value: 'BLOWFISH', rows: 2 },
    { column: 'enc', value: 'PHPASS', rows: 1 },
  ]);
  expect(found.columns).toContainEqual({ name: 'mail', field: 'email', filled: 5 });
  expect(found.columns).toContainEqual({ name: 'login', field: 'user_name', filled: 5 });
  expect(stdout).not.toContain(bcrypt.slice(10));
});

test('a mapped column leaves the guesses about all others, and the proposed command has its mapping', async () => {
  const content = `Login;Mail;Tel;Fon;pwhash\nann;ann@example.com;+49 1512 3456789;1;${md5}\n`;
  const world = await withoutService();
  const file = join(world.directory, 'm.csv');
  await writeFile(file, content);
  const mapping = join(world.directory, 'map.txt');
  await writeFile(mapping, 'first_name=Fon\n');
  const args = ['--map', 'mobile=Tel', '--map-file', mapping, '--delimiter=;'];
  const { exitCode, stderr } = await world.run('assess', file, ...args);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('1 of 1 user can keep the password.');
  expect(stderr).toContain(
    'columns read: Login (as user_name), Mail (as email), Tel (as mobile), Fon (as first_name), pwhash (as value)\n',
  );
  expect(stderr).toContain(
    `  tenant-users recipe make ${file} --to m.csv.yaml '--delimiter=;' --map first_name=Fon --map mobile=Tel\n`,
  );
});

test('--columns chooses fields of the result in a table too', async () => {
  const { exitCode, stdout } = await assessing(
    [header, ...rows].join('\n'),
    '--columns',
    'rows,ready,rejected',
  );
  expect({ exitCode, found: stdout.match(/\d+/g) }).toEqual({ exitCode: 0, found: ['5', '1', '4'] });
});

test('only users whose algorithm is known keep the password for certain', async () => {
  const { md5_sha256: nested } = goodHashes;
  const rows = [
    `ann,,${nested}`,
    `bob,md5_sha256,${nested}`,
    `cyd,NTLM,${md5}`,
    `dan,,${md5}`,
    `eve,MD5,${md5}`,
  ];
  const content = ['user_name,algorithm,hash', ...rows].join('\n');
  const { stdout, world, file } = await assessing(content, '--json');
  expect(JSON.parse(stdout).passwords).toEqual([
    { use: 'as-is', format: 'MD5, hex or NT hash or MD4, hex', users: 2, remedy: expect.any(String) },
    { use: 'depends', format: expect.any(String), users: 1, remedy: expect.stringContaining('--algorithm') },
    { use: 'as-is', format: expect.any(String), users: 1, remedy: expect.any(String) },
    {
      use: 'no',
      format: 'MD5, hex or NT hash or MD4, hex; the file names another algorithm',
      users: 1,
      remedy: expect.stringContaining('a new password'),
    },
  ]);
  const shown = await world.run('assess', file);
  expect(shown.stdout).toContain('depends on how they were made');
  expect(shown.stderr).toContain(
    '3 of 5 users can keep the password; of 1 more, it depends on how their hashes were made.',
  );
  const named = await world.run('assess', file, '--algorithm', 'md5_sha256');
  expect(named.stderr).toContain('4 of 5 users can keep the password.');
  // A recipe that lacks the word has not said what it is.
  const recipe = join(world.directory, 'mine.yaml');
  await writeFile(
    recipe,
    'fields: { user_name: { column: user_name } }\npassword: { column: hash, algorithm: { column: algorithm, values: { NTLM: md5 } } }\n',
  );
  const unlisted = await world.run('assess', file, '--recipe', recipe, '--json');
  const { passwords, unknown_values: words } = JSON.parse(unlisted.stdout);
  expect(passwords.map(({ use, users }: { use: string; users: number }) => [use, users])).toEqual([
    ['depends', 2],
    ['as-is', 2],
    ['depends', 1],
  ]);
  expect(words).toContainEqual({ column: 'algorithm', value: 'md5', rows: 1 });
});

test("the terminal and the page show the same, without a hash or a person's name", async () => {
  const { exitCode, stdout, stderr, world, file } = await assessing([header, ...rows].join('\n'));
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/1 +│ need a new password +│ phpass/);
  expect(stderr).toContain('3 of 5 users can keep the password.');
  expect(stderr).toContain('Warning: status may say who is disabled');
  expect(stderr).toContain(
    `Next: An import does not guess what columns mean: make a recipe, and look through it.\n  tenant-users recipe make ${file} --to vendor.csv.yaml\n`,
  );
  const report = join(world.directory, 'page.html');
  const again = await world.run('assess', file, '--report', report);
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`Page: ${report}`) });
  const page = await readFile(report, 'utf8');
  expect(page).toContain('3 of 5 users can keep the password.');
  expect(page).toContain('phpass (WordPress, phpBB), salted');
  for (const text of [stdout + stderr, page]) {
    for (const secret of [bcrypt, md5, 'ann@example.com', '138 0013 8000'])
      expect(text).not.toContain(secret);
  }
  await chmod(report, 0o644);
  await world.run('assess', file, '--report', report);
  expect((await stat(report)).mode & 0o777).toBe(0o600);
  expect((await readdir(world.directory)).filter((name) => name.includes('page'))).toEqual(['page.html']);
  const unwritable = await world.run('assess', file, '--report', join(world.directory, 'none', 'page.html'));
  expect(unwritable).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('cannot be written: it does not exist\nCheck the path'),
  });
});

test('the import that follows reads the file in the same way, and assess says how users without a password are created', async () => {
  const lines = ['user_name,hash', `ann,${md5}`, 'bob,', 'cyd,$P$BDrRBXpHlq9PFbLdPvCYyCgGM9Fvs0/'];
  const { world, file } = await assessing(lines.join('\n'));
  const report = join(world.directory, 'page.html');
  const { stderr } = await world.run('assess', file, '--set', 'pwd_must_modify=false', '--report', report);
  expect(stderr).toContain(
    `Next: Check the rows as an import does. To create users without a password, too, add --allow-passwordless for the 1 without a hash and --foreign-hashes passwordless for the 1 whose hash the API does not accept.\n  tenant-users import-hashes ${file} --set pwd_must_modify=false --algorithm infer --dry-run\n`,
  );
});

test('values that a recipe does not know are counted, and one that may be a secret is not shown', async () => {
  const world = await withoutService();
  const recipe = join(world.directory, 'mine.yaml');
  await writeFile(
    recipe,
    'fields: { user_name: { column: a }, attr_gender: { column: sex, values: { M: male } } }\n',
  );
  const file = join(world.directory, 'a.csv');
  const values = ['X', 'X', 'F', md5, ...Array.from({ length: 40 }, (_, n) => `v${n}`)];
  await writeFile(file, `a,sex,is_active\n${values.map((sex, n) => `u${n},${sex},1`).join('\n')}\n`);
  const { stdout } = await world.run('assess', file, '--recipe', recipe, '--json');
  const { unknown_values: unknown } = JSON.parse(stdout);
  expect(unknown).toContainEqual({ column: 'sex', value: 'X', rows: 2 });
  expect(unknown.length).toBeLessThan(25);
  expect(unknown.reduce((sum: number, { rows: count }: { rows: number }) => sum + count, 0)).toBe(44);
  expect(stdout).not.toContain(md5);
});

test('an export of a known system is read with its recipe', async () => {
  const world = await withoutService();
  const file = join(import.meta.dirname, '../../../../fixtures/exports/wordpress.csv');
  const { stdout } = await world.run('assess', file, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ recipe: 'wordpress', rows: 4, ready: 2, rejected: 2 });
  expect(await world.run('assess', join(world.directory, 'none.csv'))).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('there is no such file'),
  });
});

test.each(['firebase.json', 'keycloak.json', 'wordpress.csv'])(
  'assess counts the rows of %s as an import would reject them',
  async (name) => {
    const { directory, run } = await withoutService();
    const file = join(import.meta.dirname, '../../../../fixtures/exports', name);
    const assessed = JSON.parse((await run('assess', file, '--json')).stdout);
    const checked = await run('import-hashes', file, '--dry-run', '--json', '--job', join(directory, 'job'));
    const { pending, invalid, skipped, issues } = JSON.parse(checked.stdout);
    expect(assessed).toMatchObject({ ready: pending, rejected: invalid, skipped, issues });
    expect(assessed.rejected).toBeGreaterThan(0);
  },
);

test('users whose algorithm the API does not have can be created without a password, unless its name may be misspelt', async () => {
  const keycloak = join(import.meta.dirname, '../../../../fixtures/exports/keycloak.json');
  const { run } = await withoutService();
  const { stderr } = await run('assess', keycloak);
  expect(stderr).toContain('--foreign-hashes passwordless for the 1 whose hash the API does not accept');
  const slip = await assessing(`user_name,algorithm,hash\nann,md-5,${md5}\n`);
  expect(slip.stderr).not.toContain('--foreign-hashes');
});

test('assess names the columns of JSON that are not read by their paths, whatever their length', async () => {
  const lines = JSON.stringify({
    user_name: 'ann',
    hash: md5,
    settings: { notifications: { newsletter: { weekly: 'yes' } } },
  });
  const { stderr } = await assessing(lines);
  expect(stderr).toContain('Columns not read: settings.notifications.newsletter.weekly\n');
});

test('if the hashes of a file were not recognised, assess does not say that nobody has one', async () => {
  const lines = `Loginname;Geheimnis;Kode;Gesperrt\nann;${md5};${md5};nein\nbob;${md5};${md5};ja\n`;
  const { stdout, stderr } = await assessing(lines);
  expect(stdout).toContain('no column was recognised as hashes');
  expect(stderr).toContain('No column was recognised as password hashes. 0 rows would be imported');
  expect(stderr).not.toContain('can keep the password');
  expect(stderr).toContain('Warning: Gesperrt may say who is disabled');
  const named = await assessing(lines.replace('Geheimnis', 'Passwort-Hash'));
  expect(named.stderr).toContain('2 of 2 users can keep the password.');
});

test('the import that assess proposes for a file after -- can be run unchanged', async () => {
  const { run, directory } = await withoutService();
  const file = join(directory, 'legacy.csv');
  await writeFile(file, `user_name,hash\nann,${goodHashes.md5}\n`);
  const { stderr } = await run('assess', '--set', 'pwd_must_modify=false', '--', file);
  const command = `import-hashes --set pwd_must_modify=false --algorithm infer --dry-run -- ${file}`;
  expect(stderr).toContain(`\n  tenant-users ${command}\n`);
  const [name = '', ...words] = command.split(' ');
  expect(await run(name, '--job', join(directory, 'job'), ...words)).toMatchObject({ exitCode: 0 });
});
