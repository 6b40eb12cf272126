import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { spawnServe } from '../../spawn-serve.mjs';
import { application } from '../../test-service.ts';
import { temporaryDirectory } from '../../world.ts';

const bin = fileURLToPath(new URL('../../../bin/tenant-users.js', import.meta.url));
const cert = fileURLToPath(new URL('../../../fixtures/tls/test-only-cert.pem', import.meta.url));
const key = fileURLToPath(new URL('../../../fixtures/tls/test-only-key.pem', import.meta.url));
const credentials = {
  TENANT_USERS_CLIENT_ID: application.client_id,
  TENANT_USERS_CLIENT_SECRET: application.client_secret,
};

/** Starts the built program's `serve` on a memory database and waits until it accepts connections. */
async function serve(...options: string[]) {
  const env = { PATH: process.env.PATH ?? '', HOME: await temporaryDirectory(), ...credentials };
  const { child, ready, end } = spawnServe(['--port', '0', '--database', ':memory:', ...options], env);
  onTestFinished(() => void child.kill('SIGKILL'));
  const { base_url: baseUrl, metrics_url: metricsUrl } = await ready;
  return { baseUrl, metricsUrl, env, end: () => end('SIGTERM') };
}

test('with TLS the printed address begins with https, and only a client that trusts the certificate can connect', async () => {
  const served = await serve('--host', '127.0.0.1', '--tls-cert', cert, '--tls-key', key);
  expect(served.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const list = (env: Record<string, string>) => {
    const more = { ...served.env, TENANT_USERS_BASE_URL: served.baseUrl, ...env };
    return promisify(execFile)(process.execPath, [bin, 'list', '--json'], { env: more });
  };
  expect(JSON.parse((await list({ NODE_EXTRA_CA_CERTS: cert })).stdout)).toMatchObject({ total: 0 });
  await expect(list({})).rejects.toMatchObject({ code: 9 });
  expect(await served.end()).toEqual({ code: 0, stderr: '' });
});

test('serve logs requests, limits their rate and shows its pages', async () => {
  const served = await serve('--log-level', 'info', '--rate-limit', '2/s', '--docs', '--metrics-port', '0');
  const statuses: number[] = [];
  const pages = ['/healthz', '/readyz', '/openapi.json', '/docs'].map((path) => served.baseUrl + path);
  for (const page of [served.metricsUrl, ...pages]) {
    const reply = await fetch(page);
    await reply.arrayBuffer();
    statuses.push(reply.status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  const keys = Array.from({ length: 20 }, () => fetch(`${served.baseUrl}/api/v1/oauth2/keys`));
  const replies = await Promise.all(keys);
  expect(replies.some(({ status, headers }) => status === 429 && headers.get('retry-after') === '1')).toBe(
    true,
  );
  const { code, stderr } = await served.end();
  expect(code).toBe(0);
  const lines = stderr
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  expect(lines.map(({ operation }) => operation).slice(0, 4)).toEqual([
    'health',
    'readiness',
    'apiDocument',
    'apiPage',
  ]);
  expect(lines).toHaveLength(24);
});
