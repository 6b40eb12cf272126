import { readFile, rm, symlink } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { invalidToken } from '../../../service/api-errors.ts';
import { device } from '../../../test-service.ts';
import { start, startAdministration } from '../start-administration.ts';

interface Issued {
  client_id: string;
  client_secret: string;
  former_secret_until: string | null;
}

const hour = 3_600_000;
const list = '/api/v2/tenant/users?offset=0&limit=10';

test('a running service knows an application as soon as it is created, and its secret is shown once', async () => {
  const { run, json, tokenFor, request, database } = await startAdministration();
  const created = await run('apps', 'create', '--name', 'HR-Import für Köln', '-o', 'csv');
  expect(created).toMatchObject({
    exitCode: 0,
    stderr: `Target: database ${database}\nSave the secret: it is not shown again\n`,
  });
  const made = await json<Issued>('apps', 'create', '--scope', 'read');
  expect(made).toEqual({
    tenant_id: 'default',
    client_id: expect.stringMatching(/^[0-9a-f]{24}$/),
    client_secret: expect.stringMatching(/^[\w-]{43}$/),
    name: null,
    scope: 'read',
    created_at: new Date(start).toISOString(),
    former_secret_until: null,
  });
  const token = await tokenFor(made);
  expect(await request('GET', list, { token })).toMatchObject({ status: 200 });
  const listed = await run('apps', 'list', '-o', 'csv', '--columns', 'name,scope,former_secret_until');
  expect(listed).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(
      /^name,scope,former_secret_until\n(HR-Import für Köln,all,\n,read,\n|,read,\nHR-Import für Köln,all,\n)$/,
    ),
    stderr: '',
  });
  expect((await run('apps', 'list', '--json')).stdout).not.toContain(made.client_secret);
  const stored = [await readFile(database), await readFile(`${database}-wal`)];
  expect(Buffer.concat(stored).includes(made.client_id)).toBe(true);
  expect(Buffer.concat(stored).includes(made.client_secret)).toBe(false);
  expect(await readFile(`${database}.audit.jsonl`, 'utf8')).toMatch(
    new RegExp(`"event":"createApplication",.*"application":"${made.client_id}"`),
  );
});

test('during a rotation two secrets are valid, and never more', async () => {
  const { run, json, tokenFor, advance } = await startAdministration();
  const first = await json<Issued>('apps', 'create');
  const { client_id } = first;
  const second = await json<Issued>('apps', 'rotate-secret', client_id);
  expect(second).toMatchObject({ client_id, former_secret_until: new Date(start + 24 * hour).toISOString() });
  expect(second.client_secret).not.toBe(first.client_secret);
  for (const secret of [first, second]) expect(await tokenFor(secret)).toMatch(/^1\./);
  expect(await tokenFor({ client_id, client_secret: 'wrong' })).toBe('invalid_client');
  expect(await run('apps', 'rotate-secret', client_id)).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining(
      'the application has two valid secrets until 2026-01-02T12:00:00.000Z\nIf nobody has the newer one, replace only that with --lost. Otherwise wait until then, or end both now with --overlap 0.\n',
    ),
  });
  advance(24 * hour);
  expect(await tokenFor(first)).toBe('invalid_client');
  expect(await tokenFor(second)).toMatch(/^1\./);
  expect(await run('apps', 'rotate-secret', client_id, '--overlap', '0')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('confirmation is required'),
  });
  const third = await json<Issued>('apps', 'rotate-secret', client_id, '--overlap', '0', '--yes');
  expect(third.former_secret_until).toBeNull();
  expect(await tokenFor(second)).toBe('invalid_client');
  expect(await tokenFor(third)).toMatch(/^1\./);
});

test('a new secret that got lost is replaced alone, and the old one stays valid as long as it was', async () => {
  const { run, json, tokenFor, advance } = await startAdministration();
  const first = await json<Issued>('apps', 'create');
  const { client_id } = first;
  const rotate = ['apps', 'rotate-secret', client_id];
  const second = await json<Issued>(...rotate);
  advance(hour);
  // Somebody may use it all the same.
  expect(await run(...rotate, '--lost')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('confirmation is required'),
  });
  expect(await tokenFor(second)).toMatch(/^1\./);
  const third = await json<Issued>(...rotate, '--lost', '--yes');
  expect(third.former_secret_until).toBe(second.former_secret_until);
  for (const secret of [first, third]) expect(await tokenFor(secret)).toMatch(/^1\./);
  expect(await tokenFor(second)).toBe('invalid_client');
  advance(23 * hour);
  expect(await tokenFor(first)).toBe('invalid_client');
  // Where only one secret is valid, it may be in use: it overlaps as in any other rotation.
  const fourth = await json<Issued>(...rotate, '--lost');
  for (const secret of [third, fourth]) expect(await tokenFor(secret)).toMatch(/^1\./);
  expect(await run(...rotate, '--lost', '--overlap', '0')).toMatchObject({ exitCode: 2, stdout: '' });
});

test('of two rotations of a secret at the same moment exactly one succeeds', async () => {
  const { run, json, tokenFor } = await startAdministration();
  const first = await json<Issued>('apps', 'create');
  const calls = [1, 2].map(() => run('apps', 'rotate-secret', first.client_id, '--json'));
  const both = await Promise.all(calls);
  expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 2]);
  const second = JSON.parse(both.map(({ stdout }) => stdout).join(''));
  for (const secret of [first, second]) expect(await tokenFor(secret)).toMatch(/^1\./);
});

test('an application with the scope read can look users up and exchange tickets, and cannot change anything', async () => {
  const { json, tokenFor, request, client } = await startAdministration();
  const token = await tokenFor(await json<Issued>('apps', 'create', '--scope', 'read'));
  const { user_id } = await client.createUser({ user_name: 'ann', email: 'ann@example.com' });
  const users = '/api/v2/tenant/users';
  const body = { user_name: 'ann', email: 'ann@example.com', external_id: 'x', mobile: '13800000000' };
  for (const path of [list, `${users}/${user_id}`])
    expect(await request('GET', path, { token })).toMatchObject({ status: 200 });
  for (const path of ['user-by-username', 'user-by-email', 'user-by-mobile', 'user-by-external-id']) {
    const reply = await request('POST', `${users}/${path}`, { token, body });
    expect(reply.body, path).not.toMatchObject({ error: expect.anything() });
  }
  expect(
    await request('POST', '/api/v2/tenant/sso/sso-ticket/verify', {
      token,
      body: { sso_ticket: 'x', ...device },
    }),
  ).toMatchObject({ body: { error_code: 'SVC.TENANT.SSO.0001' } });
  const refused = { status: 403, body: { error: 'insufficient_scope' } };
  for (const [method, path] of [
    ['POST', users],
    ['POST', `${users}/import-hash-pwd`],
    ['PUT', `${users}/${user_id}`],
    ['PUT', `${users}/${user_id}/disable`],
    ['PUT', `${users}/${user_id}/change-password`],
    ['POST', '/api/v2/tenant/sso/session-token/sso-ticket'],
  ] as const) {
    expect(await request(method, path, { token, body: {} }), path).toMatchObject(refused);
  }
  expect(await client.getUser(user_id)).toMatchObject({ disabled: false });
});

test('a revoked application gets no token, and its tokens end within ten seconds', async () => {
  const { run, json, tokenFor, request, advance } = await startAdministration();
  const made = await json<Issued>('apps', 'create', '--name', 'old');
  const { client_id } = made;
  const [cached, unused] = [await tokenFor(made), await tokenFor(made)];
  expect(await request('GET', list, { token: cached })).toMatchObject({ status: 200 });
  expect(await run('apps', 'revoke', client_id)).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('Run:\n  tenant-users apps revoke '),
  });
  expect(await run('apps', 'revoke', client_id, '--yes')).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining(`Revoked ${client_id} (old)\n`),
  });
  expect(await tokenFor(made)).toBe('invalid_client');
  expect(await request('GET', list, { token: unused })).toMatchObject(invalidToken);
  advance(10_000);
  expect(await request('GET', list, { token: cached })).toMatchObject(invalidToken);
  const again = await run('apps', 'revoke', client_id, '--yes');
  expect(again).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      'the database has no application with this client id\nTo see them: tenant-users apps list\n',
    ),
  });
  expect(again.stderr, 'it could be a secret in the wrong place').not.toContain(client_id);
});

test.skipIf(process.platform !== 'linux')(
  'a secret is shown even if the audit log can no longer be written, and the failure is reported',
  async () => {
    const { run, json, tokenFor, database } = await startAdministration();
    const { client_id } = await json<Issued>('apps', 'create');
    const file = `${database}.audit.jsonl`;
    await rm(file);
    // The file can be opened, but every write fails as on a full disk.
    await symlink('/dev/full', file);
    const message = `the change was made, but the audit log ${file} cannot be written: no space is left on the disk`;
    const hint = 'The log has no line about it: do not run the command again. Make the log writable first.';
    const rotate = ['apps', 'rotate-secret', client_id, '--overlap', '0', '--yes', '--json'];
    const { exitCode, stdout, stderr } = await run(...rotate);
    expect({ exitCode, ...JSON.parse(stderr) }).toMatchObject({ exitCode: 3, error: { message, hint } });
    const { client_secret } = JSON.parse(stdout) as Issued;
    expect(await tokenFor({ client_id, client_secret })).toMatch(/^1\./);
    expect(await run('keys', 'rotate')).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining('next'),
      stderr: expect.stringContaining(`signs from 2`),
    });
    // A change that fails is reported by its own error, not by that of the log.
    expect(await run('apps', 'revoke', 'nobody', '--yes')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^Target: .*\nWarning: the audit log .* cannot be written.*\ntenant-users: .*no application with/,
      ),
    });
  },
);
