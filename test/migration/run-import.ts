import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { ApiError } from '../../src/client/errors.ts';
import { errorCatalogue } from '../../src/contract/errors.ts';
import type { HashedUser } from '../../src/contract/wire.ts';
import { type ImportOptions, importUsers } from '../../src/migration/import-users.ts';
import type { JobResult } from '../../src/migration/open-run.ts';
import type { ImportClient } from '../../src/migration/send/import-row.ts';

/** A client for an import, and the rows that were sent, in order. */
interface Recorder extends ImportClient {
  sent: HashedUser[];
}

/**
 * Accepts every row unless `answer` throws, for tests of what is read from a file or written to a job. It is not a
 * tenant: it has no users and finds none. Tests of how a tenant handles a row use `startTenant`.
 */
export function recordingClient(answer: (user: HashedUser, number: number) => unknown = () => {}): Recorder {
  const sent: HashedUser[] = [];
  const { code, message } = errorCatalogue.userNotFound;
  const findNobody = () => Promise.reject(new ApiError(code, message, 400));
  return {
    retries: false,
    sent,
    async importHashedUser(user) {
      const number = sent.push(user);
      await answer(user, number);
      return { user_id: `id-${number}` };
    },
    getUser: findNobody,
    disableUser: async (user_id) => ({ user_id }),
    getUserByUserName: findNobody,
    getUserByEmail: findNobody,
    getUserByMobile: findNobody,
    getUserByExternalId: findNobody,
  };
}

/** The result of an import and its files. */
export interface Run extends JobResult {
  sent: HashedUser[];
  users: Record<string, string>[];
  failures: Record<string, string>[];
  /** All files of the import as one text. */
  written: string;
}

/** `importUsers`, with a target and a version that do not matter. */
export function importFile(
  client: ImportClient,
  options: Omit<ImportOptions, 'target' | 'version'>,
): Promise<JobResult> {
  return importUsers(client, { target: { base_url: 'memory' }, version: '1.0.0', ...options });
}

/** Imports a file of this content in its own directory, which is deleted afterwards. */
export async function runImport(
  content: string | Uint8Array,
  options: Partial<ImportOptions> = {},
  client: ImportClient & Partial<Recorder> = recordingClient(),
): Promise<Run> {
  const directory = mkdtempSync(join(tmpdir(), 'import-'));
  const jobDirectory = join(directory, 'job');
  try {
    const file = join(directory, 'users.csv');
    writeFileSync(file, content);
    const result = await importFile(client, { file, jobDirectory, ...options });
    const texts = readBooks(jobDirectory);
    return {
      ...result,
      sent: client.sent ?? [],
      users: rowsOf(texts['users.csv']),
      failures: rowsOf(texts['failures.csv']),
      written: Object.values(texts).join('\n'),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Runs `use` in an empty directory, which is deleted afterwards. */
export async function inDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'import-'));
  try {
    await use(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function readBooks(directory: string): Record<string, string> {
  const names = readdirSync(directory);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(directory, name), 'utf8')]));
}

function rowsOf(text = ''): Record<string, string>[] {
  return parse(text, { columns: true });
}
