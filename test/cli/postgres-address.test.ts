import { expect, test } from 'vitest';
import { startWorld } from '../world.ts';

test.each([
  [
    'postgres://ann:hunter2@127.0.0.1:1/users',
    'postgres://127.0.0.1:1/users: connect ECONNREFUSED 127.0.0.1:1',
  ],
  ['postgresql://ann:hunter2@127.0.0.1:1/users?sslmode=disable', 'postgres://127.0.0.1:1/users: connect'],
  ['postgres://127.0.0.1:1/users?user=ann&password=hunter2', 'postgres://127.0.0.1:1/users: connect'],
  ['postgres://ann:hunter2/x@127.0.0.1:1/users', 'the service cannot start on postgres://127.0.0.1:1/users'],
  ['postgres://ann:hunter2@[::1/users', 'the PostgreSQL URL is malformed'],
])('a PostgreSQL that cannot be reached is told without the password: %s', async (database, told) => {
  const { run } = await startWorld();
  const serve = await run('serve', '--port', '0', '--database', database);
  expect(serve).toMatchObject({ exitCode: 3, stdout: '', stderr: expect.stringContaining(told) });
  const list = await run('list', '--local', database);
  expect(list).toMatchObject({ exitCode: 3, stdout: '', stderr: expect.stringContaining(told) });
  expect(serve.stderr + list.stderr).not.toContain('hunter2');
});
