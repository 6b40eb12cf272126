import type { ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { type Client, createClient } from '../../src/client/client.ts';
import { spawnServe } from '../spawn-serve.mjs';
import { application } from '../test-service.ts';

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
  const { child, ready, end } = spawnServe(['--port', '0', '--database', database], env);
  onTestFinished(() => void child.kill('SIGKILL'));
  const { base_url: baseUrl, tenants } = await ready;
  return {
    process: child,
    baseUrl,
    tenant: tenants[0],
    connect(credentials = application) {
      const { client_id: clientId, client_secret: clientSecret } = credentials;
      const client = createClient({ baseUrl, clientId, clientSecret, connections: 50 });
      onTestFinished(() => client.close());
      return client;
    },
    async kill() {
      await end('SIGKILL');
    },
  };
}
