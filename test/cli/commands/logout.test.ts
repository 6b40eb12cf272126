import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { application } from '../../test-service.ts';
import { startLoggedIn } from '../process/start-logged-in.ts';

const { client_id, client_secret } = application;

test('logout deletes secret and token, and the next login needs only the secret', async () => {
  const { file, tell, runWith, baseUrl } = await startLoggedIn();
  const { token } = JSON.parse(await readFile(file, 'utf8')).profiles.default;
  const until = new Date(token.expires_at).toISOString();
  expect(await tell('logout')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: `Logged out of profile "default": secret and token removed; the service accepts its last token until ${until}\n`,
  });
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    current: 'default',
    profiles: { default: { base_url: baseUrl, client_id } },
  });
  expect((await tell('list')).exitCode).toBe(3);
  expect((await runWith({ stdin: client_secret, env: {} }, 'login', '--client-secret-stdin')).exitCode).toBe(
    0,
  );
  expect((await tell('list')).exitCode).toBe(0);
});

test('a second logout has nothing to delete', async () => {
  const { tell } = await startLoggedIn();
  await tell('logout');
  expect(await tell('logout')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'Profile "default" is already logged out\n',
  });
});

test('logout --all deletes those of every profile, and says that a local profile has none', async () => {
  const { tell, logIn, directory, file } = await startLoggedIn();
  await logIn('--profile', 'other');
  await tell('login', '--profile', 'rehearsal', '--local', join(directory, 'own.db'));
  const { exitCode, stdout, stderr } = await tell('logout', '--all', '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({
    profiles: [
      { name: 'default', forgotten: true },
      { name: 'other', forgotten: true },
      { name: 'rehearsal', forgotten: false },
    ],
  });
  expect(await readFile(file, 'utf8')).not.toContain(client_secret);
  expect((await tell('logout', '--profile', 'rehearsal')).stderr).toBe(
    'Profile "rehearsal" uses the embedded service and has no secret to remove\n',
  );
});

test('logout --all with --profile is refused, and nothing is deleted', async () => {
  const { tell, file } = await startLoggedIn();
  expect(await tell('logout', '--all', '--profile', 'default')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'tenant-users: --all and --profile cannot be used together\nRemove one of the two.\n',
  });
  expect(await readFile(file, 'utf8')).toContain(client_secret);
});

test('an unknown profile ends with exit code 3, the list of profiles and a suggestion', async () => {
  const { tell } = await startLoggedIn();
  expect(await tell('logout', '--profile', 'defualt')).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: [
      'tenant-users: there is no profile "defualt"',
      'Did you mean "default"?',
      'Available: "default".',
      'Create it with: tenant-users login --profile defualt\n',
    ].join('\n'),
  });
});

test('logout says that a secret of the environment is still used', async () => {
  const { runWith } = await startLoggedIn();
  const env = { TENANT_USERS_CLIENT_SECRET: client_secret };
  const { exitCode, stderr } = await runWith({ env }, 'logout');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('Notice: TENANT_USERS_CLIENT_SECRET is still set in the environment\n');
});
