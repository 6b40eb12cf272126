import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { targetTenant } from '../../../src/cli/connection/connect.ts';
import type { CommandContext } from '../../../src/cli/context/context.ts';
import { startWorld, temporaryDirectory } from '../../world.ts';

async function targetOf(options: CommandContext['options'], env: Record<string, string> = {}) {
  const stream = new Writable();
  return targetTenant({
    args: [],
    paths: [],
    options,
    onExit() {},
    changes: [],
    noteChange() {},
    runCommand: () => Promise.resolve(0),
    stdin: Readable.from([]),
    stdout: stream,
    stderr: stream,
    env,
    configDirectory: await temporaryDirectory(),
    stateDirectory: await temporaryDirectory(),
    now: Date.now,
    signal: new AbortController().signal,
  });
}

test('for a tenant that is not on this machine, address and application are shown, and the host must be typed', async () => {
  const env = { TENANT_USERS_CLIENT_ID: 'acme-import', TENANT_USERS_CLIENT_SECRET: 'x' };
  expect(await targetOf({ baseUrl: 'https://id.acme.example/base' }, env)).toEqual({
    address: 'https://id.acme.example/base',
    description: 'https://id.acme.example/base (client id acme-import)',
    host: 'id.acme.example',
    isLoopback: false,
    isEmbedded: false,
  });
});

test.each([
  'https://bob:s3cretpass@id.acme.example',
  'https://id.acme.example/?token=s3cretpass',
  'ftp://bob:s3cretpass@id.acme.example',
  'bob:s3cretpass@id.acme.example',
])('a part of an address that may be a secret is not shown: %s', async (baseUrl) => {
  const { stderr, exitCode } = await (await startWorld()).run(
    'create',
    '--user-name',
    'x',
    '--base-url',
    baseUrl,
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain('the base URL');
  expect(stderr).not.toContain('s3cret');
});

test.each(['http://127.0.0.1:9871', 'http://localhost:9871', 'http://[::1]:9871'])(
  '%s is on this machine',
  async (baseUrl) => {
    expect(await targetOf({ baseUrl })).toMatchObject({ isLoopback: true, isEmbedded: false });
  },
);

test('for an embedded service, the database is shown', async () => {
  const database = join('some', 'own.db');
  expect(await targetOf({ local: database })).toMatchObject({
    description: `embedded service on ${database}`,
    isEmbedded: true,
  });
});
