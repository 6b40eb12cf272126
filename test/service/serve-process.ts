import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type Client, createClient } from '../../src/client/client.ts';
import { application } from '../test-service.ts';

const bin = fileURLToPath(new URL('../../bin/tenant-users.js', import.meta.url));

/** A `serve` process of the built program that accepts connections. */
export interface ServeProcess {
  process: ChildProcess;
  baseUrl: string;
  /** Its first tenant, as it printed it. */
  tenant: { tenant_id: string; client_id: string; client_secret?: string };
  /** A client with the credentials of the tests' application, or with those that are given. */
  connect(credentials?: { client_id: string; client_secret: string }): Client;
  /** Ends the process as a crash would, and waits until it has ended. */
  kill(): Promise<void>;
}

/** Starts `serve` on a database for the running test. With `known` it has the application of the tests. */
export async function startServe(database: string, { known }: { known: boolean }): Promise<ServeProcess> {
  const env: Record<string, string> = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };
  if (known) {
    env.TENANT_USERS_CLIENT_ID = application.client_id;
    env.TENANT_USERS_CLIENT_SECRET = application.client_secret;
  }
  const args = [bin, 'serve', '--port', '0', '--database', database, '--json'];
  const started = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(started, 'exit');
  onTestFinished(() => void started.kill('SIGKILL'));
  let log = '';
  started.stderr.on('data', (chunk) => (log += String(chunk)));
  for await (const line of createInterface(started.stdout)) {
    const { base_url: baseUrl, tenants } = JSON.parse(line);
    return {
      process: started,
      baseUrl,
      tenant: tenants[0],
      connect(credentials = application) {
        const { client_id: clientId, client_secret: clientSecret } = credentials;
        const client = createClient({ baseUrl, clientId, clientSecret, connections: 50 });
        onTestFinished(() => client.close());
        return client;
      },
      async kill() {
        started.kill('SIGKILL');
        await exit;
      },
    };
  }
  throw new Error(`serve did not start: ${log}`);
}
