import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect } from 'vitest';
import { application, startTestService } from '../../test-service.ts';
import { temporaryDirectory } from '../../world.ts';
import { startSilence } from '../connection/start-silence.ts';
import { bin, credentials } from './start-program.ts';
import { startTerminal, terminalTest } from './start-terminal.ts';

const files = {
  'known.csv': 'ann,secret1\n',
  'legacy.csv': 'user_name,algorithm,hash\nann,md5,e52d98c459819a11775936d8dfbb7929\nbob,md5,x\n',
  'hash.txt': 'e52d98c459819a11775936d8dfbb7929\n',
  'password.txt': 'secret1\n',
  'secret.txt': application.client_secret,
  'tenant.json': '{"tenant_id":"acme"}',
};

/** Each command as a person runs it, and its exit code. */
const lines: readonly [command: string, exitCode: number][] = [
  ['--help', 0],
  ['login --client-secret-file secret.txt', 0],
  ['status', 0],
  ['doctor', 0],
  ['profiles list', 0],
  ['profiles use default', 0],
  ['list', 0],
  ['list --all', 0],
  ['get --by-user-name eve', 0],
  ['update --by-user-name eve --name Eve', 0],
  ['create --user-name zoe', 0],
  ['disable --by-user-name zoe --yes', 0],
  ['import-hashes legacy.csv --dry-run --yes', 7],
  ['import-hashes legacy.csv --rehearse --yes --job rehearsal', 7],
  ['import-hashes legacy.csv --yes --shard 1/2 --job one', 0],
  ['import-hashes legacy.csv --yes --shard 2/2 --job two', 7],
  ['import-hashes merge one two --job whole', 7],
  ['hash identify hash.txt', 0],
  ['hash verify --algorithm md5 --hash-file hash.txt --password-file password.txt', 0],
  ['sso ticket ann --password-file password.txt', 6],
  ['sso verify x --os-version 1 --device-ip 127.0.0.1 --device-fingerprint f', 6],
  ['tenant check tenant.json', 0],
  ['tenant apply tenant.json --local tenant.db', 0],
  ['tenant show --local tenant.db', 0],
  ['explain', 0],
  ['schema list', 0],
  ['completion bash', 0],
  ['nothing', 2],
  ['profiles remove default --yes', 0],
  ['logout', 3],
];

/** Commands that fit what they print into the width, for the widths between the extremes. */
const fitted = lines.filter(([line]) =>
  /^(--help|status|doctor|list|get|explain|import-hashes legacy.csv --dry-run)/.test(line),
);

/** A terminal whose size is set by the shell: the pseudo-terminal itself takes no 0. */
const sized = (columns: number, then: string) =>
  ['sh', '-c', `stty cols ${columns}; ${then}`, process.execPath] as const;

/** More than any of them has to say, and far less than a terminal is sent by a loop. */
const mostCharacters = 400_000;

describe.each([
  [0, 'every command', lines],
  [1, 'what fits its output', fitted],
  [20, 'every command', lines],
  [40, 'what fits its output', fitted],
  [80, 'what fits its output', fitted],
] as const)('on a terminal of %d columns', (columns, which, commands) => {
  terminalTest(`${which} ends`, { timeout: 120_000 }, async () => {
    const { baseUrl, client } = await startTestService();
    await client.createUser({ user_name: 'eve', email: 'eve@example.com' });
    const cwd = await temporaryDirectory();
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    const script = commands.map(
      ([line]) => `"$0" "${bin}" ${line}; printf 'exit-code:%s ' $? >> "${cwd}/codes"`,
    );
    const env = { ...credentials, TENANT_USERS_BASE_URL: baseUrl };
    const command = sized(columns, `${script.join('\n')}\ncat codes; echo`);
    const terminal = await startTerminal([], { env, cwd, command });
    expect(await terminal.exited).toEqual({ exitCode: 0, signal: 0 });
    const codes = [...terminal.raw().matchAll(/exit-code:(\d+)/g)].map(([, code]) => Number(code));
    expect(commands.map(([line], at) => `${line}: ${codes[at]}`)).toEqual(
      commands.map(([line, code]) => `${line}: ${code}`),
    );
    expect(terminal.raw().length).toBeLessThan(mostCharacters);
    expect(terminal.raw()).not.toContain('report it');
    expect(await terminal.leftovers()).toEqual([]);
  });

  terminalTest('a prompt can be answered, and left', async () => {
    const { baseUrl, client } = await startTestService();
    const { user_id } = await client.createUser({ user_name: 'eve' });
    const env = { ...credentials, TENANT_USERS_BASE_URL: baseUrl };
    const command = sized(columns, `"$0" "${bin}" disable ${user_id}`);
    for (const [keys, exitCode, disabled] of [
      ['\x03', 130, false],
      ['y\r', 0, true],
    ] as const) {
      const terminal = await startTerminal([], { env, command });
      await expect
        .poll(() => stripVTControlCharacters(terminal.raw()).replace(/\W/g, ''), { timeout: 10_000 })
        .toContain('yN');
      terminal.type(keys);
      expect(await terminal.exited).toEqual({ exitCode, signal: 0 });
      expect((await client.getUser(user_id)).disabled).toBe(disabled);
      expect(terminal.raw().length).toBeLessThan(mostCharacters);
    }
  });
});

describe('on a terminal of 0 columns', () => {
  terminalTest.each([
    ['status', 'SIGTERM', 143],
    ['list', 'SIGINT', 130],
    ['list --all', 'SIGTERM', 143],
    ['get x', 'SIGINT', 130],
    ['create --name x', 'SIGTERM', 143],
    ['update x --name y', 'SIGTERM', 143],
    ['disable x --yes', 'SIGTERM', 143],
    ['import-hashes legacy.csv --yes', 'SIGTERM', 143],
    ['sso ticket x --password-file password.txt', 'SIGINT', 130],
    ['doctor', 'SIGTERM', 143],
    ['login --client-secret-file secret.txt', 'SIGINT', 130],
  ] as const)('%s before a service that says nothing ends on %s with %d', async (line, signal, exitCode) => {
    const cwd = await temporaryDirectory();
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    let isConnected = false;
    const baseUrl = await startSilence(() => {
      isConnected = true;
    });
    const env = { ...credentials, TENANT_USERS_BASE_URL: baseUrl };
    const command = sized(0, `exec "$0" "${bin}" ${line}`);
    const terminal = await startTerminal([], { env, cwd, command });
    await expect.poll(() => isConnected, { timeout: 15_000 }).toBe(true);
    terminal.kill(signal);
    expect(await terminal.exited).toEqual({ exitCode, signal: 0 });
    expect(terminal.raw().length).toBeLessThan(mostCharacters);
  });
});
