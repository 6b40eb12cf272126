import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../world.ts';
import { startLoggedIn } from './start-logged-in.ts';

const root = resolve(import.meta.dirname, '../../..');

/** A copy of the program that has never been run. */
async function copyProgram() {
  const directory = await temporaryDirectory();
  const kept = join(root, 'dist/cache');
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(root, name), join(directory, name), {
      recursive: true,
      filter: (path) => !path.startsWith(kept),
    });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  const cache = join(directory, `dist/cache/${process.version}-${process.arch}`);
  const env = { PATH: process.env.PATH, HOME: directory };
  async function runWith(flags: readonly string[], ...args: string[]) {
    const command = [...flags, join(directory, 'bin/tenant-users.js'), ...args];
    return (await promisify(execFile)(process.execPath, command, { env })).stdout;
  }
  return {
    directory,
    cache,
    run: (...args: string[]) => runWith([], ...args),
    /** The same with options of Node or V8. */
    runWith,
    /** The identity of each file: a file that is written again gets a new one. */
    files: () =>
      readdirSync(cache)
        .filter((name) => name.endsWith('.code'))
        .map((name) => [name, statSync(join(cache, name)).ino] as const),
  };
}

test('compiled code is stored, and used as long as it fits', async () => {
  const { run, files, cache } = await copyProgram();
  const said = await run('explain', '7');
  expect(said).toContain('7: Partly done');
  const first = files();
  expect(first.map(([name]) => name)).toContainEqual(expect.stringMatching(/^core-[\w-]{8}\.cjs\.code$/));
  expect(await run('explain', '7')).toBe(said);
  expect(files(), 'taken').toEqual(first);
  const [[one = ''] = [], [other = ''] = []] = first;
  writeFileSync(join(cache, one), 'damaged');
  writeFileSync(join(cache, other), readFileSync(join(cache, other)).subarray(0, 1000));
  expect(await run('explain', '7')).toBe(said);
  const changed = files().filter(([, ino], index) => ino !== first[index]?.[1]);
  expect(changed.map(([name]) => name)).toEqual([one, other]);
});

test('the program is read whole from a file system that returns less than was asked for', async () => {
  const { runWith } = await copyProgram();
  const short = ['--require', join(import.meta.dirname, 'short-reads.cjs')];
  expect(await runWith(short, 'explain', '7')).toContain('7: Partly done');
});

test('the code of a command is added the first time that it runs', async () => {
  const { run, files } = await copyProgram();
  await run('explain', '7');
  const first = files();
  await run('schema', 'users', 'list');
  const second = files();
  const core = (all: typeof first) => all.find(([name]) => name.startsWith('core-'));
  expect(core(second)).not.toEqual(core(first));
  await run('schema', 'users', 'list');
  await run('explain', '3');
  expect(files()).toEqual(second);
});

test('code is used again after a command that has compiled the parser of HTTP with other options of V8', async () => {
  const { run, files } = await copyProgram();
  const { file } = await startLoggedIn();
  const said = await run('list', '--json', '--config', file);
  const first = files();
  expect(first.map(([name]) => name)).toContainEqual(expect.stringMatching(/^undici-/));
  expect(await run('list', '--json', '--config', file)).toBe(said);
  expect(files()).toEqual(first);
});

/** Writes a file of 40 users. */
function writeUsers(directory: string): string {
  const users = join(directory, 'users.csv');
  const row = (_: unknown, index: number) => `user-${index},md5,5f4dcc3b5aa765d61d8327deb882cf99`;
  writeFileSync(users, ['user_name,algorithm,hash', ...Array.from({ length: 40 }, row)].join('\n'));
  return users;
}

test('the parser of HTTP is compiled once, and not optimised, not even in an import', async () => {
  const { directory, runWith } = await copyProgram();
  const { file } = await startLoggedIn();
  const job = join(directory, 'job');
  const imported = ['import-hashes', writeUsers(directory), '--config', file, '--yes', '--job', job];
  const said = await runWith(['--trace-wasm-compilation-times'], ...imported);
  expect(said).toContain('using Liftoff');
  expect(said).not.toContain('using TurboFan');
  expect(readdirSync(job)).toContain('report.html');
});

test('an import writes its records even if the program was deleted while it ran', async () => {
  const { run, directory } = await copyProgram();
  const { file, tell } = await startLoggedIn();
  const job = join(directory, 'job');
  const sent = [writeUsers(directory), '--config', file, '--rate', '20/s'];
  const imported = run('import-hashes', ...sent, '--yes', '--job', job);
  const shown = async () => JSON.parse((await tell('list', '--json', '--config', file)).stdout).total;
  // At 20 a second this takes more than a second, after which the command no longer needs its files.
  await expect.poll(shown, { timeout: 10_000 }).toBeGreaterThan(30);
  rmSync(join(directory, 'dist'), { recursive: true });
  expect(await imported).toContain('40');
  expect(readdirSync(job)).toContain('report.html');
});

test.runIf(process.platform !== 'win32')(
  'code in a directory that others can write to is neither used nor written',
  async () => {
    const { run, cache } = await copyProgram();
    const said = await run('explain', '7');
    chmodSync(cache, 0o777);
    const [name = ''] = readdirSync(cache);
    writeFileSync(join(cache, name), 'of another');
    expect(await run('explain', '7')).toBe(said);
    expect(readFileSync(join(cache, name), 'utf8')).toBe('of another');
  },
);
