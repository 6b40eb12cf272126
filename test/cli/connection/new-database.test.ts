import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, temporaryDirectory } from '../../world.ts';

async function start() {
  const directory = await temporaryDirectory();
  const run = (env: Record<string, string>, ...args: string[]) =>
    runCommand(args, { configDirectory: directory, env });
  return { directory, database: join(directory, 'x.db'), run };
}

test.each(['list', 'status'])('%s says that the database of the environment is new', async (command) => {
  const { directory, database, run } = await start();
  const env = { TENANT_USERS_LOCAL: database };
  expect((await run(env, command)).stderr).toContain(`New empty database: ${database}\n`);
  expect((await run(env, command)).stderr).not.toContain('New empty database');
  const lost = join(directory, 'tpyo', 'x.db');
  expect(await run({ TENANT_USERS_LOCAL: lost }, 'list')).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: `tenant-users: there is no directory ${join(directory, 'tpyo')} for the database ${lost}\nCorrect TENANT_USERS_LOCAL, or run: mkdir -p ${join(directory, 'tpyo')}\n`,
  });
});

test.each(['0', 'true', 'FALSE', 'no'])('TENANT_USERS_LOCAL=%s names no database', async (value) => {
  const { run } = await start();
  const { exitCode, stdout, stderr } = await run({ TENANT_USERS_LOCAL: value }, 'list');
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: `tenant-users: TENANT_USERS_LOCAL is ${value}, which is not the name of a database\nSet it to 1 for the default database, or to a file. To use another tenant, unset it.\n`,
  });
});

test('a database and an address in the environment name two tenants, and an option decides', async () => {
  const { database, run } = await start();
  const env = { TENANT_USERS_LOCAL: database, TENANT_USERS_BASE_URL: 'https://id.example.com' };
  for (const command of [['create', '--user-name', 'ann'], ['status']])
    expect(await run(env, ...command)).toEqual({
      exitCode: 3,
      stdout: '',
      stderr:
        'tenant-users: TENANT_USERS_LOCAL and TENANT_USERS_BASE_URL are both set, which are different tenants\n' +
        'Unset one of them, or choose with --local, --base-url or --profile.\n',
    });
  expect(existsSync(database)).toBe(false);
  expect((await run(env, 'list', '--local', database)).exitCode).toBe(0);
  const remote = await run(env, 'status', '--base-url', 'https://other.example.com', '--json');
  expect(JSON.parse(remote.stdout)).toMatchObject({ local: null, base_url: 'https://other.example.com' });
});

test('variables that select no tenant do not stop what needs none', async () => {
  const { database, directory, run } = await start();
  const users = join(directory, 'users.csv');
  await writeFile(users, `user_name,algorithm,hash\nann,md5,${'0'.repeat(32)}\n`);
  for (const other of [{ TENANT_USERS_BASE_URL: 'https://id.example.com' }, {}]) {
    const env = { TENANT_USERS_LOCAL: 'TENANT_USERS_BASE_URL' in other ? database : 'true', ...other };
    for (const trial of ['--dry-run', '--rehearse']) {
      const ended = await run(env, 'import-hashes', users, trial, '--job', join(directory, 'job'), '--json');
      expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    }
    expect((await run(env, 'import-hashes', users, '--job', join(directory, 'job'))).exitCode).toBe(3);
  }
});

test('a profile whose database was deleted does not show an empty tenant', async () => {
  const { directory, database, run } = await start();
  await run({}, 'login', '--local', database, '--profile', 'own');
  await rm(database);
  expect(await run({}, 'list', '--profile', 'own')).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: `tenant-users: the database ${database} of profile "own" does not exist\nPut it back, or make a new one: tenant-users login --profile own --local ${database}\n`,
  });
  expect(existsSync(database)).toBe(false);
  const own = ['--profile', 'own'];
  for (const command of [
    ['tenant', 'show'],
    ['tenant', 'apply', '-'],
    ['keys', 'list'],
  ]) {
    const refused = await runCommand([...command, ...own], {
      configDirectory: directory,
      env: {},
      stdin: '{}',
    });
    expect(refused).toMatchObject({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringContaining('does not exist'),
    });
  }
  const { exitCode, stdout } = await run({}, 'doctor', ...own, '--json');
  expect(exitCode).toBe(3);
  const { checks } = JSON.parse(stdout);
  expect(checks.find(({ name }: { name: string }) => name === 'database')).toMatchObject({
    status: 'failed',
    message: `the database ${database} of profile "own" does not exist`,
  });
  expect(existsSync(database)).toBe(false);
});

test('a mistyped database is called new, and its directory is not made', async () => {
  const { directory, database, run } = await start();
  const lost = join(directory, 'tpyo', 'x.db');
  const named = ['--local', database];
  const login = await run({}, 'login', ...named);
  expect(login).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining(`New empty database: ${database}\n`),
  });
  await rm(database);
  const shown = await run({}, 'tenant', 'show', ...named);
  expect(shown.stderr).toBe(`There is no database ${database} yet: this is the built-in definition\n`);
  const file = join(directory, 'acme.json');
  await writeFile(file, '{}');
  const applied = await run({}, 'tenant', 'apply', file, ...named);
  expect(applied.stderr).toContain(`New empty database: ${database}\n`);
  for (const command of [
    ['login', '--yes'],
    ['tenant', 'show'],
    ['tenant', 'apply', file],
  ]) {
    const { exitCode, stderr } = await run({}, ...command, '--local', lost);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: expect.stringContaining('there is no directory'),
    });
  }
  expect((await run({}, 'doctor', '--local', lost)).exitCode).toBe(3);
  expect(existsSync(join(directory, 'tpyo'))).toBe(false);
});

test('no database is made for a file that cannot be read', async () => {
  const { directory, database, run } = await start();
  const file = join(directory, 'bad.csv');
  await writeFile(file, 'user_name,algorithm,hash\nann,md5,"\n');
  for (const command of [
    ['import-hashes', file, '--yes'],
    ['import-hashes', file, '--dry-run', '--live'],
    ['plan', file],
    ['compare', file],
    ['disable', '--csv', file, '--yes'],
  ]) {
    const { exitCode, stdout, stderr } = await run({}, ...command, '--local', database);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('a quote opens in this row and is never closed');
    expect(stderr).not.toContain('New empty database');
    expect(existsSync(database)).toBe(false);
  }
  const recipe = join(directory, 'open.yaml');
  await writeFile(file, 'login\nann\n');
  await writeFile(recipe, 'open: [who is disabled]\nfields: { user_name: { column: login } }\n');
  const open = ['--recipe', recipe, '--local', database];
  for (const command of [['import-hashes', '--allow-passwordless', '--yes'], ['plan']])
    expect((await run({}, ...command, file, ...open)).exitCode).toBe(2);
  expect(existsSync(database)).toBe(false);
  expect(await run({}, 'compare', file, '--to', join(directory, 'lists'), ...open)).toMatchObject({
    exitCode: 7,
    stderr: expect.stringContaining(`New empty database: ${database}\n`),
  });
});
