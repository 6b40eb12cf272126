import { expect, test } from 'vitest';
import { errorExplanations } from '../../../../src/contract/error-explanations.ts';
import { json, startPeer } from '../../../client/start-peer.ts';
import { environmentFor, startWorld } from '../../../world.ts';

async function startWithAnn() {
  const world = await startWorld();
  const ann = { user_name: 'ann', email: 'Ann@example.com', mobile: '+86-15200000000', external_id: 'x-1' };
  const { user_id } = await world.client.createUser({ ...ann, extension: { age: '42' } });
  return { ...world, user_id };
}

test('get finds a user by id and by each look-up option', async () => {
  const { run, user_id } = await startWithAnn();
  const ways = [
    [user_id],
    ['--by-user-name', 'ANN'],
    ['--by-email', 'ann@EXAMPLE.com'],
    ['--by-mobile', '15200000000'],
    ['--by-external-id', 'x-1'],
  ];
  for (const way of ways) {
    const { exitCode, stdout, stderr } = await run('get', ...way, '--json');
    expect({ way, exitCode, stderr, found: JSON.parse(stdout).user_id }).toEqual({
      way,
      exitCode: 0,
      stderr: '',
      found: user_id,
    });
  }
});

test('get says how to list all who have an external ID, of which a look-up finds one', async () => {
  const { run, client, user_id } = await startWithAnn();
  await client.createUser({ user_name: 'bob', external_id: 'x-1' });
  const ended = await run('get', '--by-external-id', 'x-1');
  expect(ended).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining(user_id),
    stderr: 'Other users can have this external ID as well. All: tenant-users list --where external_id=x-1\n',
  });
  expect((await run('get', user_id)).stderr).toBe('');
});

test('with --quiet every command of users prints ids alone, one on each line, for other commands to read', async () => {
  const { run, runWith, user_id: ann } = await startWithAnn();
  const created = await run('create', '--user-name', 'bob', '-q');
  expect(created).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^\d{17}-\S+\n$/), stderr: '' });
  const bob = created.stdout.trim();
  const ids = (stdout: string) => ({ exitCode: 0, stdout, stderr: '' });
  expect(await run('get', '--by-user-name', 'bob', '--quiet')).toEqual(ids(`${bob}\n`));
  expect(await run('update', bob, '--name', 'Bob', '--quiet')).toEqual(ids(`${bob}\n`));
  expect(await runWith({ terminal: 40 }, 'list', '--quiet')).toMatchObject(ids(`${ann}\n${bob}\n`));
  const all = await run('list', '--all', '-q');
  expect(all).toEqual(ids(`${ann}\n${bob}\n`));
  // --columns takes precedence over --quiet.
  expect((await run('list', '-q', '-o', 'csv', '--columns', 'name')).stdout).toBe('name\n\nBob\n');
  expect((await run('list', '-q', '--columns', 'name')).stdout).toContain('│ Bob');
  expect(await runWith({ stdin: `${all.stdout}nobody\n` }, 'disable', '--from', '-', '-q', '--yes')).toEqual({
    exitCode: 7,
    stdout: `${ann}\n${bob}\n`,
    stderr: 'tenant-users: nobody: User not found\n',
  });
});

test('get shows each field on a line, and selected fields even if they are empty', async () => {
  const { run, user_id } = await startWithAnn();
  const { stdout } = await run('users', 'get', user_id);
  expect(stdout).toMatch(/│ email +│ Ann@example.com +│/);
  expect(stdout).toMatch(/│ extension.age +│ 42 +│/);
  expect(stdout).not.toContain('industry');
  expect((await run('get', user_id, '--columns', 'industry')).stdout).toContain('industry');
});

test('an unknown user ends with exit code 5 and a message on stderr only', async () => {
  const { run } = await startWithAnn();
  expect(await run('get', '20201028102749564-9082-DC8CD2722')).toEqual({
    exitCode: 5,
    stdout: '',
    stderr: `tenant-users: User not found (SVC.TENANT.USER.0001)\n${errorExplanations.userNotFound.remedy}\n`,
  });
  const { exitCode, stderr } = await run('get', '--by-user-name', 'nobody', '--json');
  expect(exitCode).toBe(5);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'SVC.TENANT.USER.0001',
      message: 'User not found',
      status: 400,
      retryable: false,
      hint: errorExplanations.userNotFound.remedy,
    },
  });
});

test.each([[[]], [['id', '--by-email', 'a@b']], [['--by-email', 'a@b', '--by-mobile', '1']]])(
  'get needs exactly one way to name the user: %j',
  async (args) => {
    const { run } = await startWorld();
    const { exitCode, stderr } = await run('get', ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('specify exactly one user');
  },
);

test('a user id cannot lead out of the path', async () => {
  const { run } = await startWithAnn();
  expect((await run('get', '../token')).exitCode).toBe(5);
  expect((await run('get', 'a/b?c#d%')).exitCode).toBe(5);
});

test.each([
  ['bob@example.com', 'If it is an e-mail address, use --by-email ADDRESS'],
  ['+86-13800000000', 'If it is a mobile number, use --by-mobile NUMBER'],
  ['bob', 'If it is a user name, use --by-user-name NAME'],
])('%s is not found as a user id, and get and update say which option is meant', async (given, hint) => {
  const { run } = await startWithAnn();
  for (const args of [
    ['get', given],
    ['update', given, '--name', 'Bob'],
  ]) {
    const ended = await run(...args, '--json');
    expect(ended).toMatchObject({ exitCode: 5, stdout: '' });
    const { error } = JSON.parse(ended.stderr);
    expect(error).toMatchObject({ code: 'SVC.TENANT.USER.0001', message: 'User not found' });
    expect(error.hint).toBe(`This is not the form of a user id. ${hint}`);
  }
});

test.each([
  ['--by-user-name', 'muller', 'user_name', { user_name: 'müller' }],
  ['--by-email', 'zzz@example.org', 'email', { email: 'u0@example.org' }],
  ['--by-mobile', '86-15200000000', 'mobile', {}],
  ['--by-mobile', '+86 152 0000 0000', 'mobile', {}],
  ['--by-external-id', 'e1', 'external_id', { external_id: 'E1' }],
])(
  'who is found by %s and has another value is not taken for the one who is meant',
  async (flag, given, field, has) => {
    const { runWith } = await startWorld();
    const { baseUrl, calls } = await startPeer({
      call: json(200, { user_id: 'u-1', disabled: false, ...has }),
    });
    const message = `the look-up by ${field} answered with u-1, who has another ${field} or none`;
    for (const words of [['get'], ['update', '--name', 'X'], ['disable', '--yes']]) {
      const [command] = words;
      const ended = await runWith({ env: environmentFor(baseUrl) }, ...words, flag, given, '--json');
      const { error } =
        command === 'disable' ? JSON.parse(ended.stdout).results[0] : JSON.parse(ended.stderr);
      expect({ command, ...ended, error }).toMatchObject({
        exitCode: 6,
        error: { code: 'UNCERTAIN_USER', message },
      });
    }
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
  },
);
