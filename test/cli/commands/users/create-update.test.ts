import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attributeNames } from '../../../../src/contract/attributes.ts';
import { errorExplanations } from '../../../../src/contract/error-explanations.ts';
import { startWorld } from '../../../world.ts';

const target = (baseUrl: string) => `Target: ${baseUrl} (client id test-application)\n`;

test('create takes options, a JSON file and a password on standard input, and options take precedence', async () => {
  const { directory, client, runWith, baseUrl } = await startWorld();
  const file = join(directory, 'ann.json');
  await writeFile(file, JSON.stringify({ name: 'from file', industry: '教育', extension: { age: '1' } }));
  const env = {
    TENANT_USERS_BASE_URL: baseUrl,
    TENANT_USERS_CLIENT_ID: 'test-application',
    TENANT_USERS_CLIENT_SECRET: 'test-secret-7d41c0',
  };
  const args = ['create', '--user-name', 'ann', '--data', file, '--name', 'Ann', '--nick-name', 'An'];
  const password = ['--password-stdin', '--no-must-modify', '--json'];
  const { exitCode, stdout, stderr } = await runWith({ stdin: 'qwe123!@#\n', env }, ...args, ...password);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });

  const { user_id } = JSON.parse(stdout);
  expect(await client.getUser(user_id)).toMatchObject({
    user_name: 'ann',
    name: 'Ann',
    attr_nick_name: 'An',
    industry: '教育',
    extension: { age: '1' },
  });
  const device = { operating_sys_version: '1', device_ip: '127.0.0.1', device_fingerprint: 'f' };
  expect((await client.logIn('ann', 'qwe123!@#', device)).status).toBe('SUCCESS');
});

test('create warns of a user whose name nobody knows, with the command that gives one', async () => {
  const { client, run } = await startWorld();
  const { exitCode, stderr } = await run('create', '--name', 'Ann', '--external-id', '7');
  const [, command = []] = /cannot log in\. Give the user a name:\n {2}(.*)\n$/.exec(stderr) ?? [];
  expect({ exitCode, command }).toEqual({
    exitCode: 0,
    command: expect.stringMatching(/^tenant-users update [\w-]+ --user-name NAME$/),
  });
  const [, ...words] = String(command).replace('NAME', 'ann').split(' ');
  expect(await run(...words)).toMatchObject({ exitCode: 0 });
  expect((await client.getUserByUserName('ann')).name).toBe('Ann');
  for (const name of [
    ['--user-name', 'bob'],
    ['--email', 'c@example.com'],
    ['--mobile', '86-13912345678'],
  ])
    expect((await run('create', ...name)).stderr).not.toContain('Warning');
});

test('create merges the extension attributes of the data and of the options', async () => {
  const { directory, client, run } = await startWorld();
  const file = join(directory, 'ann.json');
  await writeFile(file, JSON.stringify({ extension: { age: '1' } }));
  const args = ['--user-name', 'ann', '--data', file, '--extension', 'joined_on=2020-01-01', '--json'];
  const { user_id } = JSON.parse((await run('create', ...args)).stdout);
  expect((await client.getUser(user_id)).extension).toEqual({ age: '1', joined_on: '2020-01-01' });
  await writeFile(file, JSON.stringify({ extension: 'abc' }));
  expect((await run('update', user_id, '--data', file)).stderr).toContain(
    'extension in --data is not a JSON object',
  );
});

test('there is an option for every attribute', async () => {
  const { run } = await startWorld();
  const { stdout } = await run('create', '--help');
  for (const name of attributeNames) {
    expect(stdout).toContain(`--${name.replace('attr_', '').replaceAll('_', '-')} <value>`);
  }
});

test('update sends only what is named, merges extension attributes and clears with --unset', async () => {
  const { client, run, baseUrl } = await startWorld();
  const extension = { age: '42', joined_on: '2020-02-29' };
  const { user_id } = await client.createUser({ user_name: 'ann', name: 'Ann', industry: 'x', extension });
  const { exitCode, stdout, stderr } = await run(
    'update',
    user_id,
    '--name',
    'Anna',
    '--extension',
    'age=43',
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: `${target(baseUrl)}Updated\n` });
  expect(stdout).toContain(user_id);
  expect(await client.getUser(user_id)).toMatchObject({
    name: 'Anna',
    industry: 'x',
    extension: { age: '43', joined_on: '2020-02-29' },
  });

  await run('users', 'update', '--by-user-name', 'ann', '--unset', 'industry,extension.age');
  const cleared = await client.getUser(user_id);
  expect(cleared).not.toHaveProperty('industry');
  expect(cleared.extension).toEqual({ joined_on: '2020-02-29' });
});

test('--unset can be given several times, and each one clears its attributes', async () => {
  const { client, run } = await startWorld();
  const filled = { user_name: 'ann', name: 'Ann', email: 'ann@example.com', industry: 'x', zip_code: '1' };
  const { user_id } = await client.createUser(filled);
  await run('update', user_id, '--unset', 'email', '--unset', 'name,industry', '--columns', 'user_id');
  const kept = await client.getUser(user_id);
  for (const field of ['email', 'name', 'industry']) expect(kept).not.toHaveProperty(field);
  expect(kept).toMatchObject({ user_name: 'ann', zip_code: '1' });
  const shown = await run('get', user_id, '--columns', 'zip_code', '--columns', 'user_name', '-o', 'csv');
  expect(shown.stdout).toBe('zip_code,user_name\n1,ann\n');
});

test('update distinguishes the e-mail address that finds a user from the one that is set', async () => {
  const { client, run } = await startWorld();
  const { user_id } = await client.createUser({ user_name: 'ann', email: 'old@example.com' });
  expect((await run('update', '--by-email', 'old@example.com', '--email', 'new@example.com')).exitCode).toBe(
    0,
  );
  expect((await client.getUser(user_id)).email).toBe('new@example.com');
});

test.each([
  ['create', 'no attributes given'],
  ['update id', 'no changes given'],
  ['update id --unset external_id', '--unset external_id is not an attribute that can be cleared'],
  ['update id --unset user_name', '--unset user_name is not an attribute that can be cleared'],
  ['update id --mobile=', '--mobile is empty: is a shell variable unset?'],
  ['update id --email a@b --extension age=', '--extension age is empty: is a shell variable unset?'],
  ['update id --email a@b --unset email', 'email cannot be both set and unset'],
  ['update id --by-external-id x --name y', 'specify exactly one user'],
  ['create --extension age', 'must be KEY=VALUE'],
  ['create --pwd secret', "unknown option '--pwd'"],
  ['create --data missing.json', 'missing.json cannot be read: it does not exist'],
])('"%s" is refused with exit code 2', async (line, reason) => {
  const { run } = await startWorld();
  const { exitCode, stdout, stderr } = await run(...line.split(' '));
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(reason);
});

test('a rejection by the API ends with exit code 6 and shows its code', async () => {
  const { client, run, baseUrl } = await startWorld();
  await client.createUser({ user_name: 'ann' });
  expect(await run('create', '--user-name', 'Ann')).toEqual({
    exitCode: 6,
    stdout: '',
    stderr: `${target(baseUrl)}tenant-users: Username already exists (SVC.TENANT.USER.0034)\n${errorExplanations.userNameTaken.remedy}\n`,
  });
});
