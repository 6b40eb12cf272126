import { expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { companions, type OperationName, operations } from '../../src/contract/operations.ts';
import { application, startTestService } from '../test-service.ts';
import { startPeer } from './start-peer.ts';

const device = { operating_sys_version: 'macOS 14', device_ip: '10.0.0.7', device_fingerprint: 'f-1' };

/** How each operation is called. An operation without a method of its name does not compile. */
const calls: Record<Exclude<OperationName, 'obtainToken'>, (client: Client) => Promise<unknown>> = {
  listUsers: (client) => client.listUsers({ offset: 2, limit: 10, updated_at_less: '2026-01-01 00:00:00' }),
  createUser: (client) => client.createUser({ name: '张三' }),
  importHashedUser: (client) => client.importHashedUser({ 'hash-pwd': { algorithm: 'md5', value: 'x' } }),
  getUser: (client) => client.getUser('u-1'),
  getUserByUserName: (client) => client.getUserByUserName('ann'),
  getUserByEmail: (client) => client.getUserByEmail('a@b'),
  getUserByMobile: (client) => client.getUserByMobile('+86-15200000000'),
  getUserByExternalId: (client) => client.getUserByExternalId('e-1'),
  updateUser: (client) => client.updateUser('u-1', { name: '' }),
  disableUser: (client) => client.disableUser('u-1'),
  verifySsoTicket: (client) => client.verifySsoTicket({ sso_ticket: 't', ...device }),
};

const users = '/api/v2/tenant/users';

/** Method, path and body that the specification requires of each (§4.2 to §4.12). */
const expected: Record<keyof typeof calls, [string, unknown?]> = {
  listUsers: [`GET ${users}?offset=2&limit=10&updated_at_less=2026-01-01+00%3A00%3A00`],
  createUser: [`POST ${users}`, { name: '张三' }],
  importHashedUser: [`POST ${users}/import-hash-pwd`, { 'hash-pwd': { algorithm: 'md5', value: 'x' } }],
  getUser: [`GET ${users}/u-1`],
  getUserByUserName: [`POST ${users}/user-by-username`, { user_name: 'ann' }],
  getUserByEmail: [`POST ${users}/user-by-email`, { email: 'a@b' }],
  getUserByMobile: [`POST ${users}/user-by-mobile`, { mobile: '+86-15200000000' }],
  getUserByExternalId: [`POST ${users}/user-by-external-id`, { external_id: 'e-1' }],
  updateUser: [`PUT ${users}/u-1`, { name: '' }],
  disableUser: [`PUT ${users}/u-1/disable`],
  verifySsoTicket: ['POST /api/v2/tenant/sso/sso-ticket/verify', { sso_ticket: 't', ...device }],
};

test.each(Object.entries(calls))('%s is sent as the specification describes it', async (name, call) => {
  const peer = await startPeer();
  await call(peer.connect());
  const [address, body] = expected[name as keyof typeof calls];
  const [sent] = peer.calls;
  expect(`${sent?.method} ${sent?.url}`).toBe(address);
  expect(sent?.body).toBe(body === undefined ? '' : JSON.stringify(body));
  expect(sent?.headers).toMatchObject({
    authorization: 'Bearer token-1',
    'content-type': 'application/json; charset=utf-8',
  });
});

test('the client has a method for every operation', async () => {
  const { client } = await startTestService();
  expect(Object.keys(client)).toEqual(expect.arrayContaining(Object.keys(operations)));
  expect(Object.keys(calls)).toHaveLength(Object.keys(operations).length - 1);
});

test('the login sends its device and application in headers', async () => {
  const peer = await startPeer();
  await peer.connect().logIn('ann', 'pw', { ...device, agent: 'test' });
  expect(peer.calls).toMatchObject([
    {
      url: companions.logIn.url,
      body: '{"user_name":"ann","password":"pw"}',
      headers: {
        'x-client-id': application.client_id,
        'x-device-fingerprint': 'f-1',
        'x-operating-sys-version': 'macOS 14',
        'x-agent': 'test',
      },
    },
  ]);
});

test.each(['/gateway/tenants', '/gateway/tenants/'])(
  'the client keeps the path %s of the base URL',
  async (prefix) => {
    const peer = await startPeer();
    await peer.connect({ baseUrl: peer.baseUrl + prefix }).getUser('u-1');
    expect(peer.tokenCalls[0]?.url).toMatch(/^\/gateway\/tenants\/api\/v2\/tenant\/token\?/);
    expect(peer.calls[0]?.url).toBe('/gateway/tenants/api/v2/tenant/users/u-1');
  },
);

test('a user id cannot lead to another endpoint', async () => {
  const peer = await startPeer();
  const client = peer.connect();
  await client.getUser('a/b?c=d#e%20 字');
  await client.disableUser('x/disable');
  expect(peer.calls.map(({ url }) => url)).toEqual([
    `${users}/a%2Fb%3Fc%3Dd%23e%2520%20%E5%AD%97`,
    `${users}/x%2Fdisable/disable`,
  ]);
});

test('a real service finds no user by such an id', async () => {
  const { client } = await startTestService();
  for (const id of ['a/b?c=d#e%20 字', 'user-by-email', '%', '..', 'x'.repeat(5000)]) {
    await expect(client.getUser(id)).rejects.toMatchObject({ code: 'SVC.TENANT.USER.0001' });
  }
});
