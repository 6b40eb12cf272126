import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { json, startPeer } from '../../client/start-peer.ts';
import { application, startTestService } from '../../test-service.ts';
import { temporaryDirectory } from '../../world.ts';
import { bin, credentials, firstLine, runProgram, startProgram, textOf } from './start-program.ts';

test('serve prints its address when it accepts connections, and ends with 0 on SIGTERM and on SIGINT', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const serve = await startProgram(['serve', '--port', '0', '--database', ':memory:', '--json']);
    const exit = once(serve, 'exit');
    const { base_url: baseUrl, tenants } = JSON.parse(await firstLine(serve));
    expect(tenants).toEqual([
      { tenant_id: 'default', client_id: expect.any(String), client_secret: expect.any(String) },
    ]);
    const [{ client_id: clientId, client_secret: clientSecret }] = tenants;
    const client = createClient({ baseUrl, clientId, clientSecret });
    expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
    serve.kill(signal);
    expect(await exit).toEqual([0, null]);
    await client.close();
  }
});

test('serve takes its application from the environment, and then prints no secret', async () => {
  const serve = await startProgram(['serve', '--port', '0', '--database', ':memory:', '--json'], credentials);
  const { tenants } = JSON.parse(await firstLine(serve));
  expect(tenants).toEqual([{ tenant_id: 'default', client_id: application.client_id }]);
});

test('serve prints its secret once: the next start on the same database accepts it, and does not print it', async () => {
  const database = `${await temporaryDirectory()}/tenant.db`;
  const args = ['serve', '--port', '0', '--database', database, '--json'];
  const first = await startProgram(args);
  const exit = once(first, 'exit');
  const [made] = JSON.parse(await firstLine(first)).tenants;
  first.kill('SIGTERM');
  await exit;
  const second = await startProgram(args);
  const { base_url: baseUrl, tenants } = JSON.parse(await firstLine(second));
  expect(tenants).toEqual([{ tenant_id: 'default', client_id: made.client_id, unused: true }]);
  const client = createClient({ baseUrl, clientId: made.client_id, clientSecret: made.client_secret });
  onTestFinished(() => client.close());
  expect((await client.obtainToken()).scope).toBe('all');
});

test('serve refuses a port in use (3) and a public address without TLS (2)', async () => {
  const { baseUrl } = await startTestService();
  const busy = await startProgram(['serve', '--port', new URL(baseUrl).port, '--database', ':memory:']);
  const [said, [code]] = await Promise.all([textOf(busy.stderr), once(busy, 'exit')]);
  expect({ said, code }).toMatchObject({ said: expect.stringContaining('the port is in use'), code: 3 });
  const open = await startProgram(['serve', '--host', '0.0.0.0', '--database', ':memory:']);
  const [reason, [usage]] = await Promise.all([textOf(open.stderr), once(open, 'exit')]);
  expect({ reason, usage }).toMatchObject({ reason: expect.stringContaining('--insecure-http'), usage: 2 });
});

test('a command that nothing can end any more exits as failed, not as done', async () => {
  const { baseUrl } = await startPeer({ call: json(503, {}) });
  // No timer keeps the process alive, as after a lost one.
  const source =
    'const {setTimeout: start} = globalThis; globalThis.setTimeout = (...all) => start(...all).unref()';
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(source)}`;
  const env = { ...credentials, TENANT_USERS_BASE_URL: baseUrl, NODE_OPTIONS };
  const { exitCode, stdout, stderr } = await runProgram(['list', '--json'], env);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'UNEXPECTED', retryable: false });
});

test('a reader that has read enough ends a listing without a message', async () => {
  const { baseUrl, client } = await startTestService();
  const head_img = `data:image/png;base64,${'A'.repeat(4000)}`;
  await Promise.all(
    Array.from({ length: 100 }, (_, index) => client.createUser({ user_name: `u${index}`, head_img })),
  );
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: await temporaryDirectory(), TENANT_USERS_BASE_URL: baseUrl, ...credentials };
  const line = `"${process.execPath}" "${bin}" list --limit 100 -o csv | head -1`;
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', line], { env });
  expect(stdout).toMatch(/^user_name,user_id,name,[^\n]*\n$/);
  expect(stderr).toBe('');
});

test('nothing is cut from a long result in a pipe', async () => {
  const { baseUrl, client } = await startTestService();
  const head_img = `data:image/png;base64,${'A'.repeat(4000)}`;
  await Promise.all(
    Array.from({ length: 100 }, (_, index) => client.createUser({ user_name: `u${index}`, head_img })),
  );
  const list = await startProgram(['list', '--limit', '100', '--json'], {
    TENANT_USERS_BASE_URL: baseUrl,
    ...credentials,
  });
  const [stdout, [code]] = await Promise.all([textOf(list.stdout), once(list, 'exit')]);
  expect({ code, users: JSON.parse(stdout).users.length }).toEqual({ code: 0, users: 100 });
});
