import { expect, test } from 'vitest';
import { device } from '../../../test-service.ts';
import { type Administration, startAdministration } from '../start-administration.ts';

const pwd = 'qwe123!@#';

/** Logs a user in with an application, and returns the session. */
async function logIn({ request }: Administration, user_name: string, clientId: string): Promise<string> {
  const headers = {
    'X-client-id': clientId,
    'X-device-fingerprint': device.device_fingerprint,
    'X-operating-sys-version': device.operating_sys_version,
    'X-agent': 'test',
  };
  const parts = { token: null, headers, body: { user_name, password: pwd } };
  const { body } = await request<{ session_token?: string }>('POST', '/api/v2/sdk/login', parts);
  return body.session_token ?? '';
}

async function startUsers() {
  const administration = await startAdministration();
  for (const user_name of ['ann', 'bob'])
    await administration.client.createUser({ user_name, pwd, pwd_must_modify: false });
  const isLive = (session: string) =>
    administration.client.issueSsoTicket(session, device).then(
      () => true,
      () => false,
    );
  return { ...administration, isLive };
}

test('the sessions of one user are ended, and no others', async () => {
  const all = await startUsers();
  const [ann, bob] = [
    await logIn(all, 'ann', 'test-application'),
    await logIn(all, 'bob', 'test-application'),
  ];
  expect([await all.isLive(ann), await all.isLive(bob)]).toEqual([true, true]);
  const { user_id } = await all.client.getUserByUserName('ann');
  expect(await all.json('sessions', 'end', 'ANN')).toEqual({
    tenant_id: 'default',
    user_id,
    client_id: null,
    sessions: 1,
    tokens: 0,
  });
  expect([await all.isLive(ann), await all.isLive(bob)]).toEqual([false, true]);
  expect(await all.run('sessions', 'end', user_id)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: `Target: database ${all.database}\nSessions ended: 0\n`,
  });
  expect(await all.run('sessions', 'end', 'nobody')).toMatchObject({
    exitCode: 5,
    stdout: '',
    stderr: expect.stringContaining('User not found (SVC.TENANT.USER.0001)'),
  });
  expect(await all.run('sessions', 'end', '--app', 'none')).toMatchObject({ exitCode: 2 });
  const { events } = await all.json<{ events: { event: string; outcome: string }[] }>('audit');
  const outcomes = events.filter(({ event }) => event === 'endSessions').map(({ outcome }) => outcome);
  expect(outcomes.sort()).toEqual(['done', 'done', 'refused', 'refused']);
});

test('what an application was given is ended: its tokens, and the sessions of its logins', async () => {
  const all = await startUsers();
  const made = await all.json<{ client_id: string; client_secret: string }>('apps', 'create');
  const token = await all.tokenFor(made);
  const theirs = await logIn(all, 'ann', made.client_id);
  const others = await logIn(all, 'bob', 'test-application');
  expect(await all.run('sessions', 'end', '--app', made.client_id)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: `Target: database ${all.database}\nSessions ended: 1, access tokens ended: 1\n`,
  });
  expect([await all.isLive(theirs), await all.isLive(others)]).toEqual([false, true]);
  const list = '/api/v2/tenant/users?offset=0&limit=10';
  expect(await all.request('GET', list, { token })).toMatchObject({ status: 400 });
  expect(await all.tokenFor(made), 'it can get another').toMatch(/^1\./);
  expect(await all.run('sessions', 'end', '--app', 'nobody')).toMatchObject({ exitCode: 2 });
});

test.each([[[]], [['ann', '--app', 'x']]])('sessions end %j exits with 2', async (args) => {
  const { run } = await startAdministration();
  expect(await run('sessions', 'end', ...args)).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('Give a user, or --app CLIENT_ID.'),
  });
});
