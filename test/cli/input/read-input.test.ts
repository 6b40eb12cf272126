import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { device } from '../../test-service.ts';
import { startWorld } from '../../world.ts';

/** The beginning of a UTF-8 file that an editor of Windows saved. */
const mark = '\ufeff';

test('a byte order mark is not part of a password, from a file and from standard input', async () => {
  const { client, directory, runWith } = await startWorld();
  const file = join(directory, 'password');
  await writeFile(file, `${mark}Gf4-kupz\r\n`);
  const create = (name: string, ...options: string[]) =>
    runWith({ stdin: `${mark}Gf4-kupz\n` }, 'create', '--user-name', name, '--no-must-modify', ...options);
  expect((await create('ann', '--password-file', file)).exitCode).toBe(0);
  expect((await create('bob', '--password-stdin')).exitCode).toBe(0);
  for (const name of ['ann', 'bob'])
    expect(await client.logIn(name, 'Gf4-kupz', device)).toMatchObject({ status: 'SUCCESS' });
});

test.each([
  [['create', '--user-name', 'ann', '--data', '-', '--password-stdin']],
  [['ensure', '--user-name', 'ann', '--data', '-', '--password-file', '-']],
])('standard input is not read for two options: %s', async (args) => {
  const { runWith } = await startWorld();
  const { exitCode, stderr } = await runWith({ stdin: '{"name": "Ann"}' }, ...args);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining('standard input can be read only once'),
  });
});

test('on a terminal, no secret is asked for after standard input has ended', async () => {
  const { runWith } = await startWorld();
  const stdin = Object.assign(Readable.from([Buffer.from('{"name": "Ann"}')]), { isTTY: true });
  const args = ['create', '--user-name', 'ann', '--data', '-', '--password-stdin'];
  const { exitCode, stdout, stderr } = await runWith({ stdin, terminal: 80 }, ...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('standard input can be read only once');
});

test('on a terminal, nobody is asked for consent after standard input has ended', async () => {
  const { client, runWith } = await startWorld();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  const stdin = Object.assign(Readable.from([Buffer.from(`${user_id}\n`)]), { isTTY: true });
  const { exitCode, stderr } = await runWith({ stdin, terminal: 80 }, '--no-color', 'disable', '--from', '-');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    'tenant-users: confirmation is required, but standard input was read to its end\nUse --yes.\n',
  );
  expect(await client.getUser(user_id)).toMatchObject({ disabled: false });
});

test('a name in another encoding is refused, and not stored with other letters', async () => {
  const { client, runWith } = await startWorld();
  const stdin = Readable.from([Buffer.from('{"name":"Müller"}', 'latin1')]);
  const { exitCode, stderr } = await runWith({ stdin }, 'create', '--data', '-');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining('standard input is not text in UTF-8\nSave it as UTF-8, or convert it'),
  });
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(0);
});

test('a key file of bytes that are not text gets the advice to write them in base64', async () => {
  const { directory, runWith } = await startWorld();
  const file = join(directory, 'key.bin');
  await writeFile(file, Buffer.from('00ff17c0a8fe80e1d2c3b4a596877869', 'hex'));
  const users = join(directory, 'users.csv');
  await writeFile(users, 'user_name,hash\nann,x\n');
  const algorithm = ['--algorithm', 'hmacsha256_base64_key'];
  for (const args of [
    ['import-hashes', users, ...algorithm, '--key-file', file],
    ['hash', 'verify', ...algorithm, '--hash-stdin', '--key-file', file],
  ]) {
    const { exitCode, stderr } = await runWith({ stdin: 'some hash\n' }, ...args);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('is not text in UTF-8\nIf these are the bytes of the key'),
    });
    expect(stderr).toContain('base64 -w0 FILE');
    expect(stderr).not.toContain('iconv');
  }
});

test('the key file of the signing keys is never an HMAC key, whichever path leads to it', async () => {
  const { directory, run, runWith } = await startWorld();
  const within = (name: string) => join(directory, name);
  await writeFile(within('signing.key'), Buffer.alloc(32, 7).toString('base64'));
  await symlink(within('signing.key'), within('link.key'));
  await writeFile(within('users.csv'), 'user_name,algorithm,hash\n');
  const key = ['--key-file', within('link.key')];
  const env = { TENANT_USERS_KEY_FILE: within('signing.key') };
  for (const args of [
    ['import-hashes', within('users.csv'), ...key],
    ['plan', within('users.csv'), ...key],
    ['compare', within('users.csv'), ...key],
    ['assess', within('users.csv'), ...key],
    ['apply', directory, ...key],
    ['hash', 'verify', '--algorithm', 'hmacsha256_base64_key', '--hash-stdin', ...key],
  ]) {
    expect(await runWith({ stdin: 'some hash\n', env }, ...args)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(
        `${within('link.key')} is the key file of TENANT_USERS_KEY_FILE, which encrypts signing keys, and not the`,
      ),
    });
  }
  expect((await run('assess', within('users.csv'), ...key)).stderr).not.toContain('signing');
});
