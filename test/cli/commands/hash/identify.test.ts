import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutService } from '../../../world.ts';
import { openTerminal } from '../../process/open-terminal.ts';
import { terminalTest } from '../../process/start-terminal.ts';

const md5 = createHash('md5').update('geheim').digest('hex');
const bcrypt = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const input = `${md5}\n\n${bcrypt}\r\n"${bcrypt}"\n$argon2id$v=19$m=65536$c2FsdA$aGFzaA\nwhat is this\n`;

async function startIdentify() {
  const { runWith, directory } = await withoutService();
  const identify = (stdin: string, ...args: string[]) =>
    runWith({ env: {}, stdin }, 'hash', 'identify', ...args);
  return { identify, directory };
}

const taken = { use: 'as-is', remedy: expect.stringContaining('canary') };
const certain = { format: 'bcrypt $2b$, cost 10', sure: 'certain' };
const hashes = [
  {
    line: 1,
    kinds: [
      { algorithm: 'md5', format: 'MD5, hex', accepted: true, sure: 'likely' },
      { algorithm: null, format: 'NT hash or MD4, hex', accepted: false, sure: 'possible' },
    ],
    damage: [],
    ...taken,
  },
  { line: 3, kinds: [{ algorithm: 'bcrypt', ...certain, accepted: true }], damage: [], ...taken },
  {
    line: 4,
    kinds: [{ algorithm: 'bcrypt', ...certain, accepted: false }],
    damage: ['VALUE_QUOTED'],
    use: 'no',
    remedy: expect.stringContaining('without what was added to it'),
  },
  {
    line: 5,
    kinds: [{ algorithm: null, format: 'Argon2', accepted: false, sure: 'certain' }],
    damage: [],
    use: 'no',
    remedy: expect.stringContaining('--foreign-hashes passwordless'),
  },
  { line: 6, kinds: [], damage: [], use: 'unknown', remedy: expect.stringContaining('may be a password') },
];

test('--json has everything that each line can be, with the number of the line', async () => {
  const { identify } = await startIdentify();
  const { exitCode, stdout, stderr } = await identify(input, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({ hashes });
});

test('a file gives the same result as standard input', async () => {
  const { identify, directory } = await startIdentify();
  const file = join(directory, 'hashes.txt');
  await writeFile(file, `\uFEFF${input}`);
  expect(await identify('', file, '--json')).toEqual(await identify(input, '--json'));
  expect(await identify(input, '-', '--json')).toEqual(await identify(input, '--json'));
});

test('the table has a row for each thing that a line can be, and never contains the hash', async () => {
  const { identify } = await startIdentify();
  const { exitCode, stdout, stderr } = await identify(input);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: '5 hashes checked, 2 in a format that the API accepts\n',
  });
  expect(stdout).toMatch(/1 +│ md5 +│ MD5, hex +│ likely +│ as-is/);
  expect((await identify(`${md5}\n`)).stderr).toBe('1 hash checked, 1 in a format that the API accepts\n');
  expect(stdout).toMatch(/4 +│ bcrypt +│ bcrypt \$2b\$, cost 10 +│ certain +│ no +│ VALUE_QUOTED/);
  expect(stdout).toMatch(/6 +│ +│ unknown format +│ +│ unknown/);
  expect((await identify(input, '-o', 'csv')).stdout.split('\n')[1]).toBe('1,md5,"MD5, hex",likely,as-is,');
});

test('many hashes are counted by format, with the first lines of each', async () => {
  const { identify } = await startIdentify();
  const many = [...Array(60).fill(bcrypt), ...Array(40).fill(md5), ...Array(5).fill('{SSHA}c2FsdA=='), ' x'];
  const { exitCode, stdout, stderr } = await identify(many.join('\n'));
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: '106 hashes checked, 100 in a format that the API accepts\n',
  });
  const cells = stdout.split('\n').map((line) =>
    line
      .split('│')
      .map((cell) => cell.trim())
      .join('|'),
  );
  expect(cells.slice(3, 7)).toEqual([
    '|60|bcrypt $2b$, cost 10|as-is||1, 2, 3|',
    '|40|MD5, hex or NT hash or MD4, hex|as-is||61, 62, 63|',
    '|5|salted digest (LDAP)|no||101, 102, 103|',
    '|1|unknown format|unknown||106|',
  ]);
  const lines = await identify(many.join('\n'), '--columns', 'line,use');
  expect(lines.stdout.split('\n').filter((line) => line.includes('│ as-is'))).toHaveLength(100);
  expect(JSON.parse((await identify(many.join('\n'), '--json')).stdout).hashes).toHaveLength(106);
});

test('--csv reads the hashes from a file as an import reads it', async () => {
  const { identify, directory } = await startIdentify();
  const file = join(directory, 'legacy.csv');
  await writeFile(file, `login;pwd;note\n"ann;x";${md5};"a\nb"\nbob;${bcrypt};\ncid;;\n`);
  const { stdout, stderr } = await identify('', '--csv', file, '--map', 'hash=pwd', '-o', 'csv');
  expect(stderr).toBe('2 hashes checked, 2 in a format that the API accepts\n');
  expect(stdout.split('\n').slice(1)).toEqual([
    '2,md5,"MD5, hex",likely,as-is,',
    '2,,"NT hash or MD4, hex",possible,no,',
    '4,bcrypt,"bcrypt $2b$, cost 10",certain,as-is,',
    '',
  ]);
  const unmapped = await identify('', '--csv', file);
  expect(unmapped).toMatchObject({ exitCode: 2, stdout: '' });
  expect(unmapped.stderr).toContain('--map user_name=login');
  for (const args of [
    ['--map', 'hash=pwd'],
    [file, '--csv', file],
  ]) {
    expect(await identify(md5, ...args)).toMatchObject({ exitCode: 2, stdout: '' });
  }
});

test('a signal ends the command between two hashes', async () => {
  const { runWith } = await withoutService();
  const stop = new AbortController();
  const stdin = `${md5}\n`.repeat(20_000);
  const running = runWith({ env: {}, stdin, signal: stop.signal }, 'hash', 'identify', '--json');
  setImmediate(() => stop.abort('SIGTERM'));
  expect(await running).toMatchObject({ exitCode: 143, stdout: '' });
});

test('no part of a line is shown, in any format', async () => {
  const { identify } = await startIdentify();
  for (const format of ['table', 'json', 'jsonl', 'csv']) {
    const { stdout, stderr } = await identify(input, '-o', format);
    for (const secret of [md5.slice(0, 8), bcrypt.slice(7, 15), 'c2FsdA', 'what is']) {
      expect(stdout + stderr).not.toContain(secret);
    }
  }
});

test.each([
  ['', [], 'no hashes given'],
  ['', ['/nowhere'], '/nowhere cannot be read'],
])('%j %j ends with exit code 2', async (stdin, args, message) => {
  const { identify } = await startIdentify();
  const { exitCode, stdout, stderr } = await identify(stdin, ...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
});

terminalTest('without input, the command asks on a terminal, and does not show what is typed', async () => {
  const terminal = await openTerminal(['hash', 'identify', '-o', 'csv'], { columns: 120 });
  await terminal.waitFor('Hash');
  terminal.type(`${md5}\r`);
  await terminal.waitFor('1,md5,"MD5, hex",likely,as-is,');
  expect((await terminal.exited).exitCode).toBe(0);
  expect(terminal.raw()).not.toContain(md5.slice(0, 6));
});
