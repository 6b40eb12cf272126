import { expect, test } from 'vitest';
import { testPasswords } from '../../test-passwords.ts';
import { startTestService, type TestService } from '../../test-service.ts';
import { errorReply } from '../api-errors.ts';
import { keptDatabase } from '../storage/test-database.ts';
import { openRaw, type RawConnection } from './raw-connection.ts';

const users = '/api/v2/tenant/users';
const open = { token: null };

/** Sends a request without the last byte of its body, and waits until the service counts it as in progress. */
async function sendMost({ baseUrl, client, readMetrics }: TestService): Promise<RawConnection> {
  const { access_token } = await client.obtainToken();
  const connection = openRaw(baseUrl);
  const head = `POST ${users} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${access_token}\r\n`;
  connection.socket.write(`${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`);
  await expect.poll(readMetrics).toContain('in_flight 1\n');
  return connection;
}

test('a service that drains finishes the requests in progress and rejects new ones', async () => {
  const service = await startTestService({ metrics: { port: 0 } });
  const { request } = service;
  const { socket, ended } = await sendMost(service);
  expect(await request('GET', '/readyz', open)).toMatchObject({ status: 200, body: { status: 'ready' } });

  const drained = service.drain();
  const ready = await request('GET', '/readyz', open);
  expect(ready).toMatchObject({ status: 503, body: { status: 'draining' } });
  expect((await request('GET', '/healthz', open)).status).toBe(200);
  const refused = await request('GET', `${users}?offset=0&limit=10`, open);
  expect(refused).toMatchObject({ ...errorReply('systemBusy'), status: 503 });
  expect(refused.headers).toMatchObject({ connection: 'close', 'retry-after': '1' });

  socket.write('}');
  const answer = await ended;
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  expect(answer).toMatch(/\{"user_id":"[^"]+"\}$/);
  expect(await drained).toBe(0);
  await expect(request('GET', '/healthz', open)).rejects.toThrow();
});

test('a request that does not end is cut off after the timeout', async () => {
  const service = await startTestService({ metrics: { port: 0 }, timeouts: { drain: 100 } });
  const { ended } = await sendMost(service);
  expect(await service.drain()).toBe(1);
  expect(await ended).toBe('');
});

test('neither an idle connection nor an incomplete request keeps a service from closing', async () => {
  const service = await startTestService({ metrics: { port: 0 }, timeouts: { drain: 60_000 } });
  await service.request('GET', '/healthz', open);
  const connections = ['', 'GET /healthz HT'].map((sent) => {
    const connection = openRaw(service.baseUrl);
    connection.socket.write(sent);
    return connection;
  });
  await service.request('GET', '/healthz', open);
  expect(await service.drain()).toBe(0);
  await service.close();
  expect(await Promise.all(connections.map(({ ended }) => ended))).toEqual(['', '']);
});

test('no request counts as in progress after its connection has ended', async () => {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let hashing = 0;
  const hash = (password: string) => {
    hashing += 1;
    // For nobody, so that the hash is made though the caller has gone.
    return held.then(() =>
      testPasswords.hash(password, { lane: 'administration', isAbandoned: () => false }),
    );
  };
  const kept = await keptDatabase();
  let commits = 0;
  const commit: typeof kept.commit = (transaction) => kept.commit(transaction).finally(() => (commits += 1));
  const database = { ...kept, commit };
  const passwords = { ...testPasswords, hash };
  const service = await startTestService({ metrics: { port: 0 }, passwords, database });
  const { access_token } = await service.client.obtainToken();
  const { socket } = openRaw(service.baseUrl);
  const body = '{"pwd":"Gf4-kupz"}';
  const head = `POST ${users} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${access_token}\r\n`;
  const create = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  socket.write(create.repeat(3));
  // A request whose token is still being looked up is given up together with its connection.
  await expect.poll(() => hashing).toBe(3);
  expect(await service.readMetrics()).toContain('in_flight 3\n');
  socket.destroy();
  await expect.poll(service.readMetrics).toContain('in_flight 0\n');
  const before = commits;
  goOn();
  expect(await service.drain()).toBe(0);
  // The commits happen nevertheless; the test must not end before them.
  await expect.poll(() => commits - before).toBe(3);
});
