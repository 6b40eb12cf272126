import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';

const unknown = '20201028102749564-9082-DC8CD2722';

test('disables one user when told to go ahead', async () => {
  const { client, run } = await startWorld();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  const ended = await run('disable', '--by-user-name', 'ann', '--yes', '--json');
  expect(ended).toEqual({
    exitCode: 0,
    stdout: `${JSON.stringify({ results: [{ user_id, ok: true }] })}\n`,
    stderr: '',
  });
  expect((await client.getUser(user_id)).disabled).toBe(true);
});

test('disables nobody off a terminal without --yes', async () => {
  const { client, run } = await startWorld();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  const { exitCode, stderr } = await run('disable', user_id);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('Use --yes.');
  expect((await client.getUser(user_id)).disabled).toBe(false);
});

test('goes on past an id that fails, tells the result of each, and exits 7', async () => {
  const { client, run, directory } = await startWorld();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  const file = join(directory, 'leavers.txt');
  await writeFile(file, `${unknown}\r\n\n${user_id}\n`);
  const { exitCode, stdout, stderr } = await run('users', 'disable', '--from', file, '-y');
  expect(exitCode).toBe(7);
  expect(stdout).toMatch(new RegExp(`${unknown} +│ false +│ User not found`));
  expect(stdout).toMatch(new RegExp(`${user_id} +│ true`));
  expect(stderr).toBe('1 of 2 disabled\n');
});

test('a single unknown id has its own exit code', async () => {
  const { run } = await startWorld();
  const { exitCode, stdout } = await run('disable', unknown, '--yes', '--json');
  expect(exitCode).toBe(5);
  expect(JSON.parse(stdout).results[0]).toMatchObject({ ok: false, error: { code: 'SVC.TENANT.USER.0001' } });
});
