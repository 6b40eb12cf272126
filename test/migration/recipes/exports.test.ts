import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';
import { goldens } from './golden-exports.ts';

const exportsOf = join(import.meta.dirname, '../../../fixtures/exports');
/** The password of every user whose hash the API accepts. */
const password = 'Old secret 7';
const device = { operating_sys_version: '14', device_ip: '127.0.0.1', device_fingerprint: 'test' };

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
  const hint =
    'An import takes it with --from keycloak. To change it, make a file: tenant-users recipe show keycloak > keycloak.yaml';
  for (const ended of [await dry('--recipe', 'keycloak'), await world.run('recipe', 'check', 'keycloak')])
    expect(ended).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `tenant-users: there is no file keycloak: that is a built-in recipe\n${hint}\n`,
    });
  expect(await dry('--from', 'django')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      'the recipe django is for files with other columns: this one has no password, is_active',
    ),
  });
});
