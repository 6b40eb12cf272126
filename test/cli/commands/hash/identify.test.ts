import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../../world.ts';
import { startTerminal, terminalTest } from '../../process/start-terminal.ts';

const md5 = createHash('md5').update('geheim').digest('hex');
const bcrypt = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const input = `${md5}\n\n${bcrypt}\r\n"${bcrypt}"\n$argon2id$v=19$m=65536$c2FsdA$aGFzaA\nwhat is this\n`;

async function startIdentify() {
  const { runWith, directory } = await startWorld();
  const identify = (stdin: string, ...args: string[]) =>
    runWith({ env: {}, stdin }, 'hash', 'identify', ...args);
  return { identify, directory };
}

const certain = { format: 'bcrypt $2b$, cost 10', sure: 'certain' };
const hashes = [
  {
    line: 1,
    kinds: [
      { algorithm: 'md5', format: 'MD5, hex', accepted: true, sure: 'likely' },
      { algorithm: null, format: 'NT hash or MD4, hex', accepted: false, sure: 'possible' },
    ],
    damage: [],
  },
  { line: 3, kinds: [{ algorithm: 'bcrypt', ...certain, accepted: true }], damage: [] },
  { line: 4, kinds: [{ algorithm: 'bcrypt', ...certain, accepted: false }], damage: ['VALUE_QUOTED'] },
  { line: 5, kinds: [{ algorithm: null, format: 'Argon2', accepted: false, sure: 'certain' }], damage: [] },
  { line: 6, kinds: [], damage: [] },
];

test('--json has what each line can be, by its number', async () => {
  const { identify } = await startIdentify();
  const { exitCode, stdout, stderr } = await identify(input, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({ hashes });
});

test('a file reads as standard input does', async () => {
  const { identify, directory } = await startIdentify();
  const file = join(directory, 'hashes.txt');
  await writeFile(file, `\uFEFF${input}`);
  expect(await identify('', file, '--json')).toEqual(await identify(input, '--json'));
  expect(await identify(input, '-', '--json')).toEqual(await identify(input, '--json'));
});

test('the table has a row for each thing that a line can be, and never the hash', async () => {
  const { identify } = await startIdentify();
  const { exitCode, stdout, stderr } = await identify(input);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: '5 hashes checked, 2 in a format that the API accepts\n',
  });
  expect(stdout).toMatch(/1 +│ md5 +│ MD5, hex +│ true +│ likely/);
  expect(stdout).toMatch(/4 +│ bcrypt +│ bcrypt \$2b\$, cost 10 +│ false +│ certain +│ VALUE_QUOTED/);
  expect(stdout).toMatch(/6 +│ +│ unknown format +│ false/);
  expect((await identify(input, '-o', 'csv')).stdout.split('\n')[1]).toBe('1,md5,"MD5, hex",true,likely,');
});

test('nothing of a line is shown, in any format', async () => {
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
])('%j %j: exit code 2', async (stdin, args, message) => {
  const { identify } = await startIdentify();
  const { exitCode, stdout, stderr } = await identify(stdin, ...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
});

terminalTest('asks on a terminal, and does not show what is typed', async () => {
  const terminal = await startTerminal(['hash', 'identify', '-o', 'csv'], { columns: 120 });
  await terminal.waitFor('Hash');
  terminal.type(`${md5}\r`);
  await terminal.waitFor('1,md5,"MD5, hex",true,likely,');
  expect((await terminal.exited).exitCode).toBe(0);
  expect(terminal.raw()).not.toContain(md5.slice(0, 6));
});
