import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anyAnswer, json, startPeer } from '../../../client/start-peer.ts';
import { environmentFor, startWorld } from '../../../world.ts';

const unknown = '20201028102749564-9082-DC8CD2722';

const target = (baseUrl: string) => `Target: ${baseUrl} (client id test-application)\n`;

test('disable disables one user after consent', async () => {
  const { client, run } = await startWorld();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  const ended = await run('disable', '--by-user-name', 'ann', '--yes', '--json');
  expect(ended).toEqual({
    exitCode: 0,
    stdout: `${JSON.stringify({ results: [{ user_id, given: 'ann', ok: true, action: 'disabled' }] })}\n`,
    stderr: '',
  });
  expect((await client.getUser(user_id)).disabled).toBe(true);
});

test('when not on a terminal, disable disables nobody without --yes', async () => {
  const { client, run, baseUrl } = await startWorld();
  const { user_id } = await client.createUser({ user_name: 'ann', name: 'Ann' });
  const to = `${baseUrl} (client id test-application)`;
  const message = `nothing was disabled: to disable 1 user without a prompt, add --yes; the target is ${to}`;
  const again = 'tenant-users disable --by-user-name ann nobody --yes';
  expect(await run('disable', '--by-user-name', 'ann', 'nobody')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `${target(baseUrl)}  ${user_id}  ann  Ann
The API cannot enable a user again: disabling is permanent. Nobody gets a message.
tenant-users: ${message}
Run:
  ${again}
`,
  });
  const json = await run('disable', '--by-user-name', 'ann', 'nobody', '--json');
  expect(json).toMatchObject({ exitCode: 2, stdout: '' });
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'USAGE', message } });
  expect((await client.getUser(user_id)).disabled).toBe(false);
  expect(await run(...again.split(' ').slice(1))).toMatchObject({ exitCode: 7 });
  expect((await client.getUser(user_id)).disabled).toBe(true);
});

test('for the embedded service, which belongs to the user of the program, disable does not ask', async () => {
  const { directory, runWith } = await startWorld();
  const local = ['--local', join(directory, 'own.db')];
  const made = await runWith({ env: {} }, 'create', '--user-name', 'ann', '-q', ...local);
  const ended = await runWith({ env: {} }, 'disable', made.stdout.trim(), '--json', ...local);
  expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
});

test('disable continues after an id that fails, prints each result, and exits with 7', async () => {
  const { client, run, directory, baseUrl } = await startWorld();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  const file = join(directory, 'leavers.txt');
  await writeFile(file, `${unknown}\r\n\n${user_id}\n`);
  const { exitCode, stdout, stderr } = await run('users', 'disable', '--from', file, '-y');
  expect(exitCode).toBe(7);
  expect(stdout).toMatch(new RegExp(`${unknown} +│ false +│ +│ User not found`));
  expect(stdout).toMatch(new RegExp(`${user_id} +│ true`));
  expect(stderr).toBe(`${target(baseUrl)}1 of 2 disabled\n`);
});

test('on a terminal, disable says of each user who failed why, however wide it is', async () => {
  const { client, runWith, baseUrl } = await startWorld();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  for (const terminal of [80, 300]) {
    const ended = await runWith({ terminal }, 'disable', user_id, '--by-user-name', 'nobody1', '--yes');
    expect(ended).toMatchObject({ exitCode: 7, stdout: expect.stringContaining('action') });
    expect(ended.stdout).not.toContain('User not found');
    expect(ended.stderr.replace(target(baseUrl), '')).toMatch(
      /^tenant-users: nobody1: User not found\n[01] of 2/,
    );
  }
});

test('a user who was disabled before is reported, causes no question, and nothing is sent', async () => {
  const { client, run, baseUrl } = await startWorld();
  const { user_id: ann } = await client.createUser({ user_name: 'ann' });
  const { user_id: bob } = await client.createUser({ user_name: 'bob' });
  await client.disableUser(ann);
  const again = await run('disable', ann, '--json');
  expect(again).toEqual({
    exitCode: 0,
    stdout: `${JSON.stringify({ results: [{ user_id: ann, ok: true, action: 'unchanged' }] })}\n`,
    stderr: '',
  });
  const both = await run('disable', bob, '--by-user-name', 'ann', '--yes', '-o', 'csv');
  expect(both).toEqual({
    exitCode: 0,
    stdout: `given,user_id,ok,action,error.message\n,${bob},true,disabled,\nann,${ann},true,unchanged,\n`,
    stderr: `${target(baseUrl)}1 of 2 disabled; 1 was disabled before\n`,
  });
  expect(JSON.parse((await run('log', '--json')).stdout).changes).toMatchObject([{ user_id: bob }]);
});

test('a single unknown id has its own exit code', async () => {
  const { run } = await startWorld();
  const { exitCode, stdout } = await run('disable', unknown, '--yes', '--json');
  expect(exitCode).toBe(5);
  expect(JSON.parse(stdout).results[0]).toMatchObject({ ok: false, error: { code: 'SVC.TENANT.USER.0001' } });
});

test('disable takes many ids and other identifiers, disables each user once, and reports users who are not found', async () => {
  const { client, run } = await startWorld();
  const { user_id: ann } = await client.createUser({ user_name: 'ann', email: 'ann@example.com' });
  const { user_id: bob } = await client.createUser({ user_name: 'bob' });
  const { user_id: eve } = await client.createUser({ user_name: 'eve' });
  const finders = ['--by-user-name', 'ann', '--by-user-name', 'bob', '--by-user-name', 'nobody'];
  const ended = await run('disable', eve, ...finders, '--by-email', 'ann@example.com', '--yes', '--json');
  expect(ended).toMatchObject({ exitCode: 7, stderr: '' });
  expect(JSON.parse(ended.stdout).results).toEqual([
    { user_id: eve, ok: true, action: 'disabled' },
    { user_id: ann, given: 'ann', ok: true, action: 'disabled' },
    { user_id: bob, given: 'bob', ok: true, action: 'disabled' },
    {
      user_id: null,
      given: 'nobody',
      ok: false,
      error: expect.objectContaining({ message: 'User not found' }),
    },
  ]);
  for (const user_id of [ann, bob, eve]) expect((await client.getUser(user_id)).disabled).toBe(true);
});

const notTheForm = 'This is not the form of a user id.';

test('for an unknown id that looks like another identifier, the error says which option is meant', async () => {
  const { run, baseUrl } = await startWorld();
  const { exitCode, stderr } = await run('disable', 'bob', '13800000000', unknown, '--yes');
  expect(exitCode).toBe(7);
  expect(stderr).toBe(`${target(baseUrl)}0 of 3 disabled
${notTheForm} If it is a user name, use --by-user-name NAME
${notTheForm} If it is a mobile number, use --by-mobile NUMBER
`);
});

test.each([
  [
    ['bob@example.com'],
    'a user id is expected, not an e-mail address',
    'Use --by-email ADDRESS, once for each',
  ],
  [['+8613800000000'], 'a user id is expected, not a mobile number', 'Use --by-mobile NUMBER, once for each'],
  [['Ann Lee'], 'a user id is expected, not a user name', 'Use --by-user-name NAME, once for each'],
])('%j is not a user id: nobody is disabled, exit code 2', async (ids, message, hint) => {
  const { client, run } = await startWorld();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  const { exitCode, stdout, stderr } = await run('disable', user_id, ...ids, '--yes');
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(`tenant-users: ${message}\nNothing was disabled. ${hint}`);
  expect((await client.getUser(user_id)).disabled).toBe(false);
});

test.each([
  ['bob@example.com', 'an e-mail address', 'Or use --by-email ADDRESS, once for each user.'],
  ['user_id', 'a header', 'Write only user ids, one per line, without a header.'],
  ['user_name,user_id', 'a line of a CSV file', 'Write only user ids'],
  ['ann;20201028102749564-9082-DC8CD2722', 'a line of a CSV file', 'Write only user ids'],
  ['# leavers of May', 'a comment', 'Write only user ids'],
])('--from with the line %j: nobody is disabled, exit code 2', async (line, what, hint) => {
  const { client, run, directory } = await startWorld();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  const file = join(directory, 'leavers.txt');
  await writeFile(file, `\uFEFF${user_id}\n${line}\n`);
  const { exitCode, stdout, stderr } = await run('disable', '--from', file, '--yes');
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(`line 2 of ${file} is not a user id, but ${what}\nNothing was disabled.`);
  expect(stderr).toContain(hint);
  expect((await client.getUser(user_id)).disabled).toBe(false);
});

test('an external ID that several users have names nobody whom disable or update may change', async () => {
  const { client, run } = await startWorld();
  const make = async (user_name: string, external_id: string) =>
    (await client.createUser({ user_name, external_id })).user_id;
  const twins = [await make('ann', 'E1'), await make('bob', 'E1')];
  const own = await make('cid', 'E2');
  const why = 'several users have this external ID, and a look-up finds only one of them';
  const hint =
    'See who is meant with tenant-users list --where external_id=E1, and name the user by another identifier.';
  const one = await run('disable', '--by-external-id', 'E1', '--yes', '--json');
  expect(one).toMatchObject({ exitCode: 6, stderr: '' });
  const refused = { code: 'UNCERTAIN_USER', message: why, status: null, retryable: false, hint };
  expect(JSON.parse(one.stdout).results).toEqual([{ user_id: null, given: 'E1', ok: false, error: refused }]);
  const both = await run('disable', '--by-external-id', 'E2', '--by-external-id', 'E1', '--yes');
  expect(both).toMatchObject({ exitCode: 7, stdout: expect.stringContaining(why) });
  expect(both.stderr).toContain(`1 of 2 disabled\n${hint}\n`);
  const updated = await run('update', '--by-external-id', 'E1', '--name', 'Ann', '--json');
  expect(updated).toMatchObject({ exitCode: 6, stdout: '' });
  expect(JSON.parse(updated.stderr).error).toMatchObject(refused);
  for (const id of twins) {
    const user = await client.getUser(id);
    expect(user).toMatchObject({ disabled: false });
    expect(user).not.toHaveProperty('name');
  }
  expect((await client.getUser(own)).disabled).toBe(true);
});

test('disable ends at the first rejected token, with exit code 4, and says who was not tried', async () => {
  const { runWith } = await startWorld();
  const { baseUrl, calls, tokenCalls } = await startPeer({
    call(received, response) {
      const [user_id] = /u-\d/.exec(received.url) ?? [''];
      const isRefused = received.method === 'PUT' && user_id !== 'u-1';
      const answer = isRefused
        ? json(400, { error: 'invalid_token', error_description: 'Invalid access' })
        : json(200, { ...anyAnswer, user_id });
      answer(received, response);
    },
  });
  const words = ['disable', 'u-1', 'u-2', 'u-3', 'u-4', '--yes'];
  const ended = await runWith({ env: environmentFor(baseUrl) }, ...words, '--json');
  expect(ended).toMatchObject({ exitCode: 4, stderr: '' });
  expect(JSON.parse(ended.stdout).results).toMatchObject([
    { user_id: 'u-1', ok: true },
    {
      user_id: 'u-2',
      ok: false,
      error: { code: 'invalid_token', hint: expect.stringContaining('tenant-users status') },
    },
    ...['u-3', 'u-4'].map((user_id) => ({
      user_id,
      ok: false,
      error: { message: 'not tried, because the service rejects the token', retryable: false },
    })),
  ]);
  const puts = calls.filter(({ method }) => method === 'PUT').length;
  expect({ puts, tokens: tokenCalls.length }).toEqual({ puts: 3, tokens: 2 });
  const said = await runWith({ env: environmentFor(baseUrl) }, ...words);
  expect(said.stderr).toContain('1 of 4 disabled; the service rejects the token, so 2 were not tried\n');
});
