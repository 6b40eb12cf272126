import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startTerminal, terminalTest } from '../process/start-terminal.ts';
import { hasShell, nastyNames, startShellHome } from './start-shell.ts';

const bash = hasShell('bash');

/** What `completion bash` prints: the same for every line, so the program prints it once. */
let completion: string | undefined;

/** The words that the script gives Bash for a line, called as Bash calls it. */
async function askBash(line: string) {
  const { env, work } = await startShellHome();
  completion ??= (await promisify(execFile)('tenant-users', ['completion', 'bash'], { env })).stdout;
  const script = `
    eval "$2"
    eval "$2"
    COMP_LINE=$1 COMP_POINT=\${#1} COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
    _tenant_users tenant-users
    if [ \${#COMPREPLY[@]} -gt 0 ]; then printf '%s\\n' "\${COMPREPLY[@]}"; fi
    complete -p tenant-users`;
  const args = ['--norc', '--noprofile', '-u', '-c', script, 'bash', line, completion];
  const { stdout, stderr } = await promisify(execFile)('bash', args, { env, cwd: work });
  expect(stderr).toBe('');
  const lines = stdout.trimEnd().split('\n');
  expect(lines.pop()).toBe('complete -o default -F _tenant_users tenant-users');
  expect(await readdir(work)).toEqual(['leavers list.txt', 'legacy.csv', 'users']);
  return lines;
}

describe.skipIf(!bash)('bash works without bash-completion', () => {
  test.each([
    ['tenant-users imp', ['import-hashes']],
    ['tenant-users list -o j', ['json', 'jsonl']],
    ['tenant-users list --output=c', ['csv']],
    ['tenant-users import-hashes leg', []],
    ['tenant-users profiles use tw', ['two\\ words']],
    ['tenant-users profiles use "tw', ['two words']],
    ['tenant-users profiles use two\\ w', ['two\\ words']],
    ['tenant-users --profile \\$', ['\\$\\(touch\\ pwned\\)']],
    ["tenant-users --profile '$(", ['$(touch pwned)']],
    ['tenant-users --profile "$(', []],
    ['tenant-users --profile "$(touch pwned)" li', ['list']],
    ['tenant-users $(touch pwned) li', []],
    ['tenant-users nonsense', []],
  ])('the script completes %s', async (line, words) => {
    expect(await askBash(line)).toEqual(words);
  });
});

describe.skipIf(!bash)('bash on a terminal', () => {
  terminalTest('completion inserts names on a terminal, and executes no part of them', async () => {
    const { env, work } = await startShellHome();
    const terminal = await startTerminal(['--norc', '--noprofile', '-i'], {
      command: ['bash'],
      env: { ...env, PS1: 'ready> ', INPUTRC: '/dev/null' },
      columns: 120,
    });
    await terminal.waitFor('ready>');
    terminal.type(`cd ${work}; eval "$(tenant-users completion bash)"; echo set\\ up\r`);
    await terminal.waitFor(/^set up/m);
    terminal.type('tenant-users import-hashes leg\t');
    await terminal.waitFor('import-hashes legacy.csv');
    terminal.type('\x15tenant-users disable --from leav\t');
    await terminal.waitFor('--from leavers\\ list.txt');
    terminal.type('\x15tenant-users list --output=cs\t');
    await terminal.waitFor('list --output=csv');
    terminal.type('\x15echo nothing; tenant-users --profile \\$\t');
    await terminal.waitFor('--profile \\$\\(touch\\ pwned\\)');
    terminal.type('\x15tenant-users profiles use "two\t --json\r');
    await terminal.waitFor('{"current":"two words"}');
    terminal.type('tenant-users profiles use \\$\t --json\r');
    await terminal.waitFor('{"current":"$(touch pwned)"}');
    terminal.type('exit\r');
    await terminal.exited;
    expect(await readdir(work)).toEqual(['leavers list.txt', 'legacy.csv', 'users']);
  });
});

/** The other shells complete only on a terminal. */
const others = {
  zsh: {
    args: ['-f', '-i'],
    setUp: 'autoload -Uz compinit; compinit -u; eval "$(tenant-users completion zsh)"; print set\\ up',
  },
  fish: {
    args: ['--no-config', '-i'],
    setUp: 'tenant-users completion fish | source; echo set\\ up',
  },
} as const;

describe.skipIf(!hasShell('zsh'))('zsh', () => completesIn('zsh'));
describe.skipIf(!hasShell('fish'))('fish', () => completesIn('fish'));

function completesIn(shell: keyof typeof others): void {
  const { args, setUp } = others[shell];
  terminalTest('completion offers commands, files and names of every kind', async () => {
    const { env, work } = await startShellHome();
    const terminal = await startTerminal(args, {
      command: [shell],
      env: { ...env, PS1: 'ready> ' },
      columns: 120,
    });
    terminal.type(`cd ${work}; ${setUp}\r`);
    await terminal.waitFor(/^set up/m);
    terminal.type('tenant-users import-hashes leg\t');
    await terminal.waitFor('import-hashes legacy.csv');
    terminal.type('\x15tenant-users create --data=leg\t');
    await terminal.waitFor('--data=legacy.csv');
    terminal.type('\x15tenant-users list --output=cs\t');
    await terminal.waitFor('list --output=csv');
    for (const name of nastyNames) {
      terminal.type(`\x15tenant-users profiles use ${quoted(name.slice(0, 2))}\t --json\r`);
      await terminal.waitFor(`{"current":${JSON.stringify(name)}}`);
    }
    terminal.type('exit\r');
    await terminal.exited;
    expect(await readdir(work)).toEqual(['leavers list.txt', 'legacy.csv', 'users']);
  });
}

/** The beginning of a name as a person types it. */
function quoted(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '\\$&');
}
