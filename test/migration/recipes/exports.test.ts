import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';

const exportsOf = join(import.meta.dirname, '../../../fixtures/exports');
/** The password of every user whose hash the API accepts. */
const password = 'Old secret 7';
const device = { operating_sys_version: '14', device_ip: '127.0.0.1', device_fingerprint: 'test' };

interface Golden {
  file: string;
  recipe: string;
  args?: string[];
  /** Users who can log in with the old password. */
  keep: string[];
  /** Users without a password. */
  lose?: string[];
  skipped: number;
  /** Rows that are rejected without `args`, by code. */
  rejected?: Record<string, number>;
  /** What a user looks like. */
  user: Record<string, unknown>;
}

const passwordless = ['--foreign-hashes', 'passwordless', '--allow-passwordless'];

const goldens: Golden[] = [
  {
    file: 'auth0.ndjson',
    recipe: 'auth0',
    keep: ['ann@example.com', 'bob'],
    skipped: 0,
    user: { user_name: 'bob', email: 'bob@example.com', external_id: 'auth0|euclid' },
  },
  {
    file: 'auth0-joined.ndjson',
    recipe: 'auth0',
    args: ['--allow-passwordless'],
    keep: ['ann@example.com', 'bob'],
    lose: ['dan@example.com'],
    skipped: 1,
    rejected: { PASSWORD_MISSING: 1 },
    user: { user_name: 'bob', email: 'bob@example.com', name: 'Bob Öztürk', external_id: 'auth0|euclid' },
  },
  {
    file: 'firebase.json',
    recipe: 'firebase',
    args: passwordless,
    keep: [],
    lose: ['ann@example.com', 'bob@example.com'],
    skipped: 1,
    rejected: { HASH_FOREIGN: 1, PASSWORD_MISSING: 1 },
    user: {
      user_name: 'ann@example.com',
      name: 'Ann Lee',
      mobile: '+86-13800138000',
      external_id: 'aB3dE5fG7h',
    },
  },
  {
    file: 'firebase.csv',
    recipe: 'firebase-csv',
    args: passwordless,
    keep: [],
    lose: ['ann@example.com', 'bob@example.com'],
    skipped: 1,
    rejected: { HASH_FOREIGN: 1, PASSWORD_MISSING: 1 },
    user: {
      user_name: 'ann@example.com',
      name: 'Lee, Ann',
      mobile: '+86-13800138000',
      external_id: 'aB3dE5fG7h',
    },
  },
  {
    file: 'keycloak.json',
    recipe: 'keycloak',
    args: passwordless,
    keep: ['ann'],
    lose: ['bob'],
    skipped: 2,
    rejected: { ALGORITHM_UNKNOWN: 1 },
    user: { user_name: 'ann', name: 'Ann Lee', mobile: '+86-13800138000', external_id: 'u-1' },
  },
  {
    file: 'wordpress.csv',
    recipe: 'wordpress',
    args: passwordless,
    keep: ['ann', 'bob'],
    lose: ['dan', 'eve'],
    skipped: 0,
    rejected: { HASH_FOREIGN: 2 },
    user: { user_name: 'ann', name: 'Ann Lee', email: 'ann@example.com', external_id: '1' },
  },
  {
    file: 'wordpress-network.csv',
    recipe: 'wordpress',
    keep: ['ann'],
    skipped: 1,
    user: { user_name: 'ann', external_id: '1' },
  },
  {
    file: 'discourse.csv',
    recipe: 'discourse',
    args: passwordless,
    keep: [],
    lose: ['ann', 'bob'],
    skipped: 2,
    rejected: { HASH_FOREIGN: 1, PASSWORD_MISSING: 1 },
    user: { user_name: 'ann', name: 'Ann Lee', email: 'ann@example.com', external_id: '1' },
  },
  {
    file: 'django.csv',
    recipe: 'django',
    args: passwordless,
    keep: ['ann'],
    lose: ['bob', 'dan'],
    skipped: 1,
    rejected: { HASH_FOREIGN: 2 },
    user: { user_name: 'ann', name: 'Ann Lee', first_name: 'Ann', external_id: '1' },
  },
  {
    file: 'supabase.csv',
    recipe: 'supabase',
    keep: ['ann@example.com', 'bob@example.com'],
    skipped: 1,
    user: { user_name: 'ann@example.com', mobile: '+86-13800138000' },
  },
  {
    file: 'cognito.csv',
    recipe: 'cognito',
    args: ['--allow-passwordless'],
    keep: [],
    lose: ['ann', 'bob'],
    skipped: 1,
    user: { user_name: 'ann', attr_gender: 'female', attr_birthday: '1990-02-01', mobile: '+86-13800138000' },
  },
  {
    file: 'cognito.json',
    recipe: 'cognito',
    args: ['--allow-passwordless'],
    keep: [],
    lose: ['ann', 'bob'],
    skipped: 1,
    user: { user_name: 'ann', email: 'ann@example.com', attr_birthday: '1990-02-01' },
  },
  {
    file: 'okta.csv',
    recipe: 'okta',
    args: ['--allow-passwordless'],
    keep: [],
    lose: ['ann@example.com', 'bob@example.com'],
    skipped: 1,
    user: { user_name: 'ann@example.com', zip_code: '01000', external_id: '0042', mobile: '+86-13800138000' },
  },
  {
    file: 'ruoyi.tsv',
    recipe: 'ruoyi',
    keep: ['ann', 'bob'],
    skipped: 2,
    user: { user_name: 'ann', name: '李安', attr_gender: 'female', mobile: '+86-13800138000' },
  },
  {
    file: 'ldap.ldif',
    recipe: 'ldap',
    args: passwordless,
    keep: ['ann', 'bob'],
    lose: ['dan'],
    skipped: 2,
    rejected: { HASH_FOREIGN: 1 },
    user: { user_name: 'bob', name: 'Bob Müller', last_name: 'Müller', external_id: '0043' },
  },
  {
    file: 'ldap.csv',
    recipe: 'ldap',
    keep: ['ann', 'bob'],
    skipped: 0,
    user: { user_name: 'ann', name: 'Ann Lee', mobile: '+86-13800138000', external_id: '0042' },
  },
  {
    file: 'chinese.csv',
    recipe: 'chinese',
    keep: ['ann', 'bob'],
    skipped: 1,
    user: { user_name: 'bob', name: '王波', attr_gender: 'male', attr_birthday: '1988-12-31' },
  },
];

test.each(goldens)('$file is imported by one command, with the recipe that it needs', async (golden) => {
  const { file, recipe, args = [], keep, lose = [], skipped, rejected, user } = golden;
  const world = await startWorld();
  const path = join(exportsOf, file);
  const importing = (job: string, ...more: string[]) =>
    world.run(
      'import-hashes',
      path,
      '--job',
      join(world.directory, job),
      '--set',
      'pwd_must_modify=false',
      ...more,
    );
  if (rejected) {
    // Without the option, no user is created without a password.
    const strict = await importing('strict', '--dry-run', '--json');
    if (strict.exitCode === 2) expect(strict.stderr).toContain('--allow-passwordless');
    else expect(JSON.parse(strict.stdout).codes).toMatchObject(rejected);
  }
  const done = await importing('job', ...args);
  expect(done.stderr).toContain(`recipe ${recipe}`);
  expect(done).toMatchObject({ exitCode: 0 });
  const summary = JSON.parse(await readFile(join(world.directory, 'job', 'summary.json'), 'utf8'));
  expect(summary).toMatchObject({
    created: keep.length + lose.length,
    skipped,
    invalid: 0,
    without_password: lose.length,
  });
  const { users } = await world.client.listUsers({ offset: 0, limit: 20 });
  expect(users.map(({ user_name }) => user_name).sort()).toEqual([...keep, ...lose].sort());
  expect(users.find(({ user_name }) => user_name === user.user_name)).toMatchObject(user);
  for (const name of keep) {
    expect(await world.client.logIn(name, password, device)).toMatchObject({ status: 'SUCCESS' });
  }
  for (const name of lose) {
    await expect(world.client.logIn(name, password, device)).rejects.toThrow();
  }
});

test('a recipe can be named, turned off, or found for a compressed file', async () => {
  const world = await startWorld();
  const path = join(world.directory, 'users.ndjson.gz');
  await writeFile(path, gzipSync(await readFile(join(exportsOf, 'auth0.ndjson'))));
  const dry = (...args: string[]) =>
    world.run('import-hashes', path, '--dry-run', '--job', join(world.directory, 'job'), ...args);
  const found = await dry();
  expect(found).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('gzip, utf-8, JSON, 2 rows, recipe auth0'),
  });
  expect(await dry('--from', 'none')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('unknown columns'),
  });
  expect(await dry('--from', 'auth')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('there is no built-in recipe "auth"'),
  });
  expect(await dry('--from', 'django')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      'the recipe django is for files with other columns: this one has no password, is_active',
    ),
  });
});
