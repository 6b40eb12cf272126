import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { startWorld } from '../world.ts';

/** An address of loopback where nobody listens. */
async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `127.0.0.1:${port}`;
}

test.each([
  (address: string) => `postgres://ann:hunter2@${address}/users`,
  (address: string) => `postgresql://ann:hunter2@${address}/users?sslmode=disable`,
  (address: string) => `postgres://${address}/users?user=ann&password=hunter2`,
])('a PostgreSQL that cannot be reached is told without the password: %s', async (urlOf) => {
  const { run } = await startWorld();
  const address = await deadAddress();
  const said = `the service cannot start on postgres://${address}/users: connect ECONNREFUSED ${address}`;
  const told = { exitCode: 3, stdout: '', stderr: expect.stringContaining(said) };
  const serve = await run('serve', '--port', '0', '--database', urlOf(address));
  expect(serve).toMatchObject(told);
  const list = await run('list', '--local', urlOf(address));
  expect(list).toMatchObject(told);
  expect(serve.stderr + list.stderr).not.toContain('hunter2');
});

test.each(['postgres://ann:hunter2/x@127.0.0.1:1/users', 'postgres://ann:hunter2@[::1/users'])(
  'a malformed address is told without the password: %s',
  async (url) => {
    const { run } = await startWorld();
    const { exitCode, stdout, stderr } = await run('serve', '--port', '0', '--database', url);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toContain('the PostgreSQL URL is malformed');
    expect(stderr).not.toContain('hunter2');
  },
);
