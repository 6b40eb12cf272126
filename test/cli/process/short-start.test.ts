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

/** Modules of Node that each take about a millisecond or more to load. */
const costly = [
  ...['assert', 'child_process', 'crypto', 'dns', 'fs/promises', 'http', 'http2', 'https', 'inspector'],
  ...['perf_hooks', 'readline', 'tls', 'tty', 'worker_threads', 'zlib'],
];

/** The files that a command loads, and those modules of Node that are costly. */
async function loadedBy(args: string[], env: Record<string, string> = {}): Promise<Loaded> {
  const told = join(await temporaryDirectory(), 'loaded.json');
  const preload = join(import.meta.dirname, 'tell-loaded.cjs');
  const more = { ...env, TELL_LOADED: told, NODE_OPTIONS: `--require "${preload}"` };
  const { exitCode, stderr } = await runProgram(args, more);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { builtIns, chunks }: Loaded = JSON.parse(readFileSync(told, 'utf8'));
  return { builtIns: builtIns.filter((name) => costly.includes(name)), chunks };
}

test('help and version are printed before any module is loaded', async () => {
  for (const args of [['--version'], ['--help']])
    expect(await loadedBy(args), args.join(' ')).toEqual({ builtIns: [], chunks: [] });
});

test('list loads only the client, and no costly module of Node', async () => {
  const { file } = await startLoggedIn();
  expect(await loadedBy(['list', '--json'], { TENANT_USERS_CONFIG: file })).toEqual({
    builtIns: [],
    chunks: ['core', 'rolldown-runtime', 'program', 'client', 'undici'],
  });
});

test('list with the embedded service loads neither the HTTP client nor the server', async () => {
  const database = join(await temporaryDirectory(), 'tenant.db');
  const list = ['list', '--json', '--local', database];
  await runProgram(list);
  const { builtIns, chunks } = await loadedBy(list);
  expect(builtIns).toEqual(['crypto', 'http', 'perf_hooks']);
  expect(chunks.filter((name) => ['commands', 'undici', 'open-service'].includes(name))).toEqual([
    'open-service',
  ]);
});

test('the code that all commands but list load contains nothing that only some of them need', () => {
  const chunks = join(import.meta.dirname, '../../../dist/chunks');
  const withCommands = readdirSync(chunks).filter((name) => /^commands-.*\.cjs$/.test(name));
  expect(withCommands).toHaveLength(1);
  const code = readFileSync(join(chunks, String(withCommands[0])), 'utf8');
  expect(code).toContain('import-hashes');
  // The CSV reader, which is recognised by its error codes.
  expect(code).not.toContain('CSV_');
});
