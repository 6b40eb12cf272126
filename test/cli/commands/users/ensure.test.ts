import { expect, test } from 'vitest';
import { anyAnswer, json, startPeer } from '../../../client/start-peer.ts';
import { environmentFor, startWorld } from '../../../world.ts';

/** A tenant with Ann and Bob, and the number of its requests. */
async function startPeople() {
  const world = await startWorld();
  const { user_id: ann } = await world.client.createUser({
    user_name: 'ann',
    email: 'ann@example.com',
    mobile: '86-15200000001',
    external_id: 'A-1',
    extension: { age: '42' },
  });
  const { user_id: bob } = await world.client.createUser({ user_name: 'bob', email: 'bob@example.com' });
  const ensure = (...args: string[]) => world.run('ensure', ...args);
  return { ...world, ann, bob, ensure };
}

test('ensure creates a user, updates what differs, and then changes nothing', async () => {
  const { ensure, client } = await startPeople();
  const cid = ['--user-name', 'cid', '--email', 'cid@example.com', '--json'];
  const created = await ensure(...cid);
  expect(created).toMatchObject({ exitCode: 0, stderr: '' });
  const { user_id } = JSON.parse(created.stdout);
  expect(JSON.parse(created.stdout)).toEqual({ user_id, action: 'created', fields: [] });
  expect(JSON.parse((await ensure(...cid)).stdout)).toEqual({ user_id, action: 'unchanged', fields: [] });

  const more = [
    '--user-name',
    'cid',
    '--email',
    'CID@Example.org',
    '--json',
    '--name',
    'Cid',
    '--extension',
    'age=7',
  ];
  const updated = { user_id, action: 'updated', fields: ['name', 'email', 'extension.age'] };
  expect(JSON.parse((await ensure(...more)).stdout)).toEqual(updated);
  const user = await client.getUser(user_id);
  expect(user).toMatchObject({ name: 'Cid', email: 'CID@Example.org', extension: { age: '7' } });
  expect(JSON.parse((await ensure(...more)).stdout)).toEqual({ user_id, action: 'unchanged', fields: [] });
  expect((await client.getUser(user_id)).updated_at).toBe(user.updated_at);
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(3);
});

test('ensure prints what it did, and with --quiet only the id', async () => {
  const { ensure, ann, baseUrl } = await startPeople();
  const told = await ensure('--user-name', 'ANN', '--industry', 'IT');
  expect(told.exitCode).toBe(0);
  expect(told.stdout).toMatch(/^┌.*\n│ user_id .*\n│ action {2}│ updated .*\n│ fields {2}│ .*industry/);
  expect(told.stderr).toBe(`Target: ${baseUrl} (client id test-application)\n${ann}: updated (industry)\n`);
  expect(await ensure('--user-name', 'ann', '-q')).toEqual({ exitCode: 0, stdout: `${ann}\n`, stderr: '' });
});

test('ensure compares as the tenant does: another form of the same number is not a difference', async () => {
  const { ensure } = await startPeople();
  const { stdout } = await ensure('--user-name', 'ann', '--mobile', '15200000001', '--json');
  expect(JSON.parse(stdout).action).toBe('unchanged');
});

test('--unset clears attributes, once, and sends nothing empty for a new user', async () => {
  const { ensure, client, ann } = await startPeople();
  const args = ['--user-name', 'ann', '--unset', 'mobile,extension.age', '--json'];
  const fields = ['mobile', 'extension.age'];
  expect(JSON.parse((await ensure(...args)).stdout)).toMatchObject({ action: 'updated', fields });
  expect((await client.getUser(ann)).mobile ?? '').toBe('');
  const created = await ensure('--user-name', 'new', ...args.slice(2));
  expect(JSON.parse(created.stdout).action).toBe('created');
  expect(JSON.parse((await ensure(...args)).stdout).action).toBe('unchanged');
});

test('--key finds people by one identifier, and lets the others change', async () => {
  const { ensure, client, ann } = await startPeople();
  const args = ['--key', 'external_id', '--external-id', 'A-1', '--user-name', 'anna', '--json'];
  expect(JSON.parse((await ensure(...args)).stdout)).toMatchObject({ user_id: ann, fields: ['user_name'] });
  expect((await client.getUser(ann)).user_name).toBe('anna');
});

test.each<[string[], string]>([
  [['--user-name', 'ann', '--email', 'bob@example.com'], 'the keys belong to several users'],
  [['--user-name', 'ann', '--external-id', 'A-2'], 'the API cannot change an external ID'],
  [['--user-name', 'ann', '--name', 'x', '--external-id', 'A-2'], 'the API cannot change an external ID'],
])('%j cannot be reached, and nothing is changed', async (args, message) => {
  const { ensure, client, ann, bob } = await startPeople();
  const before = [await client.getUser(ann), await client.getUser(bob)];
  const { exitCode, stdout, stderr } = await ensure(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 6, stdout: '' });
  expect(stderr).toContain(`nothing was changed: ${message}; held: user_name by ${ann}`);
  const json = await ensure(...args, '--json');
  expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'NOT_ENSURED', retryable: false });
  expect([await client.getUser(ann), await client.getUser(bob)]).toEqual(before);
});

test('an external ID that only another person has makes no second person, unless --key says so', async () => {
  const { ensure, client, ann } = await startPeople();
  for (const one of ['--user-name', '--email']) {
    const refused = await ensure('--external-id', 'A-1', one, 'anna@example.com');
    expect(refused).toMatchObject({ exitCode: 6, stdout: '' });
    expect(refused.stderr).toContain(
      `nothing was changed: an identifier belongs to a different person; held: external_id by ${ann}`,
    );
    const own = one === '--email' ? 'email' : 'user_name';
    expect(refused.stderr).toContain(
      `If this user is meant, use --key external_id; if another one is, use --key ${own}.`,
    );
  }
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(2);
  const meant = ['--external-id', 'A-1', '--user-name', 'anna', '--json', '--key'];
  expect(JSON.parse((await ensure(...meant, 'user_name')).stdout).action).toBe('created');
});

test('an external ID alone finds its user', async () => {
  const { ensure, ann } = await startPeople();
  const { stdout } = await ensure('--external-id', 'A-1', '--industry', 'IT', '--json');
  expect(JSON.parse(stdout)).toEqual({ user_id: ann, action: 'updated', fields: ['industry'] });
});

test('a user who is found by another identifier gets no other user name, unless --key says so', async () => {
  const { ensure, client, bob } = await startPeople();
  const args = ['--user-name', 'new.hire', '--email', 'bob@example.com'];
  const refused = await ensure(...args);
  expect(refused).toMatchObject({ exitCode: 6, stdout: '' });
  expect(refused.stderr).toContain(
    `nothing was changed: an identifier belongs to a different person; held: email by ${bob}; different there: user_name`,
  );
  expect(refused.stderr).toContain('If this user is meant, use --key email.');
  const asName = await ensure('--user-name', 'bob@example.com');
  expect(asName).toMatchObject({ exitCode: 6, stdout: '' });
  expect(asName.stderr).toContain(`held: user_name by ${bob}; different there: user_name`);
  expect((await client.getUser(bob)).user_name).toBe('bob');
  const { stdout } = await ensure(...args, '--key', 'email', '--json');
  expect(JSON.parse(stdout)).toEqual({ user_id: bob, action: 'updated', fields: ['user_name'] });
});

test('ensure does not enable a disabled user, and the error says so', async () => {
  const { ensure, client, bob } = await startPeople();
  await client.disableUser(bob);
  const { exitCode, stdout, stderr } = await ensure('--user-name', 'bob', '--name', 'Bob');
  expect({ exitCode, stdout }).toEqual({ exitCode: 6, stdout: '' });
  expect(stderr.split('the user is disabled, and the API cannot enable users again')).toHaveLength(2);
});

test('two ensure commands at the same time create one user', async () => {
  const { ensure, client } = await startPeople();
  const args = ['--user-name', 'eve', '--email', 'eve@example.com', '--json'];
  const ended = await Promise.all([ensure(...args), ensure(...args), ensure(...args)]);
  expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(new Set(ended.map(({ stdout }) => JSON.parse(stdout).user_id)).size).toBe(1);
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(3);
});

test('a password is only for a new user, and is not read for an existing one', async () => {
  const { ensure } = await startPeople();
  const missing = ['--password-file', '/nonexistent/password'];
  expect((await ensure('--user-name', 'ann', ...missing, '--json')).exitCode).toBe(0);
  expect((await ensure('--user-name', 'new', ...missing)).exitCode).toBe(2);
});

test('a password from standard input is read once, even if the user has to be created in a second attempt', async () => {
  const { runWith } = await startWorld();
  const taken = json(400, { error_code: 'SVC.TENANT.USER.0034', error_msg: 'Username already exists' });
  const nobody = json(400, { error_code: 'SVC.TENANT.USER.0001', error_msg: 'User not found' });
  const created: string[] = [];
  const { baseUrl } = await startPeer({
    call(received, response) {
      if (received.url.includes('/user-by-')) return nobody(received, response);
      created.push(received.body);
      (created.length === 1 ? taken : json(200, anyAnswer))(received, response);
    },
  });
  const circumstances = { env: environmentFor(baseUrl), stdin: 'Correct-Horse-9\n' };
  const ended = await runWith(circumstances, 'ensure', '--user-name', 'eve', '--password-stdin', '-q');
  expect(ended).toEqual({ exitCode: 0, stdout: 'u-1\n', stderr: '' });
  const sent = { user_name: 'eve', pwd: 'Correct-Horse-9' };
  expect(created.map((body) => JSON.parse(body))).toEqual([sent, sent]);
});

test.each<[string[], string]>([
  [[], 'ensure cannot tell who is meant'],
  [['ann'], 'ensure takes no arguments'],
  [['--name', 'Ann'], 'ensure cannot tell who is meant without an identifier'],
  [['--user-name', ''], '--user-name is empty: is a shell variable unset?'],
  [['--user-name', 'ann', '--extension', 'age='], '--extension age is empty: is a shell variable unset?'],
  [['--user-name', 'ann', '--key', 'email'], 'ensure cannot tell who is meant without email'],
])('ensure refuses %j', async (args, message) => {
  const { ensure } = await startPeople();
  const { exitCode, stdout, stderr } = await ensure(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
});
