import { expect, test } from 'vitest';
import { json, startPeer, tokenAnswer } from '../../client/start-peer.ts';
import { device } from '../../test-service.ts';
import { environmentFor, startWorld } from '../../world.ts';

test.each([
  ['--agent', '中文'],
  ['--agent', 'a\nb'],
  ['--device-fingerprint', 'é'],
  ['--os-version', ''],
  ['--device-ip', '中文'],
])('sso ticket refuses %s %j, since the value is sent in a header', async (option, value) => {
  const { runWith } = await startWorld();
  const { exitCode, stdout, stderr } = await runWith(
    { stdin: 'x' },
    'sso',
    'ticket',
    'ann',
    '--password-stdin',
    option,
    value,
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('printable ASCII');
});

test('sso verify sends the agent in the body, where any text is allowed', async () => {
  const { run } = await startWorld();
  const args = [
    '--os-version',
    '14',
    '--device-ip',
    '10.0.0.7',
    '--device-fingerprint',
    device.device_fingerprint,
  ];
  const { exitCode } = await run('sso', 'verify', 'ssoTicket-none', ...args, '--agent', '中文');
  expect(exitCode).toBe(6);
});

test('a client id that cannot be sent in a header is an error of the configuration', async () => {
  const { runWith, baseUrl } = await startWorld();
  for (const id of ['app\n', '应用']) {
    const env = {
      TENANT_USERS_BASE_URL: baseUrl,
      TENANT_USERS_CLIENT_ID: id,
      TENANT_USERS_CLIENT_SECRET: 's',
    };
    const { exitCode, stderr } = await runWith({ env }, 'list');
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('printable ASCII'),
    });
  }
});

test('a token that cannot be sent in a header shows that the server is not the API', async () => {
  const token = json(200, { access_token: 'planted\ntoken', expires_in: 100, scope: 'all' });
  const peer = await startPeer({ token });
  const failure = await peer
    .connect()
    .getUser('x')
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'NetworkError', fault: 'notTheApi' });
  expect(String(failure)).not.toContain('planted');
});

test('a stored token that somebody has edited is replaced', async () => {
  const peer = await startPeer({ token: tokenAnswer(9) });
  const tokenStore = { load: () => ({ access_token: '中', expires_at: Infinity, scope: 'all' }), save() {} };
  await peer.connect({ tokenStore }).getUser('x');
  expect(peer.calls[0]?.headers.authorization).toBe('Bearer token-9');
});

test.each([
  ['', 2],
  ['.', 5],
  ['..', 5],
])('the id %j cannot be part of a path, and nothing is sent', async (id, exitCode) => {
  const peer = await startPeer();
  const { runWith } = await startWorld();
  const env = environmentFor(peer.baseUrl);
  expect((await runWith({ env }, 'get', id)).exitCode).toBe(exitCode);
  expect((await runWith({ env }, 'disable', id, '--yes')).exitCode).not.toBe(0);
  expect(peer.calls).toEqual([]);
});
