import { expect, test } from 'vitest';
import { application } from '../../test-service.ts';
import { startWorld } from '../../world.ts';
import { runProgram } from '../process/start-program.ts';
import { proxyCredentials, startProxy } from './start-proxy.ts';
import { startSilence } from './start-silence.ts';
import { authority, startTlsService } from './start-tls-service.ts';

/** Nothing listens on this address. */
const deadProxy = 'http://127.0.0.1:1';

test('the built program reaches the tenant through a proxy and a private authority, and says what is missing without them', async () => {
  const { env, port } = await startTlsService();
  const proxy = await startProxy();
  const through = { HTTPS_PROXY: proxy.url };
  const trusting = { NODE_EXTRA_CA_CERTS: authority };

  const both = await runProgram(['status', '--json'], { ...env, ...through, ...trusting });
  expect(both).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(both.stdout)).toMatchObject({ base_url: env.TENANT_USERS_BASE_URL });
  expect(proxy.asked).toEqual([`tenant.test:${port}`]);

  const direct = await runProgram(['status'], { ...env, ...trusting });
  expect(direct.exitCode).toBe(9);
  expect(direct.stderr).toMatch(/the host name of tenant\.test:\d+ (is not known|could not be looked up)/);

  const untrusting = await runProgram(['status'], { ...env, ...through });
  expect(untrusting.exitCode).toBe(9);
  expect(untrusting.stderr).toContain('issued by an authority that this machine does not trust');
  expect(untrusting.stderr).toContain('NODE_EXTRA_CA_CERTS');
});

test('only the proxy gets the credentials of its address', async () => {
  const { env } = await startTlsService();
  const proxy = await startProxy({ credentials: true });
  const trusting = { ...env, NODE_EXTRA_CA_CERTS: authority };
  const known = await runProgram(['status', '--json'], {
    ...trusting,
    https_proxy: proxy.urlWithCredentials,
  });
  expect(known).toMatchObject({ exitCode: 0, stderr: '' });

  const wrong = proxy.urlWithCredentials.replace('planted', 'wrong');
  for (const [address, reason] of [
    [proxy.url, 'requires a name and a password'],
    [wrong, 'does not accept the name and password'],
  ] as const) {
    const refused = await runProgram(['status', '--json'], { ...trusting, https_proxy: address });
    expect(refused.exitCode).toBe(9);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      base_url: expect.stringContaining('tenant.test:'),
      token: null,
    });
    const { error } = JSON.parse(refused.stderr);
    expect(error).toMatchObject({ code: 'NETWORK', status: null, retryable: false });
    expect(error.message).toContain(`the proxy ${proxy.url} refused tenant.test:`);
    expect(error.message).toContain(`(407): it ${reason}`);
    expect(refused.stderr).not.toContain(proxyCredentials.username);
    expect(refused.stderr + refused.stdout).not.toMatch(/planted|wrong.proxy|pass.word/);
  }
});

test.each([
  [403, 'it does not allow this host or port', false],
  [502, 'it could not reach the host', true],
])('if a proxy answers %d, the error names it and the reason', async (refuse, reason, retryable) => {
  const proxy = await startProxy({ refuse });
  const { runWith } = await startWorld();
  const env = { TENANT_USERS_CLIENT_ID: 'a', TENANT_USERS_CLIENT_SECRET: 'b', HTTPS_PROXY: proxy.url };
  const args = ['list', '--base-url', 'https://tenant.test', '--json'];
  const { exitCode, stderr } = await runWith({ env }, ...args);
  const { error } = JSON.parse(stderr);
  expect({ exitCode, retryable: error.retryable }).toEqual({ exitCode: 9, retryable });
  expect(error.message).toContain(`the proxy ${proxy.url} refused tenant.test:443 (${refuse}): ${reason}`);
  expect(error.hint).toContain('NO_PROXY');
});

test('if a proxy cannot be reached, the error names it and not the host behind it', async () => {
  const { runWith } = await startWorld();
  const env = {
    TENANT_USERS_CLIENT_ID: 'a',
    TENANT_USERS_CLIENT_SECRET: 'b',
    ALL_PROXY: 'http://u:planted@127.0.0.1:1',
  };
  const { exitCode, stderr } = await runWith({ env }, 'list', '--base-url', 'https://tenant.test');
  expect(exitCode).toBe(9);
  expect(stderr).toContain(
    'the proxy http://127.0.0.1:1 cannot be used: the connection to 127.0.0.1:1 was refused',
  );
  expect(stderr).not.toContain('planted');
});

test('the time limit also ends a request to a proxy that never answers', async () => {
  const { runWith } = await startWorld();
  const silent = await startSilence();
  const env = { TENANT_USERS_CLIENT_ID: 'a', TENANT_USERS_CLIENT_SECRET: 'b', HTTPS_PROXY: silent };
  const args = ['create', '--user-name', 'ann', '--base-url', 'https://tenant.test', '--timeout', '0.05'];
  const { exitCode, stderr } = await runWith({ env }, ...args);
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 9,
    stderr: expect.stringContaining('within the time limit'),
  });
});

test('with NO_PROXY, --local or the embedded service no request goes to the proxy', async () => {
  const proxy = await startProxy();
  const world = await startWorld();
  const { client_id, client_secret } = application;
  const env = {
    TENANT_USERS_BASE_URL: world.baseUrl,
    TENANT_USERS_CLIENT_ID: client_id,
    TENANT_USERS_CLIENT_SECRET: client_secret,
    HTTP_PROXY: proxy.url,
  };
  expect((await world.runWith({ env: { ...env, NO_PROXY: 'other.test, 127.0.0.1' } }, 'list')).exitCode).toBe(
    0,
  );
  const local = ['list', '--local', `${world.directory}/local.db`];
  expect(
    (await world.runWith({ env: { ...env, HTTPS_PROXY: proxy.url, ALL_PROXY: deadProxy } }, ...local))
      .exitCode,
  ).toBe(0);
  expect(proxy.asked).toEqual([]);
  expect((await world.runWith({ env }, 'list')).exitCode).toBe(0);
  expect(proxy.asked).toEqual([new URL(world.baseUrl).host]);
});

test('all connections of a client go through the proxy, and there are no more than the option allows', async () => {
  const proxy = await startProxy();
  const { baseUrl, connect } = await startWorld();
  const client = connect({ proxy: new URL(proxy.url), connections: 3 });
  await Promise.all(Array.from({ length: 20 }, (_, index) => client.createUser({ user_name: `u${index}` })));
  expect(proxy.asked.length).toBeGreaterThan(0);
  expect(proxy.asked.length).toBeLessThanOrEqual(3);
  expect(new Set(proxy.asked)).toEqual(new Set([new URL(baseUrl).host]));
});
