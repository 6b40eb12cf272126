import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runFacts } from '../../../src/cli/connection/connect.ts';
import type { CommandContext } from '../../../src/cli/context/context.ts';
import { parseDatabase } from '../../../src/cli/input/option-parsers.ts';
import { startWorld, temporaryDirectory } from '../../world.ts';

/** A loopback address on which nothing listens. */
async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `127.0.0.1:${port}`;
}

/** Addresses with a password in the notations that people use. */
const addresses = [
  (address: string) => `postgres://ann:hunter2@${address}/users`,
  (address: string) => `postgresql://ann:hunter2@${address}/users?sslmode=disable`,
  (address: string) => `postgres://${address}/users?user=ann&password=hunter2`,
];

test.each(addresses)(
  'the error about a PostgreSQL that cannot be reached does not contain the password: %s',
  async (urlOf) => {
    const { runWith } = await startWorld();
    const address = await deadAddress();
    const { exitCode, stdout, stderr } = await runWith(
      { env: { TENANT_USERS_LOCAL: urlOf(address) } },
      'list',
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toContain(
      `the service cannot start on postgres://${address}/users: connect ECONNREFUSED ${address}`,
    );
    expect(stderr).not.toContain('hunter2');
  },
);

test('if a PostgreSQL has no such database, the hint is to create it', async () => {
  const fields = ['SFATAL', 'VFATAL', 'C3D000', 'Mdatabase "users" does not exist'];
  const error = Buffer.from(`${fields.join('\0')}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(error.length + 4, 1);
  const server = createServer((socket) =>
    socket.on('error', () => {}).once('data', () => socket.end(Buffer.concat([head, error]))),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { run } = await startWorld();
  const { port } = server.address() as AddressInfo;
  const url = `postgres://ann@127.0.0.1:${port}/users?sslmode=disable`;
  expect(await run('list', '--local', url)).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: `tenant-users: the service cannot start on postgres://127.0.0.1:${port}/users: database "users" does not exist
Check that PostgreSQL runs at this address, that the user may log in, and that the database exists: createdb makes an empty one.\n`,
  });
});

test('a server that only the environment names is a tenant of its own', async () => {
  const configDirectory = await temporaryDirectory();
  const targetOn = (PGHOST: string) => {
    const context = { options: { local: 'postgres:///d' }, env: { PGHOST }, configDirectory };
    // The target depends on nothing else of a context.
    return runFacts(context as Partial<CommandContext> as CommandContext).target;
  };
  expect([targetOn('db1'), targetOn('db2')]).toEqual([
    { database: 'postgres://db1/d' },
    { database: 'postgres://db2/d' },
  ]);
});

test('every command names a database as its jobs and the log do, with what the environment adds', async () => {
  const { runWith, directory } = await startWorld();
  await writeFile(join(directory, 'config.json'), '{"profiles":{"default":{"local":"postgres://:1/d"}}}', {
    mode: 0o600,
  });
  const env = { PGHOST: '127.0.0.1' };
  const shown = 'postgres://127.0.0.1:1/d';
  for (const command of [['status'], ['doctor'], ['profiles', 'list'], ['create', '--user-name', 'a']]) {
    const { stdout, stderr } = await runWith({ env }, ...command);
    expect([command, stdout + stderr]).toEqual([
      command,
      expect.stringContaining(`embedded service on ${shown}`),
    ]);
  }
  const status = await runWith({ env }, 'status', '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({
    base_url: `embedded service on ${shown}`,
    local: shown,
  });
  const { profiles } = JSON.parse((await runWith({ env }, 'profiles', 'list', '--json')).stdout);
  expect(profiles[0].local).toBe(shown);
});

test('the error about a malformed address does not contain the password', async () => {
  const { runWith } = await startWorld();
  for (const url of ['postgres://ann:hunter2/x@127.0.0.1:1/users', 'postgres://ann:hunter2@[::1/users']) {
    const { exitCode, stdout, stderr } = await runWith({ env: { TENANT_USERS_LOCAL: url } }, 'list');
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toContain('the PostgreSQL URL is malformed');
    expect(stderr).not.toContain('hunter2');
  }
});

const refused = {
  exitCode: 2,
  stdout: '',
  stderr:
    'tenant-users: the database URL contains a password, which other users of this machine could read\n' +
    'Remove it from the URL, and set PGPASSWORD or use ~/.pgpass.\n',
};

test.each([
  ...addresses.map((urlOf) => urlOf('127.0.0.1:1')),
  'postgres://ann:hunter2/x@127.0.0.1:1/users',
  'postgres://ann:1/hunter2@127.0.0.1:1/users',
  'postgres://ann:hunter2@[::1/users',
  'postgres://ann:a?b#hunter2@127.0.0.1/users',
  'postgres://ann:2024?hunter2@127.0.0.1:1/users',
  'postgres://ann:hunter2@127.0.0.1:1/users.csv',
])('a password in an argument is refused: %s', async (url) => {
  const { run } = await startWorld();
  expect(await run('serve', '--port', '0', '--database', url)).toEqual(refused);
  expect(await run('list', '--local', url)).toEqual(refused);
});

test.each([
  'postgres://ann@127.0.0.1:1/users',
  'postgres:///users?host=/run/postgresql',
  'a:b@c.db',
  ':memory:',
])('an address without a password is accepted: %s', (url) => {
  expect(parseDatabase(url)).toBe(url);
});

test('the address of another database system is refused, and no file of that name is created', async () => {
  const { run, runWith, directory } = await startWorld();
  const before = readdirSync(directory);
  for (const command of [
    ['serve', '--port', '0', '--database'],
    ['list', '--local'],
  ]) {
    for (const url of ['postgres:/u:hunter2@h/d', 'Server=h;Database=d;Password=hunter2'])
      expect((await run(...command, url)).stderr).not.toContain('hunter2');
    expect(await run(...command, 'mysql://ann:hunter2@db.example.com/users')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'tenant-users: mysql:// begins no address of a database that can be opened\n' +
        'Use PostgreSQL, postgres://user@host/database, or name a SQLite file.\n',
    });
  }
  const env = { TENANT_USERS_LOCAL: 'mysql://ann:hunter2@db.example.com/users' };
  for (const command of [['list'], ['status'], ['tenant', 'show'], ['keys', 'list']])
    expect(await runWith({ env }, ...command)).toEqual({
      exitCode: 3,
      stdout: '',
      stderr:
        'tenant-users: TENANT_USERS_LOCAL: mysql:// begins no address of a database that can be opened\n' +
        'Use PostgreSQL, postgres://user@host/database, or name a SQLite file.\n',
    });
  const { exitCode, stdout } = await runWith({ env }, 'doctor', '--json');
  expect(exitCode).toBe(3);
  expect(stdout).toContain('TENANT_USERS_LOCAL: mysql:// begins no address');
  expect(stdout).not.toContain('hunter2');
  expect(readdirSync(directory)).toEqual(before);
});
