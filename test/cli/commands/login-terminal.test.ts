import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { application, startTestService } from '../../test-service.ts';
import { temporaryDirectory } from '../../world.ts';
import { openTerminal } from '../process/open-terminal.ts';
import { bin } from '../process/start-program.ts';
import { startTerminal, terminalTest } from '../process/start-terminal.ts';

const { client_id, client_secret } = application;

async function startLogin(args: string[] = [], config?: string) {
  const file = config ?? join(await temporaryDirectory(), 'config.json');
  const terminal = await openTerminal(['login', ...args], {
    env: { TENANT_USERS_CONFIG: file },
    columns: 200,
  });
  return { ...terminal, file };
}

terminalTest('login asks again after an impossible answer, and never shows the secret', async () => {
  const { baseUrl } = await startTestService();
  const { file, waitFor, type, exited, raw, leftovers } = await startLogin();
  await waitFor(`Profile "default" (new) in ${file}`);
  await waitFor('Base URL');
  type('http://id.example.com\r');
  await waitFor('the base URL http://id.example.com is not https. Secrets and personal data are sent to it');
  type(`\x15\r`);
  await waitFor('It cannot be empty.');
  type(`  ${baseUrl} \r`);
  await waitFor('Client id');
  type('   \r');
  await waitFor('It cannot be empty.');
  type(`\x15${client_id}\r`);
  await waitFor('Client secret');
  type('\r');
  await waitFor(/Client secret.*\n> It cannot be empty\./);
  type(`${client_secret}\x14`);
  type('\x7f0\r');
  expect(await exited).toEqual({ exitCode: 0, signal: 0 });
  await waitFor(`Logged in to ${baseUrl}; stored as profile "default"`);
  // Long enough that no name of a temporary directory contains it.
  expect(raw()).not.toContain(client_secret.slice(0, 11));
  expect(raw()).not.toContain('ctrl+t');
  expect(await leftovers()).toEqual([]);
  const stored = JSON.parse(await readFile(file, 'utf8')).profiles.default;
  expect(stored).toMatchObject({ base_url: baseUrl, client_id, client_secret });
});

terminalTest('if the profile has address and client id, login asks only for the secret', async () => {
  const { baseUrl } = await startTestService();
  const args = ['--base-url', baseUrl, '--client-id', client_id];
  const first = await startLogin(args);
  await first.waitFor('Client secret');
  first.type(`${client_secret}\r`);
  expect((await first.exited).exitCode).toBe(0);
  const again = await startLogin([], first.file);
  await again.waitFor(`Profile "default" (currently ${baseUrl}) in`);
  await again.waitFor(first.file);
  await again.waitFor(`Using ${baseUrl} as ${client_id}; change these with --base-url and --client-id`);
  await again.waitFor('Client secret');
  again.type(`${client_secret}\r`);
  expect((await again.exited).exitCode).toBe(0);
  expect(again.raw()).not.toMatch(/Base URL|Client id/);
});

terminalTest.each([
  ['Base URL', []],
  ['Client id', ['https://id.example.com\r']],
  ['Client secret', ['https://id.example.com\r', 'app\r']],
])(
  'Ctrl-C at %s exits with 130, writes nothing, and leaves the terminal as it was',
  async (prompt, answers) => {
    const { file, waitFor, type, exited, leftovers } = await startLogin();
    const prompts = ['Base URL', 'Client id', 'Client secret'];
    for (const [index, answer] of answers.entries()) {
      await waitFor(prompts[index] ?? '');
      type(answer);
    }
    await waitFor(prompt);
    type('\x03');
    expect(await exited).toEqual({ exitCode: 130, signal: 0 });
    expect(await leftovers()).toEqual([]);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  },
);

terminalTest('the shell after an interrupted login shows what is typed', async () => {
  const { waitFor, type, screen } = await startTerminal([], {
    command: ['sh', '-c', `"${process.execPath}" "$0" login; echo ended $?; stty -a | tr ' ' '\\n'`, bin],
    rows: 120,
  });
  await waitFor('Base URL');
  type('\x03');
  await waitFor('ended 130');
  await waitFor(/^echoke/m);
  expect(await screen()).toMatch(/^echo$/m);
  expect(await screen()).toMatch(/^icanon$/m);
});
