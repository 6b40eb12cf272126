import { pbkdf2 } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { request as send } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { type ServiceOptions, startService } from '../../src/service/open-service.ts';
import type { HashingRequest } from '../../src/service/passwords/hashing-queue.ts';
import { processPasswords } from '../../src/service/passwords/passwords.ts';
import { preparedKeyPair } from '../prepared-keys.ts';
import { quietPort } from '../quiet-port.mjs';
import { application, startTestService } from '../test-service.ts';
import { contentOf } from './storage/content-of.ts';
import { lastingDatabase } from './storage/test-database.ts';

async function start(options: ServiceOptions) {
  const service = await startService({ makeKeyPair: preparedKeyPair, ...options });
  onTestFinished(() => service.close());
  return { ...service, tenants: await service.openAccess() };
}

type Started = Awaited<ReturnType<typeof start>>;

function clientOf({ baseUrl, tenants }: Started, known?: Started) {
  const { client_id: clientId = '', client_secret: clientSecret = '' } = (known?.tenants ?? tenants)[0] ?? {};
  const client = createClient({ baseUrl, clientId, clientSecret });
  onTestFinished(() => client.close());
  return client;
}

const page = { offset: 0, limit: 10 };

test('a service that answers before its start has ended names its port', async () => {
  const port = await quietPort();
  const baseUrl = `http://127.0.0.1:${port}`;
  let early: Promise<unknown> | undefined;
  const metrics = {
    port: 0,
    // Read when the port of the API is open. To look this name up takes a thread, and all are busy.
    get host() {
      for (const _ of Array.from({ length: 16 })) pbkdf2('', '', 20_000, 64, 'sha512', () => {});
      early = send(`${baseUrl}/.well-known/openid-configuration`).then(({ body }) => body.json());
      return 'localhost';
    },
  };
  await start({ database: ':memory:', port, metrics });
  expect(await early).toMatchObject({ issuer: baseUrl });
});

test('the first start on a database creates an application and returns its secret once; later starts keep it', async () => {
  const database = await lastingDatabase();
  const first = await start({ database });
  const [tenant] = first.tenants;
  expect(first.tenants).toHaveLength(1);
  expect(tenant).toEqual({
    tenant_id: 'default',
    client_id: expect.stringMatching(/^[0-9a-f]{24}$/),
    client_secret: expect.stringMatching(/^[\w-]{43}$/),
  });
  await clientOf(first).createUser({ user_name: 'ann' });
  const second = await start({ database });
  expect(second.tenants).toEqual([{ tenant_id: 'default', client_id: tenant?.client_id }]);
  expect(await clientOf(second, first).listUsers(page)).toMatchObject({ total: 1 });
  expect((await contentOf(database)).includes(tenant?.client_secret ?? '')).toBe(false);
});

test('a wrong secret of a generated application is rejected, also after the right one was accepted', async () => {
  const service = await start({ database: ':memory:' });
  const { baseUrl } = service;
  await clientOf(service).obtainToken();
  const clientId = service.tenants[0]?.client_id ?? '';
  const client = createClient({ baseUrl, clientId, clientSecret: 'wrong' });
  onTestFinished(() => client.close());
  await expect(client.obtainToken()).rejects.toMatchObject({ code: 'invalid_client' });
});

test('for an application that was given, the start returns the id alone', async () => {
  const { tenants } = await startTestService();
  expect(tenants).toEqual([{ tenant_id: 'default', client_id: application.client_id }]);
});

test('users, tokens, sessions and disabled users are still there after a restart', async () => {
  const database = await lastingDatabase();
  const first = await startService({ database, application, makeKeyPair: preparedKeyPair });
  const options = { clientId: application.client_id, clientSecret: application.client_secret };
  const client = createClient({ baseUrl: first.baseUrl, ...options });
  const { user_id } = await client.createUser({ user_name: 'ann', email: 'a@b', extension: { age: '42' } });
  await client.disableUser(user_id);
  const before = await client.getUser(user_id);
  const { access_token } = await client.obtainToken();
  await client.close();
  await first.close();

  const { request } = await startTestService({ database });
  const reply = await request('GET', `/api/v2/tenant/users/${user_id}`, { token: access_token });
  expect(reply).toMatchObject({ status: 200, body: before });
});

test('a start is refused if the port is in use, or if the database cannot be opened', async () => {
  const { baseUrl } = await startTestService();
  const port = Number(new URL(baseUrl).port);
  await expect(startService({ database: ':memory:', port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await expect(startService({ database: '/nowhere/at/all/users.db' })).rejects.toThrow();
});

test('a first start that fails leaves no application whose secret nobody has seen', async () => {
  const { baseUrl } = await startTestService();
  const database = await lastingDatabase();
  const port = Number(new URL(baseUrl).port);
  await expect(startService({ database, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const service = await start({ database });
  expect(service.tenants).toMatchObject([{ client_secret: expect.any(String) }]);
  await clientOf(service).obtainToken();
});

test('closing waits for the calls in progress', async () => {
  const calls = new EventEmitter();
  const hash = (password: string, request: HashingRequest) => {
    calls.emit('arrived');
    return processPasswords.hash(password, request);
  };
  const passwords = { ...processPasswords, hash };
  const made = { application, makeKeyPair: preparedKeyPair, passwords };
  const service = await startService({ database: ':memory:', ...made });
  const options = { clientId: application.client_id, clientSecret: application.client_secret };
  const client = createClient({ baseUrl: service.baseUrl, ...options });
  onTestFinished(() => client.close());
  const arrived = once(calls, 'arrived');
  const created = client.createUser({ user_name: 'ann', pwd: 'qwe123!@#' });
  await arrived;
  await service.close();
  expect(await created).toEqual({ user_id: expect.any(String) });
});
