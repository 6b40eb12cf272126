import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../world.ts';
import { startLoggedIn } from './start-logged-in.ts';
import { runProgram } from './start-program.ts';

interface Loaded {
  builtIns: string[];
  chunks: string[];
}

/** Modules of Node that each take about a millisecond to load, or more. */
const costly = [
  ...['assert', 'child_process', 'crypto', 'dns', 'fs/promises', 'http', 'http2', 'https', 'inspector'],
  ...['perf_hooks', 'readline', 'tls', 'tty', 'worker_threads', 'zlib'],
];

/** What a command loads on its way, modules of Node only where they are costly. */
async function loadedBy(args: string[], env: Record<string, string> = {}): Promise<Loaded> {
  const told = join(await temporaryDirectory(), 'loaded.json');
  const preload = join(import.meta.dirname, 'tell-loaded.cjs');
  const more = { ...env, TELL_LOADED: told, NODE_OPTIONS: `--require "${preload}"` };
  const { exitCode, stderr } = await runProgram(args, more);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { builtIns, chunks }: Loaded = JSON.parse(readFileSync(told, 'utf8'));
  return { builtIns: builtIns.filter((name) => costly.includes(name)), chunks };
}

test('what is answered before anything is loaded', async () => {
  for (const args of [['--version'], ['--help']])
    expect(await loadedBy(args), args.join(' ')).toEqual({ builtIns: [], chunks: [] });
});

test('a listing loads the client and nothing of Node that it could do without', async () => {
  const { file } = await startLoggedIn();
  expect(await loadedBy(['list', '--json'], { TENANT_USERS_CONFIG: file })).toEqual({
    builtIns: [],
    chunks: ['core', 'rolldown-runtime', 'program', 'client', 'undici'],
  });
});

test('a listing of the embedded service loads neither the way to another one nor what serves others', async () => {
  const database = join(await temporaryDirectory(), 'tenant.db');
  const list = ['list', '--json', '--local', database];
  await runProgram(list);
  const { builtIns, chunks } = await loadedBy(list);
  expect(builtIns).toEqual(['crypto', 'http', 'perf_hooks']);
  expect(chunks.filter((name) => ['commands', 'undici', 'open-service'].includes(name))).toEqual([
    'open-service',
  ]);
});

test('what all commands but a listing load has nothing in it that only some of them need', () => {
  const chunks = join(import.meta.dirname, '../../../dist/chunks');
  const withCommands = readdirSync(chunks).filter((name) => /^commands-.*\.cjs$/.test(name));
  expect(withCommands).toHaveLength(1);
  const code = readFileSync(join(chunks, String(withCommands[0])), 'utf8');
  expect(code).toContain('import-hashes');
  // The reader of CSV files, as its error codes tell.
  expect(code).not.toContain('CSV_');
});
