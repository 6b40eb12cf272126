import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { HashedUser, UserReference } from '../../src/contract/wire.ts';
import { type ImportOptions, type ImportResult, importHashes } from '../../src/migration/import-hashes.ts';

/** A service in memory: keeps what it was sent, in order, and answers as `answer` says. */
export interface MemoryClient {
  sent: HashedUser[];
  importHashedUser(user: HashedUser): Promise<UserReference>;
}

/** Makes a client; by default each user is created, with its number as the user id. */
export function memoryClient(answer: (user: HashedUser, number: number) => unknown = () => {}): MemoryClient {
  const sent: HashedUser[] = [];
  return {
    sent,
    async importHashedUser(user) {
      const number = sent.push(user);
      await answer(user, number);
      return { user_id: `id-${number}` };
    },
  };
}

/** What an import left behind. */
export interface Run extends ImportResult {
  sent: HashedUser[];
  users: Record<string, string>[];
  failures: Record<string, string>[];
  /** Everything it wrote, as one text. */
  written: string;
}

/** Imports a file of this content in a directory of its own, which is gone afterwards. */
export async function runImport(
  content: string | Uint8Array,
  options: Partial<ImportOptions> = {},
  client = memoryClient(),
): Promise<Run> {
  const directory = await mkdtemp(join(tmpdir(), 'import-'));
  const jobDirectory = join(directory, 'job');
  try {
    const file = join(directory, 'users.csv');
    await writeFile(file, content);
    const result = await importHashes(client, { file, jobDirectory, ...options });
    const texts = await readBooks(jobDirectory);
    return {
      ...result,
      sent: client.sent,
      users: rowsOf(texts['users.csv']),
      failures: rowsOf(texts['failures.csv']),
      written: Object.values(texts).join('\n'),
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Runs `use` in an empty directory, which is gone afterwards. */
export async function inDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'import-'));
  try {
    await use(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function readBooks(directory: string): Promise<Record<string, string>> {
  const names = await readdir(directory);
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}

function rowsOf(text = ''): Record<string, string>[] {
  return parse(text, { columns: true });
}
