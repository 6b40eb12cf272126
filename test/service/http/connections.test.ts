import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Agent, request as send } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { startTestService, type TestService } from '../../test-service.ts';
import { errorReply } from '../api-errors.ts';
import { collectLog } from './collect-log.ts';
import { openRaw } from './raw-connection.ts';

const users = '/api/v2/tenant/users';
const page = `${users}?offset=0&limit=10`;
const start = 1_700_000_000_000;

/** Sends a request on a connection, and resolves to the head of its answer. */
async function ask(socket: Socket, path: string, token?: string): Promise<string> {
  const bearer = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${bearer}\r\n`);
  const [answer] = (await once(socket, 'data')) as [string | Buffer];
  return String(answer).split('\r\n\r\n')[0] ?? '';
}

/** Obtains a token on a connection that ends with the answer. */
async function obtainToken({ client }: TestService): Promise<string> {
  const { access_token } = await client.obtainToken();
  await client.close();
  return access_token;
}

test('one connection too many closes the one without a valid token that was used longest ago', async () => {
  let time = start;
  const collected = collectLog('warn');
  const service = await startTestService({
    connections: 3,
    now: () => time,
    log: collected.log,
    metrics: { port: 0 },
  });
  const token = await obtainToken(service);
  const { baseUrl } = service;
  const known = openRaw(baseUrl).socket;
  expect(await ask(known, page, token)).toMatch(/^HTTP\/1\.1 200 /);
  const silent = openRaw(baseUrl);
  await once(silent.socket, 'connect');
  const used = openRaw(baseUrl).socket;
  expect(await ask(used, '/healthz')).toMatch(/^HTTP\/1\.1 200 /);
  const fourth = openRaw(baseUrl).socket;
  expect(await ask(fourth, '/healthz')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await silent.ended).toBe('');
  expect(await ask(used, '/healthz')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ask(known, page, token)).toMatch(/^HTTP\/1\.1 200 /);
  expect(collected.lines()).toMatchObject([
    { level: 'warn', warning: expect.stringContaining('too many connections'), closed: 1 },
  ]);

  // Now the fourth is the one used longest ago. A minute later the next warning counts both.
  for (const _ of [1, 2]) await ask(openRaw(baseUrl).socket, '/healthz');
  expect(collected.lines()).toHaveLength(1);
  time += 60_000;
  await ask(openRaw(baseUrl).socket, '/healthz');
  expect(collected.lines()).toMatchObject([{ closed: 1 }, { closed: 3 }]);
  expect(await ask(known, page, token)).toMatch(/^HTTP\/1\.1 200 /);
  const metrics = await service.readMetrics();
  expect(metrics).toContain('tenant_users_connections_closed_total 4');
  expect(metrics).toContain('tenant_users_connections 3');
});

test('if all others have valid tokens, the new connection is closed', async () => {
  const service = await startTestService({ connections: 1 });
  const token = await obtainToken(service);
  const known = openRaw(service.baseUrl).socket;
  await ask(known, page, token);
  expect(await openRaw(service.baseUrl).ended).toBe('');
  expect(await ask(known, page, token)).toMatch(/^HTTP\/1\.1 200 /);
  // With its next request it is one of those without a token.
  await ask(known, '/healthz', token);
  expect(await ask(openRaw(service.baseUrl).socket, page, token)).toMatch(/^HTTP\/1\.1 200 /);
});

test('connections over TLS are closed in the same order', async () => {
  const file = (name: string) =>
    readFileSync(new URL(`../../../fixtures/tls/test-only-${name}.pem`, import.meta.url), 'utf8');
  const { baseUrl } = await startTestService({
    connections: 2,
    tls: { cert: file('cert'), key: file('key') },
  });
  const open = async () => {
    const port = Number(new URL(baseUrl).port);
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    onTestFinished(() => void socket.destroy());
    await once(
      socket.on('error', () => {}),
      'secureConnect',
    );
    return socket;
  };
  const first = await open();
  const second = openRaw(baseUrl);
  await once(second.socket, 'connect');
  expect(await ask(first, '/healthz')).toMatch(/^HTTP\/1\.1 200 /);
  const third = await open();
  expect(await second.ended).toBe('');
  const ended = once(first, 'close');
  expect(await ask(third, '/healthz')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ask(await open(), '/healthz')).toMatch(/^HTTP\/1\.1 200 /);
  await ended;
});

test('a rejection without a valid token ends the connection, and no other answer does', async () => {
  const service = await startTestService({ addressLimit: 0.1, rateLimit: 3, now: () => start });
  const { baseUrl } = service;
  const token = await obtainToken(service);
  expect(await openAndAsk('/healthz')).not.toContain('connection: close');
  expect(await openAndAsk(page, token)).not.toContain('connection: close');
  expect(await openAndAsk(`${users}/nobody`, token)).not.toContain('connection: close');
  expect(await openAndAsk('/nowhere')).toContain('connection: close');
  const limited = [await openAndAsk(page, 'unknown'), await openAndAsk(page)];
  expect(limited.map((head) => head.slice(9, 12))).toEqual(['429', '429']);
  for (const head of limited) expect(head).toContain('connection: close');
  expect(await openAndAsk(page, token)).not.toContain('connection: close');
  const overItsLimit = await openAndAsk(page, token);
  expect(overItsLimit).toMatch(/^HTTP\/1\.1 429 /);
  expect(overItsLimit).not.toContain('connection: close');

  function openAndAsk(path: string, bearer?: string): Promise<string> {
    return ask(openRaw(baseUrl).socket, path, bearer);
  }
});

test('a rejection of a body that is still on the way does not end the connection', async () => {
  const { baseUrl } = await startTestService();
  const agent = new Agent({ connections: 1 });
  onTestFinished(() => agent.close());
  const body = JSON.stringify({ name: 'x'.repeat(4_000_000) });
  const headers = { 'content-type': 'application/json' };
  const reply = await send(baseUrl + users, { method: 'POST', headers, body, dispatcher: agent });
  expect(reply.headers.connection).not.toBe('close');
  expect(await reply.body.json()).toEqual({ error: 'invalid_token', error_description: 'Invalid access' });
});

test('a trusted proxy keeps its connection when one of its callers is rejected', async () => {
  const { request } = await startTestService({ trustProxy: ['127.0.0.1'] });
  const reply = await request('GET', page, { token: null, headers: { 'x-forwarded-for': '203.0.113.5' } });
  expect(reply.headers.connection).not.toBe('close');
  const own = await request('GET', '/nowhere', { token: null });
  expect(own).toMatchObject(errorReply('noSuchEndpoint'));
  expect(own.headers.connection).toBe('close');
});
