import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { startTestService } from '../../test-service.ts';
import { credentials } from '../process/start-program.ts';

const file = (name: string) =>
  fileURLToPath(new URL(`../../../fixtures/tls/test-only-${name}.pem`, import.meta.url));

/** The private authority that issued the certificates of the test service. */
export const authority = file('authority');

/**
 * The certificate of the service. All are issued by `authority` for tenant.test, localhost and 127.0.0.1, unless the
 * name says otherwise.
 */
export type Certificate = 'tenant-cert' | 'tenant-expired' | 'tenant-early' | 'tenant-other-name';

/** A real service behind TLS on a loopback port. */
export interface TlsService {
  port: number;
  /** A client of the service that does not use TLS. */
  client: Client;
  /** The environment of the program: a host name of the service that only a proxy can resolve. */
  env: Record<string, string>;
}

/** Starts a service for the running test, with TLS in front of it. */
export async function startTlsService(certificate: Certificate = 'tenant-cert'): Promise<TlsService> {
  const { baseUrl, client } = await startTestService();
  const [cert, key] = await Promise.all([readFile(file(certificate)), readFile(file('tenant-key'))]);
  const server = createServer({ cert, key }, (socket) => {
    const behind = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    socket.on('error', () => behind.destroy()).on('close', () => behind.destroy());
    behind.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.pipe(behind).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, client, env: { ...credentials, TENANT_USERS_BASE_URL: `https://tenant.test:${port}` } };
}
