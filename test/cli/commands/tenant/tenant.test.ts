import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestService } from '../../../test-service.ts';
import { startWorld } from '../../../world.ts';

const acme = {
  tenant_id: 'acme',
  attributes: { email: { required: true } },
  extension: { shoe: { display_name: 'Shoe\u202e size', type: 'number' } },
};
const keys = 'tenant_id, time_zone, attributes, extension, mobile, password, token, sso, login';
const faulty = { colour: 1, attributes: { email: { pattern: '(' } }, extension: { age: {} } };
const faults = [
  { path: 'colour', message: `unknown key; available: ${keys}` },
  {
    path: 'attributes.email.pattern',
    message: 'is not a valid pattern: missing closing ): `(`',
  },
  { path: 'extension.age.display_name', message: 'is missing' },
];

async function startWithFiles() {
  const world = await startWorld();
  const file = join(world.directory, 'acme.json');
  const bad = join(world.directory, 'bad.json');
  await writeFile(file, JSON.stringify(acme));
  await writeFile(bad, JSON.stringify(faulty));
  /** Credentials in the environment would belong to the remote service. */
  const run = (...args: string[]) => world.runWith({ env: {} }, ...args);
  return { ...world, run, file, bad, database: join(world.directory, 'x.db') };
}

test('check accepts a valid definition, and reports every fault of an invalid one', async () => {
  const { run, file, bad } = await startWithFiles();
  expect(await run('tenant', 'check', file)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: `${file} is valid (tenant acme)\n`,
  });
  expect(await run('tenant', 'check', file, '--json')).toEqual({
    exitCode: 0,
    stdout: '{"tenant_id":"acme","valid":true}\n',
    stderr: '',
  });
  const lines = faults.map(({ path, message }) => `  ${path}: ${message}\n`).join('');
  expect(await run('tenant', 'check', bad)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `tenant-users: ${bad} is not a valid tenant definition, 3 errors:\n${lines}Nothing was applied. For a complete example: tenant-users tenant show --local :memory:\n`,
  });
});

test('the proposed command shows a complete example, whatever profile or service is in use', async () => {
  const { run, runWith, baseUrl } = await startWithFiles();
  const { stdout } = await run('tenant', 'show', '--local', ':memory:');
  const env = { TENANT_USERS_BASE_URL: 'https://id.example.com' };
  expect(await runWith({ env }, 'tenant', 'show', '--local', ':memory:')).toMatchObject({
    stdout,
    stderr: '',
  });
  const given = ['--base-url', baseUrl];
  const refused = await runWith({ env: {}, stdin: '{"a":1}' }, ...given, 'tenant', 'check', '-');
  expect(refused.stderr).toContain('tenant-users tenant show --local :memory:\n');
});

test.each([['check'], ['apply']])('%s --json has the faults as details', async (command) => {
  const { run, bad, database } = await startWithFiles();
  const { exitCode, stdout, stderr } = await run('tenant', command, bad, '--json', '--local', database);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'USAGE', details: faults });
});

test('a file that is not JSON or cannot be read ends with exit code 2', async () => {
  const { runWith, run } = await startWithFiles();
  const ended = await runWith({ stdin: '{\n "a" 1}' }, 'tenant', 'check', '-', '--json');
  expect(ended.exitCode).toBe(2);
  expect(JSON.parse(ended.stderr).error.details).toEqual([
    { path: '', message: 'line 2, column 6: expected ":"' },
  ]);
  expect(await run('tenant', 'check', '/nowhere.json')).toMatchObject({ exitCode: 2, stdout: '' });
});

test('show prints the complete definition that was applied, and the embedded service uses it', async () => {
  const { run, file, database } = await startWithFiles();
  expect(await run('tenant', 'apply', file, '--local', database)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: `Target: database ${database} (tenant acme)\nNew empty database: ${database}\nApplied to tenant acme in ${database}; restart serve if it is running\n`,
  });
  const shown = await run('tenant', 'show', '--local', database);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(shown.stdout)).toMatchObject({ ...acme, token: { expires_in: 1800 } });
  expect(shown.stdout).toContain('Shoe\\u202e size');
  expect(await run('tenant', 'show', 'acme', '--json', '--local', database)).toEqual(shown);

  const refused = await run('create', '--user-name', 'ann', '--local', database, '--json');
  expect(refused.exitCode).toBe(6);
  expect(JSON.parse(refused.stderr).error.code).toBe('SVC.TENANT.USER.0005');
  const args = ['--email', 'a@b', '--extension', 'shoe=42', '--local', database];
  expect((await run('create', ...args)).exitCode).toBe(0);
});

test('the definition that show prints is valid, and applying it changes nothing', async () => {
  const { run, runWith, file, database } = await startWithFiles();
  await run('tenant', 'apply', file, '--local', database);
  const { stdout } = await run('tenant', 'show', '--local', database);
  const checked = await runWith({ stdin: stdout, env: {} }, 'tenant', 'check', '-', '--json');
  expect(checked).toMatchObject({ exitCode: 0, stderr: '' });
  const applied = await runWith({ stdin: stdout, env: {} }, 'tenant', 'apply', '-', '--local', database);
  expect(applied.exitCode).toBe(0);
  expect((await run('tenant', 'show', '--local', database)).stdout).toBe(stdout);
});

test('for a database that does not exist, show prints the built-in tenant, and does not create the database', async () => {
  const { run, database } = await startWithFiles();
  const { stdout, exitCode } = await run('tenant', 'show', '--local', database);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ tenant_id: 'default', extension: { age: {}, joined_on: {} } });
  expect(await run('tenant', 'show', 'acme', '--local', database)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `tenant-users: ${database} has no tenant "acme"\nRun: tenant-users --local ${database} tenant show default\n`,
  });
  const directory = join(database, '..', 'new');
  const missing = await run('status', '--local', join(directory, 'y.db'));
  expect(missing).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('there is no directory') });
  const empty = await run('status', '--local', join(directory, '..', 'y.db'), '--json');
  expect(empty.exitCode).toBe(0);
});

test('with several tenants show needs the name of one, and apply says that --local reaches none', async () => {
  const { run, runWith, file, database } = await startWithFiles();
  await runWith({ stdin: '{}', env: {} }, 'tenant', 'apply', '-', '--local', database);
  const { stdout, stderr } = await run('tenant', 'apply', file, '--local', database, '--yes', '--json');
  expect({ stdout: JSON.parse(stdout), stderr }).toEqual({
    stdout: { tenant_id: 'acme', database },
    stderr: '',
  });
  const again = await run('tenant', 'apply', file, '--local', database);
  expect(again.stderr).toMatch(
    /\nThe database has several tenants now, default, acme: only serve reaches their users, --local does not\n$/,
  );
  expect(await run('tenant', 'show', '--local', database)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `tenant-users: ${database} has several tenants\nRun: tenant-users --local ${database} tenant show default (or acme)\n`,
  });
  expect(JSON.parse((await run('tenant', 'show', 'acme', '--local', database)).stdout)).toMatchObject(acme);
});

test('the embedded service acts on no database of several tenants, since nobody says whom is meant', async () => {
  const { run, runWith, file, database } = await startWithFiles();
  await runWith({ stdin: '{}', env: {} }, 'tenant', 'apply', '-', '--local', database);
  expect((await run('create', '--user-name', 'ann', '--local', database)).exitCode).toBe(0);
  expect(await run('tenant', 'apply', file, '--local', database)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Add a second tenant, acme, beside default?'),
  });
  expect(await run('serve', '--database', database, '--tenant', file, '--port', '0')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Add a second tenant, acme, beside default?'),
  });
  expect((await run('list', '--local', database)).exitCode).toBe(0);
  expect((await run('tenant', 'apply', file, '--local', database, '--yes')).exitCode).toBe(0);
  const refused = `the database has several tenants
Start serve on it, and log in with an application of one of them: default, acme. See tenant-users apps --help\n`;
  for (const words of [
    ['disable', '--by-user-name', 'ann'],
    ['list'],
    ['status'],
    ['login'],
    ['create', '--name', 'x'],
  ]) {
    const ended = await run(...words, '--local', database);
    expect({ words, ...ended }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(refused) });
  }
  const { tenants, client } = await startTestService({ database });
  expect((await client.getUserByUserName('ann')).disabled).toBe(false);
  // The secret of an application that was made before would be lost.
  expect(tenants).toMatchObject([
    { tenant_id: 'default' },
    { tenant_id: 'acme', client_secret: expect.stringMatching(/^[\w-]{43}$/) },
  ]);
});

test('for a remote service the commands end with exit code 2, since its definitions are elsewhere', async () => {
  const { run, baseUrl } = await startWithFiles();
  const { exitCode, stdout, stderr } = await run('tenant', 'show', '--base-url', baseUrl);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('for the local service only');
});

test('a database that cannot be used ends with exit code 3', async () => {
  const { run, file } = await startWithFiles();
  for (const args of [['show'], ['apply', file]]) {
    const { exitCode, stdout, stderr } = await run('tenant', ...args, '--local', '/dev/null/x.db');
    expect({ exitCode, stdout }).toEqual({
      exitCode: args[0] === 'show' ? 0 : 3,
      stdout: expect.any(String),
    });
    expect(stderr).not.toContain('should not happen');
  }
  const other = `${file}.db`;
  await writeFile(other, 'no database');
  const garbage = await run('tenant', 'show', '--local', other);
  expect(garbage).toMatchObject({ exitCode: 3, stdout: '' });
  expect(garbage.stderr).toContain('cannot be used');
});

test('apply warns of what is probably a mistake: generated names that break the rule', async () => {
  const { runWith } = await startWithFiles();
  const stdin = JSON.stringify({ attributes: { user_name: { pattern: '^[A-Z]+$' } } });
  const { exitCode, stderr } = await runWith({ stdin }, 'tenant', 'check', '-');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('breaks attributes.user_name; make it required');
});

test('serve refuses a faulty definition, and two definitions of one tenant', async () => {
  const { run, file, bad } = await startWithFiles();
  const serve = ['serve', '--database', ':memory:', '--port', '0', '--tenant', file];
  expect(await run(...serve, '--tenant', bad)).toMatchObject({ exitCode: 2, stdout: '' });
  const twice = await run(...serve, '--tenant', file);
  expect(twice).toMatchObject({ exitCode: 2, stdout: '' });
  expect(twice.stderr).toContain('both define the tenant acme');
});
