import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { temporaryDirectory } from '../../world.ts';
import { openTerminal } from '../process/open-terminal.ts';
import { bin, credentials } from '../process/start-program.ts';
import { startTerminal, terminalTest } from '../process/start-terminal.ts';

const secret = 'Typed-5ecret-77';

/** A prompt: its command, the answers to earlier questions, and the text with which it asks. */
const prompts = [
  { name: 'login: base URL', args: ['login'], answers: [], asks: '? Base URL', named: '--base-url' },
  {
    name: 'login: client id',
    args: ['login', '--base-url', 'URL'],
    answers: [],
    asks: '? Client id',
    named: '--client-id',
  },
  {
    name: 'login: client secret',
    args: ['login', '--base-url', 'URL'],
    answers: ['app\r'],
    asks: '? Client secret',
    named: '--client-secret-stdin',
  },
  {
    name: 'create',
    args: ['create', '--user-name', 'bob', '--password-prompt'],
    answers: [],
    asks: '? Password',
    named: '--password-stdin',
  },
  {
    // The terminal would show what is typed for an option that reads standard input.
    name: 'create --password-stdin',
    args: ['create', '--user-name', 'bob', '--password-stdin'],
    answers: [],
    asks: '? Password',
    named: 'a pipe or a file',
  },
  {
    name: 'disable',
    args: ['disable', 'ID'],
    answers: [],
    asks: 'Continue and disable 1 user?',
    named: '--yes',
  },
  {
    name: 'sso ticket',
    args: ['sso', 'ticket', 'ann'],
    answers: [],
    asks: '? Password',
    named: '--password-stdin',
  },
] as const;

async function startAsking({ args, answers, asks }: (typeof prompts)[number], start = openTerminal) {
  const { client, baseUrl } = await startTestService();
  const { user_id } = await client.createUser({ user_name: 'ann' });
  const home = await temporaryDirectory();
  const known = args[0] === 'login' ? {} : { ...credentials, TENANT_USERS_BASE_URL: baseUrl };
  const values = new Map([
    ['URL', baseUrl],
    ['ID', user_id],
  ]);
  const given = args.map((arg) => values.get(arg) ?? arg);
  const terminal = await start(given, { env: { HOME: home, ...known } });
  for (const answer of answers) {
    await terminal.waitFor('? Client id');
    terminal.type(answer);
  }
  await terminal.waitFor(asks);
  const isUntouched = async () => {
    const { users } = await client.listUsers({ offset: 0, limit: 10 });
    return users.length === 1 && !users[0]?.disabled && !existsSync(join(home, '.config'));
  };
  return { ...terminal, client, baseUrl, user_id, isUntouched };
}

/** How a prompt ends without an answer: the exit code, and what is said. */
const endings = [
  ['Ctrl-C', 130, ''],
  ['SIGTERM', 143, ''],
  ['SIGHUP', 129, ''],
  ['Ctrl-D', 2, `the input ended before an answer was given`],
] as const;

/** A shell that gets the terminal when the program is stopped, shows how it finds it, and lets the program continue. */
const shell = ['sh', '-mc', '"$0" "$@"; stty -a | grep -o "[-]*icanon\\|[-]*echo "; fg'] as const;

describe.each([
  {
    ...prompts[0],
    again: /echo\n.*[?] Base URL/s,
    next: 'the base URL "xTyped-5ecret-77" is not a valid URL',
  },
  { ...prompts[3], again: /echo\n.*[?] Password/s, next: 'The same password again' },
])('the prompt of $name in a shell', ({ again, next, ...prompt }) => {
  terminalTest('Ctrl-Z gives the terminal back, and after fg the question is still open', async () => {
    const command = [...shell, process.execPath, bin] as const;
    const asking = await startAsking(prompt, (args, options) => startTerminal(args, { ...options, command }));
    asking.type('\x1a');
    await asking.waitFor(/icanon\necho$/m);
    // The first key shows the question again, which shows that the program continues.
    asking.type('x');
    await asking.waitFor(again);
    asking.type(`${secret}\r`);
    await asking.waitFor(next);
    if (prompt.named === '--password-stdin') expect(asking.raw()).not.toContain(secret);
    asking.type('\x03');
    expect(await asking.exited).toEqual({ exitCode: 130, signal: 0 });
    expect(await asking.isUntouched()).toBe(true);
  });
});

/** Every prompt in this process, and the one that hides what is typed in a process of its own, which gets the signals. */
const askings = [
  ...prompts.map((prompt) => ({ ...prompt, start: openTerminal, where: '' })),
  { ...prompts[3], start: startTerminal, where: ' in a process of its own' },
];

describe.each(askings)('the prompt of $name$where', (prompt) => {
  terminalTest.each(endings)(
    '%s ends the command with %d, and nothing is done',
    async (how, exitCode, reason) => {
      const asking = await startAsking(prompt, prompt.start);
      if (how === 'Ctrl-C') asking.type('\x03');
      else if (how === 'Ctrl-D') asking.type('\x04');
      else asking.kill(how);
      expect(await asking.exited).toEqual({ exitCode, signal: 0 });
      expect(await asking.leftovers()).toEqual([]);
      const after =
        (await asking.scrollback()).split(/\? (?=Base URL|Client|Password|Continue)/).at(-1) ?? '';
      const said = after.split('\n').slice(1).join('\n');
      if (reason) expect(said).toContain(reason);
      else expect(said).toBe('');
      if (how === 'Ctrl-D') expect(said).toContain(prompt.named);
      expect(await asking.isUntouched()).toBe(true);
    },
  );
});

describe.each(prompts.filter(({ asks }) => /Password|secret/.test(asks)))(
  'the secret that $name asks for',
  (prompt) => {
    terminalTest('neither the secret nor its length is shown, during typing or afterwards', async () => {
      const asking = await startAsking(prompt);
      const before = await asking.screen();
      asking.type(secret);
      asking.type('\x14\b');
      asking.type(`\x15${secret.slice(1)}`);
      expect(await asking.screen()).toBe(before);
      asking.type('\r');
      if (prompt.name === 'create') {
        await asking.waitFor('The same password again');
        asking.type('mistyped\r');
        await asking.waitFor('It is not the same password.');
        // A rejected answer is deleted, since a person could not see it.
        asking.type(`${secret.slice(1)}\r`);
      }
      await asking.exited;
      expect(asking.raw()).not.toContain('ecret-77');
      expect(await asking.scrollback()).not.toMatch(/5ecret|[*]{3}/);
      expect(await asking.leftovers()).toEqual([]);
    });
  },
);
