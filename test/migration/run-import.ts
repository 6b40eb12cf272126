import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { ApiError } from '../../src/client/errors.ts';
import { errorCatalogue } from '../../src/contract/errors.ts';
import type { HashedUser, User } from '../../src/contract/wire.ts';
import { type ImportOptions, type ImportResult, importUsers } from '../../src/migration/import-users.ts';
import type { ImportClient } from '../../src/migration/send/import-row.ts';

/** A service in memory: keeps what it was sent, in order, and answers as `answer` says. */
export interface MemoryClient extends ImportClient {
  sent: HashedUser[];
  /** Who is there, by their user ids. */
  users: Map<string, HashedUser>;
}

/** Makes a client; by default each user is created, with its number as the user id. */
export function memoryClient(answer: (user: HashedUser, number: number) => unknown = () => {}): MemoryClient {
  const sent: HashedUser[] = [];
  const users = new Map<string, HashedUser>();
  const findBy = (field: 'user_name' | 'email' | 'mobile' | 'external_id') => async (value: string) => {
    const found = [...users].find(([, user]) => user[field] === value);
    if (!found)
      throw new ApiError(errorCatalogue.userNotFound.code, errorCatalogue.userNotFound.message, 400);
    const [user_id, { 'hash-pwd': _, ...values }] = found;
    const times = { created_at: '2026-01-01 00:00:00', updated_at: '2026-01-01 00:00:00' };
    const user: User = {
      user_name: user_id,
      ...values,
      user_id,
      ...times,
      disabled: false,
      usr_auth_times: '0',
    };
    return user;
  };
  return {
    retries: false,
    sent,
    users,
    async importHashedUser(user) {
      const number = sent.push(user);
      await answer(user, number);
      users.set(`id-${number}`, user);
      return { user_id: `id-${number}` };
    },
    getUserByUserName: findBy('user_name'),
    getUserByEmail: findBy('email'),
    getUserByMobile: findBy('mobile'),
    getUserByExternalId: findBy('external_id'),
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

/** `importHashes` into a tenant in memory. */
export function importFile(
  client: ImportClient,
  options: Omit<ImportOptions, 'target' | 'version'>,
): Promise<ImportResult> {
  return importUsers(client, { target: { base_url: 'memory' }, version: '1.0.0', ...options });
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
    const result = await importFile(client, { file, jobDirectory, ...options });
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
