import { expect, test } from 'vitest';
import { application, startTestService } from '../../test-service.ts';
import { startWorld } from '../../world.ts';
import { credentials } from '../process/start-program.ts';
import { startTerminal, terminalTest } from '../process/start-terminal.ts';

const bold = '\x1b[1m';
const red = '\x1b[31m';

/** A table, a help and an error as they are written with these variables and options. */
async function sent(terminal: boolean, env: Record<string, string>, ...flags: string[]) {
  const { client, runWith, baseUrl } = await startWorld();
  await client.createUser({ user_name: 'ann' });
  const { client_id, client_secret } = application;
  const known = {
    TENANT_USERS_BASE_URL: baseUrl,
    TENANT_USERS_CLIENT_ID: client_id,
    TENANT_USERS_CLIENT_SECRET: client_secret,
  };
  const circumstances = { env: { ...known, ...env }, ...(terminal ? { terminal: 80 } : {}) };
  const run = (...args: string[]) => runWith(circumstances, ...args, ...flags);
  return {
    table: (await run('list')).stdout,
    help: (await run('list', '--help')).stdout,
    error: (await run('lst')).stderr,
  };
}

test.each<[string, boolean, boolean, Record<string, string>, string[]]>([
  ['a terminal', true, true, {}, []],
  ['a pipe', false, false, {}, []],
  ['NO_COLOR', true, false, { NO_COLOR: '1' }, []],
  ['an empty NO_COLOR, which says nothing', true, true, { NO_COLOR: '' }, []],
  ['a dumb terminal', true, false, { TERM: 'dumb' }, []],
  ['--no-color', true, false, {}, ['--no-color']],
  ['FORCE_COLOR in a pipe', false, true, { FORCE_COLOR: '1' }, []],
  ['FORCE_COLOR=0', true, false, { FORCE_COLOR: '0' }, []],
  ['CLICOLOR_FORCE in a pipe', false, true, { CLICOLOR_FORCE: '1' }, []],
  ['CLICOLOR_FORCE=0, which forces nothing', true, true, { CLICOLOR_FORCE: '0' }, []],
  ['FORCE_COLOR against NO_COLOR', false, true, { FORCE_COLOR: '1', NO_COLOR: '1' }, []],
  ['--no-color against FORCE_COLOR', true, false, { FORCE_COLOR: '1' }, ['--no-color']],
])('colours are right for %s', async (_name, terminal, colors, env, flags) => {
  const { table, help, error } = await sent(terminal, env, ...flags);
  expect(table.includes(`${bold}user_name`)).toBe(colors);
  expect(help.includes(`${bold}Usage:`)).toBe(colors);
  expect(help.includes(`${bold}Examples:`)).toBe(colors);
  expect(error.includes(`${red}tenant-users:`)).toBe(colors);
  for (const text of [table, help, error]) expect(text.includes('\x1b')).toBe(colors);
});

test.each(['json', 'jsonl', 'csv'])('%s never has colours', async (output) => {
  const { run, runWith, baseUrl } = await startWorld();
  const plain = await run('list', '-o', output);
  const env = { ...credentials, TENANT_USERS_BASE_URL: baseUrl, FORCE_COLOR: '3' };
  expect((await runWith({ env, terminal: 80 }, 'list', '-o', output)).stdout).toBe(plain.stdout);
  expect((await runWith({ env, terminal: 80 }, 'lst', '--json')).stderr).not.toContain('\x1b');
});

terminalTest(
  'each stream is decided separately: a table in a pipe is plain while the error is red',
  async () => {
    const { baseUrl, client } = await startTestService();
    await client.createUser({ user_name: 'ann' });
    const env = { ...credentials, TENANT_USERS_BASE_URL: baseUrl };
    const shell = [
      'sh',
      '-c',
      '"$@" list | cat; "$@" get nobody >/dev/null',
      'sh',
      process.execPath,
    ] as const;
    const terminal = await startTerminal([], {
      env,
      command: [...shell, 'bin/tenant-users.js'],
      columns: 100,
    });
    expect(await terminal.exited).toMatchObject({ exitCode: 5 });
    expect(terminal.raw()).toContain('│ user_name │ name │');
    expect(terminal.raw()).toContain(`${red}tenant-users:`);
    expect(await terminal.leftovers()).toEqual([]);
  },
);
