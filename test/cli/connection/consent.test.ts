import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { temporaryDirectory } from '../../world.ts';
import { openTerminal } from '../process/open-terminal.ts';
import { credentials } from '../process/start-program.ts';
import { startTerminal, terminalTest } from '../process/start-terminal.ts';
import { startProxy } from './start-proxy.ts';
import { authority, startTlsService } from './start-tls-service.ts';

/** A service with TLS under a name of another machine, which is reached through a proxy. */
async function startRemote() {
  const [{ port, client, env }, proxy] = await Promise.all([startTlsService(), startProxy()]);
  const { user_id } = await client.createUser({ user_name: 'eve' });
  const way = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority };
  const cwd = await temporaryDirectory();
  const hash = createHash('md5').update('Old secret 1').digest('hex');
  await writeFile(
    join(cwd, 'legacy.csv'),
    `user_name,pwd_must_modify,algorithm,hash\nann,false,md5,${hash}\n`,
  );
  return {
    client,
    user_id,
    host: `tenant.test:${port}`,
    options: { env: { ...env, ...way }, cwd, columns: 120 },
  };
}

terminalTest(
  'for a tenant that is not on this machine, the host must be typed to disable a single user',
  async () => {
    const { client, user_id, host, options } = await startRemote();
    const asking = `? Type ${host} to disable 1 user`;
    const left = await startTerminal(['disable', '--by-user-name', 'eve'], options);
    await left.waitFor(asking);
    left.type('\x03');
    expect(await left.exited).toEqual({ exitCode: 130, signal: 0 });
    expect((await client.getUser(user_id)).disabled).toBe(false);

    const typed = await startTerminal(['disable', '--by-user-name', 'eve', '--json'], options);
    await typed.waitFor(asking);
    expect(
      await typed.screen(),
    ).toBe(`Target: https://${host} (client id ${credentials.TENANT_USERS_CLIENT_ID})
  ${user_id}  eve
The API cannot enable a user again: disabling is permanent. Nobody gets a message.
${asking}`);
    for (const wrong of ['y', 'tenant.test']) {
      typed.type(`${wrong}\r`);
      await typed.waitFor(`${asking} ${wrong}\n> Type ${host}, or press Ctrl-C.`);
      typed.type('\x15');
      await typed.waitFor(/1 user *$/);
    }
    expect((await client.getUser(user_id)).disabled).toBe(false);
    typed.type(`${host}\r`);
    expect(await typed.exited).toEqual({ exitCode: 0, signal: 0 });
    expect((await client.getUser(user_id)).disabled).toBe(true);
  },
);

terminalTest(
  'for a tenant that is not on this machine, the host must be typed to import a single user',
  async () => {
    const { client, host, options } = await startRemote();
    const terminal = await startTerminal(['import-hashes', 'legacy.csv'], options);
    await terminal.waitFor(`? Type ${host} to import 1 user`);
    expect(await terminal.screen()).toContain('1 row will be imported. The API cannot delete a user');
    expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(1);
    terminal.type(`${host}\r`);
    expect(await terminal.exited).toEqual({ exitCode: 0, signal: 0 });
    expect((await client.getUserByUserName('ann')).disabled).toBe(false);
  },
);

terminalTest(
  'for more than a hundred users, the host must be typed for a tenant on this machine, too',
  async () => {
    const { baseUrl, client } = await startTestService();
    const { host } = new URL(baseUrl);
    const names = Array.from({ length: 101 }, (_, at) => `user${at}`);
    await Promise.all(names.map((user_name) => client.createUser({ user_name })));
    const env = { ...credentials, TENANT_USERS_BASE_URL: baseUrl };
    const finders = names.flatMap((name) => ['--by-user-name', name]);
    const terminal = await openTerminal(['disable', ...finders, '--quiet'], {
      env,
      columns: 120,
      rows: 130,
    });
    await terminal.waitFor(`? Type ${host} to disable 101 users`);
    expect(await terminal.screen()).toContain('  … and 81 more\n');
    terminal.type(`${host}\r`);
    expect(await terminal.exited).toEqual({ exitCode: 0, signal: 0 });
    for (const name of ['user0', 'user100']) {
      expect((await client.getUserByUserName(name)).disabled).toBe(true);
    }
  },
);
