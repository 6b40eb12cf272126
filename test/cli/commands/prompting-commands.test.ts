import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { application, startTestService } from '../../test-service.ts';
import { temporaryDirectory } from '../../world.ts';
import { openTerminal } from '../process/open-terminal.ts';
import { credentials } from '../process/start-program.ts';
import { startTerminal, terminalTest } from '../process/start-terminal.ts';

async function startService() {
  const { client, baseUrl } = await startTestService();
  return { client, baseUrl, env: { ...credentials, TENANT_USERS_BASE_URL: baseUrl } };
}

terminalTest('login asks for what is missing, and does not show the secret', async () => {
  const { baseUrl } = await startService();
  const terminal = await openTerminal(['login'], { columns: 160 });
  await terminal.waitFor('? Base URL');
  terminal.type(`${baseUrl}\r`);
  await terminal.waitFor('? Client id');
  terminal.type(`${application.client_id}\r`);
  await terminal.waitFor('? Client secret');
  terminal.type(`${application.client_secret}\r`);
  expect(await terminal.exited).toEqual({ exitCode: 0, signal: 0 });
  expect((await terminal.screen()).replaceAll(/\/\S*\/\.config/g, '~/.config')).toBe(
    `Profile "default" (new) in ~/.config/tenant-users/config.json
✔ Base URL ${baseUrl}
✔ Client id ${application.client_id}
✔ Client secret
Logged in to ${baseUrl}; stored as profile "default" in
~/.config/tenant-users/config.json`,
  );
  expect(await terminal.leftovers()).toEqual([]);
});

terminalTest(
  'a confirmation names the tenant and every user that was found, and stdout contains only JSON',
  async () => {
    const { client, env, baseUrl } = await startService();
    const ids: string[] = [];
    for (const number of [1, 2, 3, 4, 5, 6, 7]) {
      ids.push(
        (await client.createUser({ user_name: `u${number}`, name: `Name ${'I'.repeat(number)}` })).user_id,
      );
    }
    const shell = [
      'sh',
      '-c',
      '"$@" > "$HOME/result.json"; code=$?; cat "$HOME/result.json"; exit $code',
      'sh',
    ] as const;
    const command = [...shell, process.execPath, 'bin/tenant-users.js'] as const;
    const args = ['disable', ...ids, 'nobody', '--json'];
    const terminal = await startTerminal(args, { env, command, columns: 100 });
    await terminal.waitFor('(y/N)');
    const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = '', seventh = ''] = ids;
    expect(await terminal.screen()).toBe(`Target: ${baseUrl} (client id test-application)
  ${first}  u1  Name I
  ${second}  u2  Name II
  ${third}  u3  Name III
  ${fourth}  u4  Name IIII
  ${fifth}  u5  Name IIIII
  ${sixth}  u6  Name IIIIII
  ${seventh}  u7  Name IIIIIII
The API cannot enable a user again: disabling is permanent. Nobody gets a message.
? Continue and disable 7 users? (y/N)`);
    terminal.type('y\r');
    expect(await terminal.exited).toEqual({ exitCode: 7, signal: 0 });
    expect((await client.getUser(first)).disabled).toBe(true);
    expect(terminal.raw()).toContain('{"results":[{"user_id"');
  },
);

terminalTest('a recipe is made with the answers of a person', async () => {
  const cwd = await temporaryDirectory();
  await writeFile(join(cwd, 'a.csv'), 'login,account,status\nann,7,1\nbob,8,2\n');
  const terminal = await openTerminal(['recipe', 'make', 'a.csv', '--to', 'a.yaml'], { cwd });
  await terminal.waitFor('❯ decide later');
  terminal.type('\x1b[B\r');
  await terminal.waitFor('◯ 2 (1 of 2 rows)');
  terminal.type('\x1b[B \r');
  await terminal.waitFor('? What should happen to users who may not log in?');
  terminal.type('\r');
  expect(await terminal.exited).toEqual({ exitCode: 0, signal: 0 });
  const screen = await terminal.screen();
  expect(screen).toContain('✔ Which column is user_name? login  (aaa)');
  expect(screen).toMatch(/status +│ skip/);
  expect(screen).not.toContain('Warning');
  expect(await readFile(join(cwd, 'a.yaml'), 'utf8')).not.toContain('open:');
  expect(screen).not.toMatch(/ann|bob/);
  expect(await terminal.leftovers()).toEqual([]);
});

terminalTest('every word that may say who is disabled is on the screen before it has an answer', async () => {
  const cwd = await temporaryDirectory();
  const words = Array.from('abcdefghijkl', (letter) => letter.repeat(5));
  const rows = words.flatMap((word) => [1, 2].map((row) => `${word}${row},${word}`));
  await writeFile(join(cwd, 'a.csv'), `user_name,status\n${rows.join('\n')}\n`);
  const args = ['recipe', 'make', 'a.csv', '--to', 'a.yaml'];
  const terminal = await openTerminal(args, { cwd, columns: 80, rows: 12 });
  await terminal.waitFor('(1 of 2)');
  const shown = async () => {
    const screen = await terminal.screen();
    return words.filter((word) => screen.includes(`◯ ${word}`));
  };
  const first = await shown();
  terminal.type(' \r');
  await terminal.waitFor('(2 of 2)');
  expect([...first, ...(await shown())]).toEqual(words);
  terminal.type('\r');
  await terminal.waitFor('? What should happen to users who may not log in?');
  terminal.type('\r');
  expect(await terminal.exited).toEqual({ exitCode: 0, signal: 0 });
  const made = await readFile(join(cwd, 'a.yaml'), 'utf8');
  expect(made).toMatch(/in: \[ ?aaaaa ?\]/);
});

terminalTest('a user who is not found is not asked about', async () => {
  const { env } = await startService();
  const terminal = await openTerminal(['disable', 'bob', '--by-user-name', 'nobody'], { env });
  expect(await terminal.exited).toEqual({ exitCode: 7, signal: 0 });
  const screen = await terminal.screen();
  expect(screen).not.toContain('(y/N)');
  expect(screen).toContain('0 of 2 disabled');
});

terminalTest.each(['n\r', '\r'])('a confirmation answered with %j does nothing', async (answer) => {
  const { client, env } = await startService();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  const terminal = await openTerminal(['disable', '--by-user-name', 'ann'], { env });
  await terminal.waitFor('(y/N)');
  terminal.type(answer);
  expect(await terminal.exited).toEqual({ exitCode: 2, signal: 0 });
  expect(await terminal.screen()).toContain('tenant-users: nothing was disabled');
  expect((await client.getUser(user_id)).disabled).toBe(false);
});

terminalTest.each([
  'yes | "$@" disable ID',
  '"$@" disable ID 2>"$HOME/error.txt"; code=$?; cat "$HOME/error.txt"; exit $code',
])('no question is asked if a person could not answer: %s', async (line) => {
  const { client, env } = await startService();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  const script = line.replace('ID', user_id);
  const command = ['sh', '-c', script, 'sh', process.execPath, 'bin/tenant-users.js'] as const;
  const terminal = await startTerminal([], { env, command });
  expect(await terminal.exited).toEqual({ exitCode: 2, signal: 0 });
  expect(await terminal.screen()).toMatch(/without a prompt, add\s--ye\n?s/);
  expect((await client.getUser(user_id)).disabled).toBe(false);
});

terminalTest.each([
  ['\x03', 130],
  ['\r', 2],
])('a change of the local service that is not confirmed (%j) is not made', async (answer, exitCode) => {
  const database = join(await temporaryDirectory(), 'service.db');
  await startTestService({ database });
  const terminal = await openTerminal(['keys', 'reset', '--local', database]);
  await terminal.waitFor('(y/N)');
  terminal.type(answer);
  expect(await terminal.exited).toEqual({ exitCode, signal: 0 });
  expect(await terminal.screen()).not.toContain('cannot be used');
});

terminalTest('get asks for a user, and finds the user by the form of the answer', async () => {
  const { client, env } = await startService();
  await client.createUser({ user_name: 'ann', email: 'ann@example.com' });
  for (const given of ['ann', 'Ann@example.com']) {
    const terminal = await openTerminal(['get', '-o', 'tsv', '--columns', 'user_name,email'], {
      env,
      columns: 100,
    });
    await terminal.waitFor('? User id, user name, e-mail address or mobile number');
    terminal.type(`${given}\r`);
    expect(await terminal.exited).toEqual({ exitCode: 0, signal: 0 });
    expect(await terminal.screen()).toBe(
      `✔ User id, user name, e-mail address or mobile number ${given}\nann     ann@example.com`,
    );
    expect(await terminal.leftovers()).toEqual([]);
  }
});
