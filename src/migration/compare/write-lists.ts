import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { errorCode } from '../../text/error-code.ts';
import { JobDirectoryError } from '../model/errors.ts';

/** Several CSV files that are written side by side, and take their names together when all are complete. */
export interface ListWriter<Name extends string> {
  /** Adds a line; it is written with others. */
  add(name: Name, line: readonly (string | number | undefined)[]): void;
  /** Writes what was added; to be awaited between lists of rows, so that memory stays flat. */
  flush(): Promise<void>;
  /** Gives the files their names. */
  complete(): Promise<void>;
  /** Gives the files up, where they were not completed. */
  close(): Promise<void>;
}

/** Opens the lists in a directory, which is made where it is missing, for their owner's eyes (0600). */
export async function openLists<Name extends string>(
  directory: string,
  headers: Readonly<Record<Name, readonly string[]>>,
): Promise<ListWriter<Name>> {
  const names = Object.keys(headers) as Name[];
  const files = new Map<Name, FileHandle>();
  const waiting = new Map<Name, (readonly (string | number | undefined)[])[]>();
  const pathOf = (name: Name) => join(directory, `${name}.csv`);
  const close = async () => {
    for (const file of files.values()) await file.close();
    files.clear();
  };
  const writer: ListWriter<Name> = {
    add: (name, line) => void waiting.get(name)?.push(line),
    async flush() {
      for (const [name, lines] of waiting) {
        if (lines.length > 0) await files.get(name)?.writeFile(stringify(lines.splice(0)));
      }
    },
    async complete() {
      await writer.flush();
      await close();
      for (const name of names) await rename(`${pathOf(name)}.new`, pathOf(name));
    },
    async close() {
      await close();
      for (const name of names) await rm(`${pathOf(name)}.new`, { force: true });
    },
  };
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const name of names) {
      files.set(name, await open(`${pathOf(name)}.new`, 'w', 0o600));
      waiting.set(name, [headers[name]]);
    }
  } catch (failure) {
    await close();
    const code = errorCode(failure);
    if (code === undefined) throw failure;
    throw new JobDirectoryError(
      directory,
      `the lists cannot be written there (${code})`,
      'Name another directory with --to.',
    );
  }
  return writer;
}
