import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { application } from '../../test-service.ts';
import { startWorld } from '../../world.ts';

const password = 'planted-password';
const address = `https://bob:${password}@id.example.com`;
const credentials = { TENANT_USERS_CLIENT_ID: 'app', TENANT_USERS_CLIENT_SECRET: 'planted-secret' };
const refused = 'the base URL must not contain credentials, a query or a fragment';

test.each([
  ['without credentials', {}, ['list', '--base-url', address], 2],
  ['from the environment', { TENANT_USERS_BASE_URL: address }, ['list'], 3],
  ['in the table of status', { ...credentials, TENANT_USERS_BASE_URL: address }, ['status'], 3],
] as const)('no password of a base URL is printed: %s', async (_, env, args, exitCode) => {
  const { runWith } = await startWorld();
  const ended = await runWith({ env }, ...args);
  expect(ended.exitCode).toBe(exitCode);
  expect(ended.stderr).toContain(refused);
  expect(ended.stdout + ended.stderr).not.toContain(password);
});

test('no password of the base URL of a profile is printed', async () => {
  const { directory, baseUrl, runWith } = await startWorld();
  const stored = { current: 'bad', profiles: { bad: { base_url: address, client_id: 'app' } } };
  await writeFile(join(directory, 'config.json'), JSON.stringify(stored), { mode: 0o600 });
  const login = [
    'login',
    '--base-url',
    baseUrl,
    '--client-id',
    application.client_id,
    '--client-secret-stdin',
  ];
  for (const args of [
    ['profiles', 'list'],
    ['profiles', 'list', '--json'],
    ['complete', '--shell', 'zsh', '--', '--profile', ''],
    ['status'],
    ['doctor'],
    login,
  ]) {
    const ended = await runWith({ env: {}, stdin: `${application.client_secret}\n` }, ...args);
    expect([args[0], (ended.stdout + ended.stderr).includes(password)]).toEqual([args[0], false]);
  }
});
