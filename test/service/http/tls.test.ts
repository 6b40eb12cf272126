import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../../../src/service/open-service.ts';

const file = (name: string) =>
  readFileSync(
    fileURLToPath(new URL(`../../../fixtures/tls/test-only-${name}.pem`, import.meta.url)),
    'utf8',
  );

async function startOverTls(): Promise<number> {
  const service = await startService({ database: ':memory:', tls: { cert: file('cert'), key: file('key') } });
  onTestFinished(() => service.close());
  return Number(new URL(service.baseUrl).port);
}

test('over TLS every answer tells browsers never to use plain HTTP again', async () => {
  const port = await startOverTls();
  const header = await new Promise((resolve, reject) => {
    const path = '/api/v1/oauth2/keys';
    request(
      { port, host: '127.0.0.1', path, ca: file('cert'), checkServerIdentity: () => undefined },
      (reply) => resolve(reply.resume().headers['strict-transport-security']),
    )
      .on('error', reject)
      .end();
  });
  expect(header).toBe('max-age=31536000');
});

test('TLS 1.2 is accepted only with authenticated encryption', async () => {
  const port = await startOverTls();
  const connectWith = (ciphers: string) =>
    new Promise<string>((resolve) => {
      const options = {
        port,
        host: '127.0.0.1',
        maxVersion: 'TLSv1.2',
        ciphers,
        rejectUnauthorized: false,
      } as const;
      const socket: TLSSocket = connect(options, () => {
        resolve(socket.getCipher().name);
        socket.destroy();
      });
      socket.on('error', () => resolve('refused'));
    });
  expect(await connectWith('ECDHE+AESGCM')).toMatch(/^ECDHE-.*GCM/);
  expect(await connectWith('AES128-SHA')).toBe('refused');
  expect(await connectWith('AES128-GCM-SHA256')).toBe('refused');
});
