import { expect, test } from 'vitest';
import { defaultTenant } from '../../../src/service/tenant/default-tenant.ts';
import { application, device, startTestService } from '../../test-service.ts';
import { errorReply } from '../api-errors.ts';

const users = '/api/v2/tenant/users';
const pwd = 'qwe123!@#';
const headers = {
  'x-client-id': application.client_id,
  'x-device-fingerprint': 'f-1',
  'x-operating-sys-version': 'macOS',
  'x-agent': 'test',
};

test('a user id with NUL finds no user, and changes none', async () => {
  const { client, request } = await startTestService();
  const { user_id } = await client.createUser({ user_name: 'ann', pwd, pwd_must_modify: false });
  const path = `${users}/${user_id}%00EVIL`;
  const calls = [
    await request('GET', path),
    await request('PUT', path, { body: { name: 'Eve' } }),
    await request('PUT', `${path}/disable`),
    await request('PUT', `${path}/change-password`, { body: { password: 'Another-1!' } }),
  ];
  for (const reply of calls) expect(reply).toMatchObject(errorReply('userNotFound'));
  expect(await client.getUser(user_id)).toMatchObject({ user_name: 'ann', disabled: false });
});

test('a login name with NUL is a different name', async () => {
  const { client, request } = await startTestService();
  await client.createUser({ user_name: 'ann', pwd, pwd_must_modify: false });
  for (const suffix of ['a', 'b']) {
    const body = { user_name: `ann\u0000${suffix}`, password: pwd };
    const reply = await request('POST', '/api/v2/sdk/login', { token: null, headers, body });
    expect(reply).toMatchObject(errorReply('loginRefused', '4'));
  }
});

test('a client id with NUL is unknown', async () => {
  const tenants = [defaultTenant, { ...defaultTenant, tenant_id: 'other' }];
  const { tenants: access, request } = await startTestService({ tenants });
  const { client_id: clientId = '', client_secret: clientSecret = '' } = access[1] ?? {};
  const obtain = (client_id: string) => {
    const parameters = { client_id, client_secret: clientSecret, grant_type: 'client_credentials' };
    return request('POST', `/api/v2/tenant/token?${new URLSearchParams(parameters)}`, { token: null });
  };
  expect((await obtain(clientId)).status).toBe(200);
  expect(await obtain(`${clientId}\u0000victim`)).toMatchObject({
    status: 400,
    body: { error: 'invalid_client' },
  });
});

test.each(['\0', '\x1b', '\n', '\x7f'])('a fact about a device with %j is rejected', async (control) => {
  const { client, request } = await startTestService();
  await client.createUser({ user_name: 'ann', pwd, pwd_must_modify: false });
  const login = await client.logIn('ann', pwd, device);
  const session_token = login.status === 'SUCCESS' ? login.session_token : '';
  for (const field of [
    'session_token',
    'operating_sys_version',
    'device_ip',
    'device_fingerprint',
    'agent',
  ]) {
    const body = { session_token, ...device, agent: 'test', [field]: `a${control}b` };
    const reply = await request('POST', '/api/v2/tenant/sso/session-token/sso-ticket', { body });
    expect(reply).toMatchObject(errorReply('requestInvalid', `${field} has a control character`));
  }
});
