import { expect, test } from 'vitest';
import {
  createApplication,
  listApplications,
  revokeApplication,
  rotateSecret,
} from '../../src/service/admin/applications.ts';
import { endSessionsOfApplication, endSessionsOfUser } from '../../src/service/admin/sessions.ts';
import { listSigningKeys, resetSigningKeys, rotateSigningKey } from '../../src/service/admin/signing-keys.ts';
import { preparedKeyPair } from '../prepared-keys.ts';
import { device, startTestService } from '../test-service.ts';
import { lastingDatabase } from './storage/test-database.ts';
import { tally } from './tally.ts';

const now = () => Date.UTC(2026, 0, 1, 12);
const list = '/api/v2/tenant/users?offset=0&limit=10';
const pwd = 'qwe123!@#';

/** Two services on one database, as two nodes would have it. */
async function startNodes() {
  const database = await lastingDatabase();
  return {
    database,
    nodes: [await startTestService({ now, database }), await startTestService({ now, database })] as const,
  };
}

test('both nodes of a database see at once what an administration command changes', async () => {
  const { database, nodes } = await startNodes();
  const [one, other] = nodes;
  const scoped = { name: null, scope: 'all', now: now() } as const;
  const made = await createApplication(database, undefined, scoped);
  const options = { clientId: made.client_id, clientSecret: made.client_secret };
  const { access_token } = await one.connect(options).obtainToken();
  expect(await other.request('GET', list, { token: access_token })).toMatchObject({ status: 200 });

  const rotated = await rotateSecret(database, made.client_id, { overlap: 3600, now: now() });
  const renewed = { clientId: made.client_id, clientSecret: rotated.client_secret };
  for (const node of nodes)
    for (const credentials of [options, renewed]) await node.connect(credentials).obtainToken();
  expect(await listApplications(database, 'default', now())).toEqual([
    {
      tenant_id: 'default',
      client_id: made.client_id,
      name: null,
      scope: 'all',
      created_at: '2026-01-01T12:00:00.000Z',
      former_secret_until: '2026-01-01T13:00:00.000Z',
    },
  ]);

  await one.client.createUser({ user_name: 'ann', pwd, pwd_must_modify: false });
  const login = await one.connect(options).logIn('ann', pwd, device);
  const session = login.status === 'SUCCESS' ? login.session_token : '';
  expect(await other.client.issueSsoTicket(session, device)).toMatchObject({ expire: 300 });
  expect(await endSessionsOfUser(database, undefined, 'ann', now())).toMatchObject({ sessions: 1 });
  await expect(other.client.issueSsoTicket(session, device)).rejects.toMatchObject({
    code: 'SVC.TENANT.SSO.0004',
  });
  expect(await endSessionsOfApplication(database, undefined, made.client_id, now())).toMatchObject({
    tokens: 6,
  });

  await revokeApplication(database, made.client_id, now());
  for (const node of nodes) {
    await expect(node.connect(renewed).obtainToken()).rejects.toMatchObject({ code: 'invalid_client' });
    await expect(node.connect(options).logIn('ann', pwd, device)).rejects.toMatchObject({
      code: 'invalid_client',
    });
  }
});

test('of many key or secret rotations at the same moment exactly one happens', async () => {
  const { database, nodes } = await startNodes();
  await nodes[0].request('GET', '/api/v1/oauth2/keys', { token: null });
  const rotation = { now: now(), lead: 600, keySecret: undefined, makeKeyPair: preparedKeyPair };
  const keys = [1, 2, 3].map(() => rotateSigningKey(database, undefined, rotation));
  expect(await tally(keys)).toEqual({ fulfilled: 1, USAGE: 2 });
  expect((await listSigningKeys(database, undefined, now())).map(({ state }) => state)).toEqual([
    'signing',
    'next',
  ]);
  const made = await createApplication(database, undefined, { name: 'x', scope: 'read', now: now() });
  const overlap = { overlap: 60, now: now() };
  const secrets = [1, 2, 3].map(() => rotateSecret(database, made.client_id, overlap));
  expect(await tally(secrets)).toEqual({ fulfilled: 1, USAGE: 2 });
  expect(await resetSigningKeys(database)).toBe(2);
  expect(await listSigningKeys(database, undefined, now())).toEqual([]);
});

test('an application that is stored is rotated and revoked, and keeps its scope, although the service was started with its credentials', async () => {
  const database = await lastingDatabase();
  const first = await startTestService({ now, database });
  await first.client.obtainToken();
  const scoped = { name: null, scope: 'read', now: now() } as const;
  const { client_id, client_secret } = await createApplication(database, undefined, scoped);
  await first.close();

  const service = await startTestService({ now, database, application: { client_id, client_secret } });
  expect(service.tenants).toEqual([{ tenant_id: 'default', client_id }]);
  const former = service.connect({ clientId: client_id, clientSecret: client_secret });
  expect(await former.obtainToken()).toMatchObject({ scope: 'read' });
  await expect(former.createUser({ user_name: 'ann' })).rejects.toMatchObject({ code: 'insufficient_scope' });
  const rotated = await rotateSecret(database, client_id, { overlap: 0, now: now() });
  const invalid = { code: 'invalid_client' };
  const again = service.connect({ clientId: client_id, clientSecret: client_secret });
  await expect(again.obtainToken()).rejects.toMatchObject(invalid);
  const renewed = service.connect({ clientId: client_id, clientSecret: rotated.client_secret });
  expect(await renewed.obtainToken()).toMatchObject({ scope: 'read' });
  await revokeApplication(database, client_id, now());
  const last = service.connect({ clientId: client_id, clientSecret: rotated.client_secret });
  await expect(last.obtainToken()).rejects.toMatchObject(invalid);
});

test('without an overlap, a secret has ended for a node whose clock is behind', async () => {
  const database = await lastingDatabase();
  const node = await startTestService({ now: () => now() - 60_000, database });
  const made = await createApplication(database, undefined, { name: null, scope: 'all', now: now() });
  const rotated = await rotateSecret(database, made.client_id, { overlap: 0, now: now() });
  const obtain = ({ client_id, client_secret }: typeof made) =>
    node.connect({ clientId: client_id, clientSecret: client_secret }).obtainToken();
  await expect(obtain(made)).rejects.toThrow(/^Bad client credentials/);
  expect(await obtain(rotated)).toHaveProperty('access_token');
});
