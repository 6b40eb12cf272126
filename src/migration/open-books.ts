import { type FileHandle, lstat, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { JobDirectoryError } from './job-directory-error.ts';
import type { Outcome } from './outcome.ts';
import type { Summary } from './summary.ts';

/** What a run leaves in its job directory. */
const books = { users: 'users.csv', failures: 'failures.csv', summary: 'summary.json' } as const;

const columns = {
  users: ['row', 'user_name', 'external_id', 'user_id'],
  failures: ['row', 'line', 'user_name', 'external_id', 'code', 'message', 'hint'],
} as const;

/** The books of a run under way. */
export interface Books {
  /** Enters an outcome; when a promise is returned, wait for it before the next one. */
  enter(outcome: Outcome): Promise<unknown> | undefined;
  /** Completes all three books. */
  close(summary: Summary): Promise<void>;
  /** Completes the two lists after a failure. */
  abandon(): Promise<void>;
}

/**
 * Throws a `JobDirectoryError` when the directory holds the books of an earlier run, or is none. Those of a dry run,
 * which wrote nothing anywhere, are removed.
 */
export async function refuseUsedDirectory(directory: string): Promise<void> {
  if (await holdsDryRun(directory)) {
    for (const name of Object.values(books)) await rm(join(directory, name), { force: true });
  }
  for (const name of Object.values(books)) {
    try {
      await lstat(join(directory, name));
    } catch (failure) {
      if (codeOf(failure) === 'ENOENT') continue;
      throw writeFailure(directory, failure);
    }
    throw holdsBooks(directory);
  }
}

async function holdsDryRun(directory: string): Promise<boolean> {
  try {
    const summary: Partial<Summary> = JSON.parse(await readFile(join(directory, books.summary), 'utf8'));
    return summary.dry_run === true && summary.created === 0;
  } catch {
    return false;
  }
}

/** Makes the directory (0700) where it is missing, and the two lists (0600). Throws a `JobDirectoryError`. */
export async function openBooks(directory: string): Promise<Books> {
  const users = await openList(directory, 'users');
  const failures = await openList(directory, 'failures');

  async function closeLists(): Promise<void> {
    await Promise.all([users.close(), failures.close()]);
  }

  return {
    enter(outcome) {
      if (outcome.result === 'pending') return undefined;
      const { row, userName, externalId } = outcome;
      if (outcome.result === 'created') return users.enter([row, userName, externalId, outcome.userId]);
      const { line, code, message, hint } = outcome;
      return failures.enter([row, line, userName, externalId, code, message, hint]);
    },
    async close(summary) {
      await closeLists();
      const text = `${JSON.stringify(summary, null, 2)}\n`;
      const file = join(directory, books.summary);
      await writeFile(file, text, { flag: 'wx', mode: 0o600 }).catch((failure) => {
        throw writeFailure(directory, failure);
      });
    },
    abandon: closeLists,
  };
}

type Cells = readonly (string | number | undefined)[];

async function openList(directory: string, list: keyof typeof columns) {
  const file = await createFile(directory, books[list]);
  const rows = stringify({ header: true, columns: [...columns[list]], writableHighWaterMark: 256 });
  const written = pipeline(rows, file.createWriteStream()).catch((failure) => {
    const fault = `writing the books failed (${codeOf(failure)}); the last users created may be in no list`;
    throw new JobDirectoryError(directory, fault);
  });
  // Met by whoever enters or closes next; until then it must not end the process.
  written.catch(() => {});
  const drained = () => new Promise<unknown>((resolve) => rows.once('drain', resolve));
  return {
    enter: (cells: Cells) => (rows.write(cells) ? undefined : Promise.race([drained(), written])),
    async close() {
      rows.end();
      await written;
    },
  };
}

async function createFile(directory: string, name: string): Promise<FileHandle> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return await open(join(directory, name), 'wx', 0o600);
  } catch (failure) {
    throw writeFailure(directory, failure);
  }
}

function holdsBooks(directory: string): JobDirectoryError {
  const fault =
    'the directory holds the books of an earlier import, which are kept; name another job directory';
  return new JobDirectoryError(directory, fault);
}

function writeFailure(directory: string, failure: unknown): JobDirectoryError {
  const code = codeOf(failure);
  if (code === 'EEXIST') return holdsBooks(directory);
  if (code === 'ENOTDIR') return new JobDirectoryError(directory, 'this is no directory; name another one');
  return new JobDirectoryError(
    directory,
    `the books cannot be written there (${code}); name another directory`,
  );
}

function codeOf(failure: unknown): string {
  return failure instanceof Error && 'code' in failure ? String(failure.code) : 'no reason given';
}
