import { readFile, realpath, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { definitionOf } from '../../../src/service/tenant/definition.ts';
import { application, startTestService } from '../../test-service.ts';
import { startWorld } from '../../world.ts';

const tenants = ['acme', 'globex'].map((tenant_id) => definitionOf(JSON.stringify({ tenant_id })));

/** A world of two tenants whose profile `default` is for the first one. `logIn` logs in again. */
async function startWithTwo() {
  const world = await startWorld({ tenants });
  const [, globex] = world.tenants;
  const { client_id, client_secret } = application;
  const logIn = (stdin: string, ...words: string[]) => world.runWith({ env: {}, stdin }, 'login', ...words);
  const remote = (base: string, id: string) => [
    '--base-url',
    base,
    '--client-id',
    id,
    '--client-secret-stdin',
  ];
  await logIn(client_secret, ...remote(world.baseUrl, client_id));
  return { ...world, globex, logIn, remote, file: join(world.directory, 'config.json') };
}

test('login replaces a profile of another tenant only with --yes or after a question', async () => {
  const { baseUrl, globex, logIn, remote, file, directory } = await startWithTwo();
  const elsewhere = await startTestService();
  const own = join(directory, 'own.db');
  const { client_id, client_secret } = application;
  const was = `${baseUrl} (client id ${client_id})`;
  const before = await readFile(file, 'utf8');
  const others = [
    ['', '--local', own],
    [client_secret, ...remote(elsewhere.baseUrl, client_id)],
    [globex?.client_secret ?? '', ...remote(baseUrl, globex?.client_id ?? '')],
  ] as const;
  for (const [secret, ...words] of others) {
    expect(await logIn(secret, ...words)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `tenant-users: profile "default" is for another tenant: ${was}
Nothing was stored. Name another profile with --profile, or replace this one and its secret with --yes.
`,
    });
    expect(await readFile(file, 'utf8')).toBe(before);
  }
  await expect(stat(own)).rejects.toThrow('ENOENT');
  const replaced = await logIn('', '--local', own, '--yes');
  expect(replaced.stderr).toMatch(
    /\nThe profile was for http:\S+ \(client id test-application\), whose credentials it no longer has\n$/,
  );
});

test('login to the tenant of the profile asks nothing, nor does one after a logout', async () => {
  const { baseUrl, globex, logIn, remote, runWith } = await startWithTwo();
  const { client_id, client_secret } = application;
  const again = await logIn(client_secret, ...remote(baseUrl, client_id));
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('The profile was for') });
  await runWith({ env: {} }, 'logout');
  const other = await logIn(globex?.client_secret ?? '', ...remote(baseUrl, globex?.client_id ?? ''));
  expect(other).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('The profile was for') });
});

test('a profile of one local database does not become that of another unasked', async () => {
  const { runWith, ...world } = await startWorld();
  const directory = await realpath(world.directory);
  const [own = '', other] = ['own.db', 'other.db'].map((name) => join(directory, name));
  const logIn = (database = '') => runWith({ env: {} }, 'login', '--local', database);
  await symlink(directory, join(directory, 'link'));
  for (const path of [own, join(directory, 'link', 'own.db'), own])
    expect(await logIn(path)).toMatchObject({ exitCode: 0 });
  const refused = await logIn(other);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain(`is for another tenant: embedded service on ${own}\nNothing was stored.`);
});
