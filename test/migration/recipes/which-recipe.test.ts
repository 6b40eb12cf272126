import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutService } from '../../world.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { recipeOf } from './recipe-of.ts';

const { md5_sha256: nested } = goodHashes;

test('an ordinary file with salts and a column active is not taken for an export of Discourse', async () => {
  const file = `username,email,password_hash,salt,active\nann,ann@b.cn,${goodHashes.bcrypt},x,t\n`;
  const options = { foreignHashes: 'passwordless', allowPasswordless: true } as const;
  await expect(runImport(file, options)).rejects.toThrow('unknown columns');
});

test('a bcrypt hash is never taken for one that the system of a recipe makes, nor an empty one for any', async () => {
  const rows = [`ann,ann@b.cn,${goodHashes.bcrypt},,1`, 'bob,bob@b.cn,,,1', `cyd,cyd@b.cn,${nested},x,1`];
  const file = ['username,email,password_hash,salt,trust_level', ...rows].join('\n');
  const foreignHashes = 'passwordless';
  const { sent, failures } = await runImport(file, { foreignHashes, concurrency: 1 });
  expect(sent).toEqual([{ user_name: 'cyd', email: 'cyd@b.cn' }]);
  expect(failures.map(({ user_name, code, message }) => [user_name, code, message])).toEqual([
    ['ann', 'ALGORITHM_MISSING', expect.stringContaining('(bcrypt, not PBKDF2 (Discourse))')],
    ['bob', 'PASSWORD_MISSING', expect.any(String)],
  ]);
  const options = { foreignHashes, allowPasswordless: true, algorithm: 'infer' } as const;
  const inferred = await runImport(file, options);
  expect(inferred.failures).toEqual([]);
  expect(inferred.sent.map((user) => user['hash-pwd']?.algorithm)).toEqual(['bcrypt', undefined, undefined]);
});

test('columns of conditions that a file lacks are named, since nobody is left out by them', async () => {
  const { directory, run } = await withoutService();
  const [recipe, file] = [join(directory, 'mine.yaml'), join(directory, 'users.csv')];
  const lines = [
    'optional_columns: true',
    'fields: { user_name: { column: login } }',
    'skip: { where: [{ column: statuss, in: [D] }, { column: gone, filled: true }] }',
    'disable: { where: { column: [lock, locked], filled: true } }',
  ];
  await writeFile(recipe, lines.join('\n'));
  await writeFile(file, 'login,status,gone\nann,D,\n');
  const said =
    'the recipe also reads statuss and lock or locked, which the file lacks: nobody is skipped or disabled by them';
  const checked = await run('recipe', 'check', recipe, file);
  expect(checked).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`${file}: ${said}\n`) });
  const { stdout } = await run('recipe', 'check', recipe, file, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ missing_columns: ['statuss', 'lock or locked'] });
  for (const command of ['assess', 'import-hashes']) {
    const options =
      command === 'assess' ? [] : ['--dry-run', '--allow-passwordless', '--job', join(directory, 'job')];
    const { exitCode, stderr } = await run(command, file, '--recipe', recipe, ...options);
    expect([command, exitCode]).toEqual([command, 0]);
    expect(stderr).toContain(`; ${said}\n`);
  }
});

test('a recipe without passwords ignores no column of hashes, unless it says so', async () => {
  const row = `ann@b,Ann,Lee,ann@b,${goodHashes.bcrypt}\n`;
  for (const name of ['password_hash', 'encrypted_password', 'Password']) {
    const file = `login,firstName,lastName,email,${name}\n${row}`;
    await expect(runImport(file, { allowPasswordless: true })).rejects.toThrow(
      `recipe okta: it reads no hashes from this file, which has the column "${name}"`,
    );
  }
  const own = await recipeOf('fields: { user_name: { column: login } }\nignore: [password_hash]\n');
  const file = `login,firstName,lastName,email,password_hash\n${row}`;
  expect((await runImport(file, { recipe: own, allowPasswordless: true })).sent).toEqual([
    { user_name: 'ann@b' },
  ]);
});

test('a field with columns and a template needs one of the columns, or all of the template', async () => {
  const recipe = await recipeOf('fields:\n  name: { column: [shown, known], template: "{first} {last}" }\n');
  const options = { recipe, allowPasswordless: true } as const;
  expect((await runImport('known\nAnn Lee\n', options)).sent).toEqual([{ name: 'Ann Lee' }]);
  expect((await runImport('first,last\nAnn,Lee\n', options)).sent).toEqual([{ name: 'Ann Lee' }]);
  await expect(runImport('first,x\nAnn,1\n', options)).rejects.toThrow(
    'the file has no column "shown", "known", "last"',
  );
});

test('a header of 29 columns is not read as a row of a Firebase file', async () => {
  const names = Array.from({ length: 29 }, (_, index) => `column${index}`);
  const file = `${names.join(',')}\n${names.map(() => 'x').join(',')}\n`;
  await expect(runImport(file)).rejects.toThrow('no column has a known name');
  // Spreadsheets write empty cells after a header, too.
  const short = `username,email,password,status${','.repeat(25)}\nann,a@b.cn,${goodHashes.bcrypt},x${','.repeat(25)}\n`;
  await expect(runImport(short)).rejects.toThrow('unknown columns: username');
});

test('a file of users that is named before its recipe is not read as one', async () => {
  const world = await withoutService();
  const swapped = await world.run('recipe', 'check', 'my users.csv', 'mine.yaml');
  expect(swapped).toMatchObject({ exitCode: 2, stdout: '' });
  expect(swapped.stderr).toContain("Run: tenant-users recipe check mine.yaml 'my users.csv'\n");
});
