import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withDatabase } from '../../../../src/service/storage/open-database.ts';
import { purgeExpired } from '../../../../src/service/storage/purge.ts';
import { application, startTestService } from '../../../test-service.ts';
import { temporaryDirectory } from '../../../world.ts';
import { start, startAdministration } from '../start-administration.ts';

const minute = 60_000;

/** A database with a running service, and commands beside it, on the same clock. */
async function startKeys() {
  const administration = await startAdministration();
  const { request } = administration;
  const idToken = async () => {
    const query = new URLSearchParams({ grant_type: 'client_credentials', ...application });
    const path = `/api/v2/tenant/token?${query}`;
    return (await request<{ id_token: string }>('POST', path, { token: null })).body.id_token;
  };
  const kidOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid as string;
  return {
    ...administration,
    signer: async () => kidOf(await idToken()),
    async published() {
      const reply = await request<{ keys: { kid: string }[] }>('GET', '/api/v1/oauth2/keys', {
        token: null,
      });
      return reply.body.keys.map(({ kid }) => kid);
    },
  };
}

const iso = (offset: number) => new Date(start + offset).toISOString();

test('in a planned rotation the new key is published before it signs, and the old one until its last token has expired', async () => {
  const { run, signer, published, advance, database } = await startKeys();
  const old = await signer();
  advance(minute);
  const rotated = await run('keys', 'rotate', '--json');
  const { keys } = JSON.parse(rotated.stdout);
  const [, next] = keys;
  expect({ ...rotated, keys }).toMatchObject({
    exitCode: 0,
    stderr: '',
    keys: [
      {
        tenant_id: 'default',
        kid: old,
        state: 'signing',
        created_at: iso(0),
        published_until: iso(11 * minute + 35 * minute),
      },
      { state: 'next', created_at: iso(minute), signs_from: iso(11 * minute), published_until: null },
    ],
  });
  expect(await signer()).toBe(old);
  expect(await published()).toEqual([old, next.kid]);
  const again = await run('keys', 'rotate');
  expect(again).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `Target: database ${database}\ntenant-users: a rotation is under way: the signing key ${next.kid} signs from ${iso(11 * minute)}\nWait until then. If a signing key has become known to somebody, use --compromised.\n`,
  });

  advance(10 * minute);
  expect(await signer(), 'the service follows at once').toBe(next.kid);
  expect(await published()).toEqual([old, next.kid]);
  advance(35 * minute - 1);
  expect(await published()).toEqual([old, next.kid]);
  advance(1);
  expect(await published()).toEqual([next.kid]);
  expect((await run('keys', 'list', '-o', 'csv', '--columns', 'kid,state')).stdout).toBe(
    `kid,state\n${next.kid},signing\n`,
  );
});

test('of two rotations at the same moment exactly one succeeds', async () => {
  const { run, signer } = await startKeys();
  await signer();
  const both = await Promise.all([run('keys', 'rotate', '--json'), run('keys', 'rotate', '--json')]);
  expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 2]);
  const listed = JSON.parse((await run('keys', 'list', '--json')).stdout);
  expect(listed.keys.map(({ state }: { state: string }) => state)).toEqual(['signing', 'next']);
});

test('a compromised signing key is withdrawn immediately, also during a rotation, but only after confirmation', async () => {
  const { run, signer, published } = await startKeys();
  const old = await signer();
  expect(await run('keys', 'rotate', '--compromised')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('Run:\n  tenant-users keys rotate --compromised '),
  });
  expect(await run('keys', 'rotate', '--compromised', '--lead', '5')).toMatchObject({ exitCode: 2 });
  expect(await run('keys', 'rotate', '--lead', '0')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('confirmation is required'),
  });
  expect(await signer()).toBe(old);
  await run('keys', 'rotate');
  const { exitCode, stderr } = await run('keys', 'rotate', '--compromised', '--yes');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('signs now') });
  const now = await signer();
  expect(now).not.toBe(old);
  expect(await published()).toEqual([now]);
});

test('the errors differ for a database without signing keys, without a tenant, and with several tenants', async () => {
  const { run, database } = await startKeys();
  expect(await run('keys', 'list')).toMatchObject({
    exitCode: 0,
    stderr: 'There is no signing key yet: the first token makes it\n',
  });
  expect(await run('keys', 'list', '--local', `${database}.no`)).toEqual({
    exitCode: 3,
    stdout: '',
    stderr:
      'tenant-users: there is no service in this database yet\nName the database of serve with --local DATABASE. The first start of serve makes one.\n',
  });
  const configDirectory = await temporaryDirectory();
  await writeFile(join(configDirectory, 'acme.json'), '{"tenant_id":"acme"}');
  await run('tenant', 'apply', join(configDirectory, 'acme.json'), '--yes');
  expect(await run('keys', 'rotate')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      'the database has several tenants\nName one with --tenant: default, acme.\n',
    ),
  });
  expect(await run('keys', 'rotate', '--tenant', 'nobody')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('the database has no tenant "nobody"\nAvailable: default, acme.\n'),
  });
  expect(await run('keys', 'rotate', '--base-url', 'https://x.example')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('this command is for the local service only'),
  });
});

test('tokens are still signed when a clock that was ahead has deleted the key of before a rotation', async () => {
  const { run, signer, published, database } = await startKeys();
  const old = await signer();
  await run('keys', 'rotate');
  await withDatabase(database, (opened) => purgeExpired(opened, start + 46 * minute));
  const [next, ...others] = await published();
  expect([next === old, others]).toEqual([false, []]);
  expect(await signer()).toBe(next);
});

const secret = Buffer.alloc(32, 7).toString('base64');

test.each(['serve', 'keys rotate'])(
  '%s refuses an empty --key-file, which an unset shell variable leaves',
  async (line) => {
    const { run } = await startKeys();
    const { exitCode, stderr } = await run(...line.split(' '), '--key-file', '');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('is a shell variable unset?');
  },
);

test('a key file is refused if others can read it, if it is malformed, or if it does not fit', async () => {
  const { run, database } = await startKeys();
  const file = `${database}.key`;
  await writeFile(file, `${secret}\n`, { mode: 0o644 });
  const rotate = (...args: string[]) => run('keys', 'rotate', '--key-file', file, ...args);
  expect(await rotate()).toEqual({
    exitCode: 3,
    stdout: '',
    stderr: `tenant-users: the key file is not safe: ${file} is readable by other users; fix it with: chmod 600 ${file}\nThen make a new one if others may have read it.\n`,
  });
  await chmod(file, 0o600);
  await writeFile(file, 'secret');
  expect(await rotate()).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(`${file} is not a key file: that is 32 random bytes in base64\n`),
  });
  expect(await run('keys', 'rotate', '--key-file', `${file}.no`)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(`${file}.no cannot be read: it does not exist\n`),
  });
  await writeFile(file, secret);
  // A running serve without the file could not use the key, ten minutes later.
  const unknown = {
    exitCode: 3,
    stdout: '',
    stderr: `Target: database ${database}\ntenant-users: a key file is given, and the signing keys of the database are not encrypted with one\nStart serve with this file first, or rotate without --key-file and TENANT_USERS_KEY_FILE.\n`,
  };
  expect(await rotate()).toEqual(unknown);
  const keySecret = Buffer.from(secret, 'base64');
  await startTestService({ database, keySecret });
  expect(await rotate()).toMatchObject({ exitCode: 0 });
  await writeFile(file, Buffer.alloc(32, 8).toString('base64'));
  expect(await rotate()).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('the key file is not the one with which the signing keys'),
  });
  expect(await run('keys', 'rotate')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(
      'the signing keys of the database are encrypted, and no key file is given\nSet TENANT_USERS_KEY_FILE to that file.',
    ),
  });
  expect(await run('serve', '--port', '0', '--database', database, '--key-file', file)).toMatchObject({
    exitCode: 3,
    stdout: '',
    stderr: expect.stringContaining('the key file is not the one with which the signing keys'),
  });
  // The embedded service needs the file as well.
  expect(await run('list', '--local')).toMatchObject({ exitCode: 3, stdout: '' });
  expect(await run('keys', 'reset', '--yes')).toMatchObject({
    exitCode: 0,
    stderr: `Target: database ${database}\nDeleted 1 signing key\n`,
  });
  expect(await rotate()).toEqual(unknown);
});
