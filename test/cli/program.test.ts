import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { firstWords } from '../../src/cli/first-words.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { withoutService } from '../world.ts';

type Tree = ReturnType<typeof buildProgram>['commands'];

function paths(commands: Tree, parent: string[] = []): string[][] {
  return commands.flatMap((command) => {
    const path = [...parent, command.name()];
    return [path, ...paths(command.commands, path)];
  });
}

const session = {} as Parameters<typeof buildProgram>[0];
const all = paths(buildProgram(session).commands);

test('a first word builds its own command, and no other', () => {
  for (const word of firstWords.filter((name) => !['complete', 'help'].includes(name))) {
    expect(buildProgram(session, [word, '--json']).commands.map((command) => command.name())).toEqual([word]);
  }
});

test('help, completion and a command line without a command build all of them', () => {
  for (const words of [[], ['--help', 'list'], ['list', '-h'], ['help', 'list'], ['complete'], ['lst']]) {
    expect(paths(buildProgram(session, words).commands), words.join(' ')).toEqual(all);
  }
});

test('the program has every command, and the short forms', () => {
  expect(all.map((path) => path.join(' ')).sort()).toEqual(
    [
      ...['create', 'disable', 'ensure', 'get', 'list', 'update'].flatMap((name) => [name, `users ${name}`]),
      ...['api', 'apply', 'assess', 'forecast', 'template'],
      ...['compare', 'mcp'],
      ...['plan', 'plan diff', 'plan show', 'plan sign', 'plan verify', 'undo', 'cutover'],
      ...['import-hashes merge', 'import-hashes status', 'log', 'runs'],
      ...['evidence', 'evidence verify', 'job', 'job purge', 'job retarget'],
      ...[
        'import-hashes',
        'login',
        'serve',
        'sso',
        'sso check',
        'sso ticket',
        'sso verify',
        'status',
        'users',
      ],
      'doctor',
      'help',
      ...['explain', 'hash', 'hash identify', 'hash verify'],
      ...['logout', 'profiles', 'profiles list', 'profiles remove', 'profiles use'],
      ...['complete', 'completion'],
      ...['audit', 'schema'],
      ...['apps', 'apps create', 'apps list', 'apps revoke', 'apps rotate-secret'],
      ...['recipe', 'recipe check', 'recipe list', 'recipe make', 'recipe show'],
      ...['sessions', 'sessions end'],
      ...['keys', 'keys list', 'keys reset', 'keys rotate'],
      ...['tenant', 'tenant apply', 'tenant check', 'tenant copy', 'tenant learn', 'tenant show'],
    ].sort(),
  );
});

test.each([[[]], ...all.map((path) => [path])])('%j --help prints its help on stdout', async (path) => {
  const { run } = await withoutService();
  const { exitCode, stdout, stderr } = await run(...path, '--help');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: tenant-users/);
  expect(stdout).toContain('--help');
  // Examples and commands to copy stay on one line.
  const mayBeWide = path.length > 0 ? /^ {2}\$ |tenant-users completion/ : /^$/;
  const wide = stdout.split('\n').filter((line) => line.length > 80 && !mayBeWide.test(line));
  expect(wide).toEqual([]);
});

test('the help that is stored when the program is built equals that of the commands', async () => {
  const { run } = await withoutService();
  const { stdout } = await run('--help');
  expect(readFileSync('dist/help.txt', 'utf8')).toBe(stdout);
});

test.each([40, 60])(
  'on a terminal of %d columns the paragraphs of a help break between words',
  async (terminal) => {
    const { runWith } = await withoutService();
    const { stdout } = await runWith({ terminal, env: { NO_COLOR: '1' } }, 'serve', '--help');
    const wide = stdout.split('\n').filter((line) => /^\S/.test(line) && line.length > terminal);
    expect(wide).toEqual([]);
    expect(stdout).toMatch(/^Examples:\n {2}\$ tenant-users serve --database tenant\.db$/m);
  },
);

test('the help of import-hashes fits two screens of 80 columns and 24 lines', async () => {
  const { run } = await withoutService();
  const lines = (await run('import-hashes', '--help')).stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(48);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test.each([
  ['import-hashes', 'retry, or look up (choices: "failed", "unanswered")'],
  ['login', 'Without --profile it stores that of TENANT_USERS_PROFILE, else the current one'],
  ['create', '--no-must-modify is for the rows that do not say it themselves in pwd_must_modify'],
])('the help of %s says what an option does in each case', async (command, text) => {
  const { run } = await withoutService();
  expect((await run(command, '--help')).stdout.replaceAll(/\s+/g, ' ')).toContain(text);
});

test('the help of each command, but not of each group, has examples', async () => {
  const { run } = await withoutService();
  for (const path of all.filter(
    (path) =>
      !['users', 'sso', 'profiles', 'tenant', 'hash', 'keys', 'apps', 'sessions', 'recipe', 'job'].includes(
        path.join(' '),
      ),
  )) {
    expect((await run(...path, '--help')).stdout, path.join(' ')).toMatch(/Examples?:\n {2}\$ tenant-users/);
  }
});

test('--version prints the version', async () => {
  const { run } = await withoutService();
  expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('without a command the help is printed on stderr, with exit code 2', async () => {
  const { run } = await withoutService();
  const { exitCode, stdout, stderr } = await run();
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/^Usage: tenant-users/);
});
