import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { startTestService } from '../../test-service.ts';
import { runCommand, temporaryDirectory } from '../../world.ts';

const root = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

interface Served {
  base_url: string;
  tenants: { tenant_id: string; client_id: string; client_secret: string }[];
}

/** Starts the built program and waits for its first line. */
async function serve(database: string, ...args: string[]): Promise<Served & { serving: ChildProcess }> {
  const options = ['--port', '0', '--database', database, '--json', ...args];
  const { PATH = '' } = process.env;
  const serving = spawn(process.execPath, [root('bin/tenant-users.js'), 'serve', ...options], {
    env: { PATH, HOME: await temporaryDirectory() },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void serving.kill('SIGKILL'));
  const lines = serving.stdout ? createInterface(serving.stdout) : [];
  for await (const line of lines) return { ...(JSON.parse(line) as Served), serving };
  throw new Error('serve said nothing');
}

test('serve --tenant serves each tenant to its own application, and the next start knows the tenants', async () => {
  const database = `${await temporaryDirectory()}/tenants.db`;
  const files = ['strict', 'sports-club'].map((name) => root(`fixtures/tenants/${name}.json`));
  const {
    base_url: baseUrl,
    tenants,
    serving,
  } = await serve(database, ...files.flatMap((file) => ['--tenant', file]));
  expect(tenants.map(({ tenant_id }) => tenant_id)).toEqual(['strict', 'sports-club']);
  const [strict, club] = tenants.map(({ client_id: clientId, client_secret: clientSecret }) => {
    const client = createClient({ baseUrl, clientId, clientSecret });
    onTestFinished(() => client.close());
    return client;
  });
  const member = {
    user_name: 'ann',
    name: 'Ann',
    email: 'a@b.de',
    attr_birthday: '2000-01-01',
    extension: { membership_no: 'B000001', member_since: '2020-01-01' },
  };
  await expect(strict?.createUser(member)).rejects.toMatchObject({ code: 'SVC.TENANT.USER.0004' });
  expect(await club?.createUser(member)).toEqual({ user_id: expect.any(String) });
  expect(await strict?.listUsers({ offset: 0, limit: 10 })).toMatchObject({ total: 0 });
  const exit = once(serving, 'exit');
  serving.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);

  const again = await serve(database);
  expect(again.tenants).toEqual(tenants.map(({ tenant_id, client_id }) => ({ tenant_id, client_id })));
});

test('serve --audit adds its lines to an earlier audit log, and to no other file', async () => {
  const configDirectory = await temporaryDirectory();
  const start = (...more: string[]) =>
    runCommand(['serve', '--port', '0', ...more], { env: {}, configDirectory, signalAtOutput: 'SIGTERM' });
  const [log, file, database] = ['my.log', 'legacy.csv', 'own.db'].map(
    (name) => `${configDirectory}/${name}`,
  );
  const onOwn = ['--database', String(database), '--audit'];
  await writeFile(String(file), 'user_name\nann\n', { mode: 0o600 });
  for (const _ of ['first', 'second'])
    expect(await start(...onOwn, String(log))).toMatchObject({ exitCode: 0 });
  for (const path of [file, database]) {
    const before = await readFile(String(path));
    expect(await start(...onOwn, String(path))).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `tenant-users: --audit ${path} is there, and no audit log\nName another file with --audit.\n`,
    });
    expect(await readFile(String(path))).toEqual(before);
  }
});

test('each start says how to replace a secret that may be lost, until the application has obtained a token', async () => {
  const configDirectory = await temporaryDirectory();
  const database = `${configDirectory}/own.db`;
  const surroundings = { env: {}, configDirectory };
  const start = (...more: string[]) => {
    const args = ['serve', '--port', '0', '--database', database, ...more];
    return runCommand(args, { ...surroundings, signalAtOutput: 'SIGTERM' });
  };
  const [stopped, shownNow] = ['Stopped; all open requests were completed\n', await start()];
  expect(shownNow.stderr).toBe(stopped);
  const [, client_id = ''] = /client id: (\S+)/.exec(shownNow.stdout) ?? [];
  const rotate = `apps rotate-secret ${client_id} --lost --local ${database}`;
  expect((await start()).stderr).toBe(
    `The application of tenant default seems unused. If nobody has its secret, replace it:
  tenant-users ${rotate}\n${stopped}`,
  );
  expect(JSON.parse((await start('--json')).stdout).tenants).toEqual([
    { tenant_id: 'default', client_id, unused: true },
  ]);
  const { stdout } = await runCommand([...rotate.split(' '), '--json'], surroundings);
  const { client_secret: clientSecret } = JSON.parse(stdout);
  const used = await startTestService({ database });
  await used.connect({ clientId: client_id, clientSecret }).obtainToken();
  await used.close();
  expect((await start()).stderr).toBe(stopped);
  // Without its signing keys, a tenant that has tokens or users was used as well.
  await runCommand(['keys', 'reset', '--local', database, '--yes'], surroundings);
  expect((await start()).stderr).toBe(stopped);
  await runCommand(['create', '--user-name', 'ann', '--local', database], surroundings);
  await runCommand(['keys', 'reset', '--local', database, '--yes'], surroundings);
  expect((await start()).stderr).toBe(stopped);
});
