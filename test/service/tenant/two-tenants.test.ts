import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { definitionOf } from '../../../src/service/tenant/definition.ts';
import { application, device, startTestService } from '../../test-service.ts';
import { apiErrorOf, errorReply, invalidToken } from '../api-errors.ts';
import { lastingDatabase } from '../storage/test-database.ts';

const tenantOf = (tenant_id: string, more: object = {}) =>
  definitionOf(JSON.stringify({ tenant_id, ...more }));
const acme = tenantOf('acme');
const globex = tenantOf('globex', { token: { expires_in: 60 } });
const page = { offset: 0, limit: 10 };
const users = '/api/v2/tenant/users';

/** One service with two tenants and a client for each; acme has the application that every test service knows. */
async function startTwo() {
  const service = await startTestService({ tenants: [acme, globex] });
  const { client_id: clientId = '', client_secret: clientSecret = '' } = service.tenants[1] ?? {};
  const other = service.connect({ clientId, clientSecret });
  return { ...service, acme: service.client, globex: other, globexId: clientId };
}

const ann = {
  user_name: 'ann',
  email: 'ann@example.com',
  mobile: '15200000000',
  external_id: 'X-1',
  pwd: 'qwe123!@#',
  pwd_must_modify: false,
};

test('each tenant has its own application, and a secret is returned only for a generated one', async () => {
  const { tenants } = await startTwo();
  expect(tenants).toEqual([
    { tenant_id: 'acme', client_id: application.client_id },
    { tenant_id: 'globex', client_id: expect.any(String), client_secret: expect.any(String) },
  ]);
});

test('two tenants have users with the same names, and neither sees the users of the other', async () => {
  const { acme, globex, request } = await startTwo();
  const { user_id } = await acme.createUser(ann);
  expect(await globex.listUsers(page)).toMatchObject({ total: 0, users: [] });
  const absent = apiErrorOf('userNotFound');
  await expect(globex.getUser(user_id)).rejects.toMatchObject(absent);
  await expect(globex.getUserByUserName('ann')).rejects.toMatchObject(absent);
  await expect(globex.getUserByEmail('ann@example.com')).rejects.toMatchObject(absent);
  await expect(globex.getUserByMobile('15200000000')).rejects.toMatchObject(absent);
  await expect(globex.getUserByExternalId('X-1')).rejects.toMatchObject(absent);
  await expect(globex.updateUser(user_id, { name: 'x' })).rejects.toMatchObject(absent);
  await expect(globex.disableUser(user_id)).rejects.toMatchObject(absent);
  const { access_token: token } = await globex.obtainToken();
  const change = { token, body: { password: 'abc456!@#' } };
  expect(await request('PUT', `${users}/${user_id}/change-password`, change)).toMatchObject(
    errorReply('userNotFound'),
  );

  const twin = await globex.createUser(ann);
  expect(twin.user_id).not.toBe(user_id);
  expect(await acme.getUserByUserName('ann')).toMatchObject({ user_id, disabled: false });
  expect(await globex.listUsers(page)).toMatchObject({ total: 1, users: [{ user_id: twin.user_id }] });
  expect(await acme.listUsers(page)).toMatchObject({ total: 1, users: [{ user_id }] });
});

test("a token is valid only for its tenant, also if the tenant's number in it is changed", async () => {
  const { acme, request } = await startTwo();
  await acme.createUser(ann);
  const { access_token } = await acme.obtainToken();
  const list = `${users}?offset=0&limit=10`;
  expect(await request('GET', list, { token: access_token })).toMatchObject({ body: { total: 1 } });
  const secret = access_token.slice(access_token.indexOf('.'));
  for (const key of [2, 3]) {
    expect(await request('GET', list, { token: `${key}${secret}` })).toMatchObject(invalidToken);
  }
});

test('a login, its session and its ticket stay in the tenant of the application', async () => {
  const { acme, globex } = await startTwo();
  await acme.createUser(ann);
  await expect(globex.logIn('ann', ann.pwd, device)).rejects.toMatchObject({ code: 'SDK.LOGIN.1005' });
  const login = await acme.logIn('ann', ann.pwd, device);
  const session = login.status === 'SUCCESS' ? login.session_token : '';
  await expect(globex.issueSsoTicket(session, device)).rejects.toMatchObject(apiErrorOf('sessionInvalid'));
  const { sso_ticket } = await acme.issueSsoTicket(session, device);
  await expect(globex.verifySsoTicket({ sso_ticket, ...device })).rejects.toMatchObject(
    apiErrorOf('ticketInvalid'),
  );
  expect(await acme.verifySsoTicket({ sso_ticket, ...device })).toMatchObject({ userName: 'ann' });
});

test('an application gets no token with the secret of the other tenant, and each tenant has its own lifetime', async () => {
  const { connect, tenants } = await startTwo();
  const { client_id: clientId = '', client_secret: clientSecret = '' } = tenants[1] ?? {};
  const mixed = connect({ clientId, clientSecret: application.client_secret });
  await expect(mixed.obtainToken()).rejects.toMatchObject({ code: 'invalid_client' });
  const now = () => 0;
  const [acme, globex] = [connect({ now }), connect({ clientId, clientSecret, now })];
  expect(await acme.obtainToken()).toMatchObject({ expires_at: 1_800_000 });
  expect(await globex.obtainToken()).toMatchObject({ expires_at: 60_000 });
});

test('nodes that start at the same time on one database agree on its tenants', async () => {
  const database = await lastingDatabase();
  const nodes = await Promise.all([
    startTestService({ database, tenants: [acme, globex] }),
    startTestService({ database, tenants: [globex, acme] }),
  ]);
  expect(nodes.map(({ tenants }) => tenants.map(({ tenant_id }) => tenant_id))).toEqual([
    ['acme', 'globex'],
    ['globex', 'acme'],
  ]);
  const later = await startTestService({ database });
  const ids = later.tenants.map(({ tenant_id }) => tenant_id);
  expect(ids.sort()).toEqual(['acme', 'globex']);
});

test('without definitions the tenants of the database are served; with definitions, exactly those', async () => {
  const database = await lastingDatabase();
  const first = await startTestService({ database, tenants: [acme, globex] });
  await first.client.createUser(ann);
  const { access_token: token } = await first.client.obtainToken();
  const { client_id: clientId = '', client_secret: clientSecret = '' } = first.tenants[1] ?? {};
  await first.close();

  const all = await startTestService({ database });
  expect(all.tenants.map(({ tenant_id }) => tenant_id)).toEqual(['acme', 'globex']);
  expect(await all.client.listUsers(page)).toMatchObject({ total: 1 });
  await all.close();

  const { baseUrl, tenants, request } = await startTestService({ database, tenants: [globex] });
  expect(tenants.map(({ tenant_id }) => tenant_id)).toEqual(['globex']);
  expect(await request('GET', `${users}?offset=0&limit=10`, { token })).toMatchObject(invalidToken);
  const client = createClient({ baseUrl, clientId, clientSecret });
  onTestFinished(() => client.close());
  expect(await client.listUsers(page)).toMatchObject({ total: 0 });
});
