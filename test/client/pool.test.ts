import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openPool } from '../../src/client/pool.ts';
import type { Reply, SendFailure } from '../../src/client/transport.ts';

/** A server that answers when the test says so, a pool of connections to it, and what has come of the requests. */
async function start(connections: number) {
  const sockets = new Set<unknown>();
  const asked: { path: string; response: ServerResponse; socket: unknown }[] = [];
  const server = createServer(({ url = '', socket }, response) => {
    asked.push({ path: url, response, socket });
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pool = openPool({ origin, connections, limit: 60_000, signal: new AbortController().signal });
  onTestFinished(async () => {
    await pool.close();
    server.closeAllConnections();
    server.close();
  });
  const ended: (Reply | SendFailure)[] = [];
  const send = (path: string) =>
    pool.send(
      { method: 'GET', path, headers: {} },
      (reply) => ended.push(reply),
      (failure) => ended.push(failure),
    );
  return { send, asked, ended, sockets, close: () => pool.close() };
}

test('as many connections are made as are needed, up to the most; who comes later waits in turn', async () => {
  const { send, asked, sockets } = await start(2);
  for (const path of ['/1', '/2', '/3', '/4']) send(path);
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.response.end();
  await expect.poll(() => asked.length).toBe(3);
  asked[0]?.response.end();
  await expect.poll(() => asked.length).toBe(4);
  expect(asked.slice(2).map(({ path }) => path)).toEqual(['/3', '/4']);
  expect(asked[2]?.socket).toBe(asked[1]?.socket);
  expect(sockets.size).toBe(2);
});

test('the connection that became free last is used first', async () => {
  const { send, asked, ended } = await start(8);
  for (const path of ['/1', '/2']) send(path);
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.response.end();
  await expect.poll(() => ended.length).toBe(1);
  asked[0]?.response.end();
  await expect.poll(() => ended.length).toBe(2);
  send('/3');
  await expect.poll(() => asked.length).toBe(3);
  expect(asked[2]?.socket).toBe(asked[0]?.socket);
});

test('after a connection that broke, and a request that cannot be sent, the next one is served', async () => {
  const { send, asked, ended } = await start(1);
  for (const path of ['/1', '/a path', '/2']) send(path);
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.response.destroy();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.response.end('2');
  await expect.poll(() => ended.length).toBe(3);
  expect(ended).toMatchObject([
    { sent: true, cause: { message: 'other side closed' } },
    { sent: false, cause: { code: 'UND_ERR_INVALID_ARG' } },
    { status: 200, text: '2' },
  ]);
});

test('closing ends what is under way; what waits, and what comes later, is not sent', async () => {
  const { send, asked, ended, close } = await start(1);
  for (const path of ['/1', '/2']) send(path);
  await expect.poll(() => asked.length).toBe(1);
  await close();
  send('/3');
  const closed = { cause: { code: 'UND_ERR_DESTROYED' } };
  expect(ended).toHaveLength(3);
  expect(ended).toMatchObject([closed, closed, closed]);
  expect(ended.map((end) => 'sent' in end && end.sent).sort()).toEqual([false, false, true]);
  expect(asked).toHaveLength(1);
});
