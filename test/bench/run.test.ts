import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

type Ended = { exitCode: unknown; stdout: string; stderr: string };

function bench(...args: string[]): Promise<Ended> {
  return runProgram('run.mjs', args);
}

function runProgram(name: string, args: string[]): Promise<Ended> {
  const program = new URL(`../../bench/${name}`, import.meta.url).pathname;
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], (failure, stdout, stderr) =>
      resolve({ exitCode: failure?.code ?? 0, stdout, stderr }),
    );
  });
}

test.each([
  [[], 'Name one bench, or all'],
  [['import', 'list'], 'Name one bench, or all'],
  [['listing'], 'There is no bench "listing"'],
  [['import', '--rows', '1e3'], '--rows takes a whole number from 1, not "1e3"'],
  [['soak', '--minutes', '0'], '--minutes takes a whole number from 1, not "0"'],
  [['import', '--round', '1'], "Unknown option '--round'"],
  [['import', '--database', 'users.db'], '--database takes "postgres", for a server of its own, or the URL'],
  [
    ['rate-limit', '--only', 'premit', '--json'],
    '--only knows permit, speed, limits, changes, waiters, not "premit"',
  ],
])('%j is wrong usage', async (args, message) => {
  const { exitCode, stdout, stderr } = await bench(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr.startsWith(message)).toBe(true);
  expect(stderr).toContain('\nBenches: all, startup, import,');
});

test('--help prints the benches and their options', async () => {
  const { exitCode, stdout, stderr } = await bench('--help');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^Benches: all, startup, import,.*\n {2}--rows N /);
});

test('a bench prints its rows as one document, and its exit code says whether all goals are reached', async () => {
  const { exitCode, stdout, stderr } = await bench('startup', '--runs', '1', '--json');
  const { rows, ...about } = JSON.parse(stdout);
  expect(about).toMatchObject({ bench: 'startup', node: process.version, database: 'SQLite' });
  expect(rows.map(({ what }: { what: string }) => what)).toEqual([
    '--version, against node -e 0',
    '--help, against node -e 0',
    'list --json, against node -e 0',
    'list --json --local, against node -e 0',
  ]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: rows.every(({ holds }: { holds: boolean }) => holds) ? 0 : 1,
    stderr: '',
  });
});

test('the bench of imports works, also without a journal, in whose place it has one of its own', async () => {
  const { stdout } = await bench('import', '--rows', '100', '--rounds', '1', '--json');
  const ours = JSON.parse(stdout).rows.map((row: { ours: number }) => row.ours > 0);
  expect(ours).toEqual([true, true, true, true]);
});

test.each([
  [['--help'], 0, ''],
  [['--kill', '3'], 2, "Unknown option '--kill'"],
  [['--what', 'exports'], 2, '--what must be one of import, corrected, plan, ramp, undo'],
  [['--victim', 'me'], 2, '--victim must be one of importer, service'],
  [['--rows', '1e3'], 2, '--rows must be a whole number'],
])('torture %j prints its options', async (args, exitCode, message) => {
  const ended = await runProgram('torture/run.mjs', args);
  expect(ended.exitCode).toBe(exitCode);
  const text = exitCode === 0 ? ended.stdout : ended.stderr;
  expect(text.startsWith(message)).toBe(true);
  expect(text).toContain('npm run torture -- [options]\n  --kills N');
  expect(text).not.toContain('    at ');
});

test('the page on performance has a row for each bench', async () => {
  const page = await readFile(new URL('../../docs/internals/performance.md', import.meta.url), 'utf8');
  const [, rows = ''] = /\n\| bench \|.*\n\|---.*\n((?:\|.*\n)+)/.exec(page) ?? [];
  const listed = rows.split('\n').flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w-]+)`/g)]);
  const { stderr } = await bench();
  const benches = /^Benches: all, (.*)$/m.exec(stderr)?.[1]?.split(', ');
  expect(listed.map(([, name]) => name).sort()).toEqual(benches?.sort());
});
