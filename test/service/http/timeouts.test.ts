import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { errorReply } from '../api-errors.ts';
import { openRaw, type RawConnection } from './raw-connection.ts';

/** Sends a byte at a time, often enough that the connection is never idle, until it ends. */
function trickle({ socket }: RawConnection, sent: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.writable) socket.write(sent.charAt(at));
    at += 1;
  }, 10);
  socket.on('close', () => clearInterval(timer));
  onTestFinished(() => clearInterval(timer));
}

const late = errorReply('requestInvalid', 'it did not arrive in time').body;

test('a caller who sends its headers a byte at a time is cut off', async () => {
  const { baseUrl } = await startTestService({ timeouts: { headers: 150 } });
  const connection = openRaw(baseUrl);
  trickle(connection, `GET /api/v2/tenant/users HTTP/1.1\r\nHost: ${'x'.repeat(5_000)}`);
  const [head, body = ''] = (await connection.ended).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 408 .*\r\nconnection: close\r\n/);
  expect(JSON.parse(body)).toEqual(late);
});

test('a caller who sends its body a byte at a time is cut off', async () => {
  const { baseUrl, client } = await startTestService({ timeouts: { headers: 150, request: 300 } });
  const { access_token } = await client.obtainToken();
  const connection = openRaw(baseUrl);
  const headers = `Host: x\r\nAuthorization: Bearer ${access_token}\r\nContent-Type: application/json`;
  connection.socket.write(`POST /api/v2/tenant/users HTTP/1.1\r\n${headers}\r\nContent-Length: 9999\r\n\r\n`);
  trickle(connection, ' '.repeat(9_999));
  expect(await connection.ended).toMatch(/^HTTP\/1\.1 408 /);
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
});

test('a caller who continues to send after it was cut off is disconnected', async () => {
  const { baseUrl } = await startTestService({ timeouts: { headers: 150 } });
  const port = Number(new URL(baseUrl).port);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const closed = new Promise<boolean>((resolve) => socket.on('error', () => {}).on('close', resolve));
  socket.resume().write('GET / HTTP/1.1\r\nHost: ');
  const timer = setInterval(() => socket.write('x'), 20);
  onTestFinished(() => clearInterval(timer));
  await closed;
  expect(socket.destroyed).toBe(true);
});

test('a connection on which nothing is sent or received is ended, before, between and within requests', async () => {
  const { baseUrl } = await startTestService({ timeouts: { headers: 150, idle: 150, stalled: 300 } });
  const [silent, idle, stalled] = [openRaw(baseUrl), openRaw(baseUrl), openRaw(baseUrl)];
  // This path makes no query, which may take longer than the limit.
  idle.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  const headers = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 9';
  stalled.socket.write(`POST /api/v2/sdk/login HTTP/1.1\r\n${headers}\r\n\r\n`);
  expect(await idle.ended).toMatch(/^HTTP\/1\.1 200 /);
  expect(await stalled.ended).toBe('');
  expect(await silent.ended).not.toMatch(/200/);
});
