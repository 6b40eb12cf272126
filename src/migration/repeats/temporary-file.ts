import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JobDirectoryError } from '../job-directory-error.ts';

/** A file without a name, of which every place can be written and read. */
export interface TemporaryFile {
  /** Fills the first `length` bytes with what stands at `position`, also in bytes, where all of it was written before. */
  read(words: Uint32Array, length: number, position: number): void;
  write(words: Uint32Array, position: number): void;
  close(): void;
}

/**
 * Makes a file in the system's directory for such files. It loses its name at once, so that the system removes it with the
 * process, however that ends. All throw a `JobDirectoryError` that names the directory when the system refuses.
 */
export function openTemporaryFile(): TemporaryFile {
  const directory = tmpdir();
  try {
    const name = join(directory, `tenant-users-${randomUUID()}`);
    const file = openSync(name, 'wx+', 0o600);
    unlinkSync(name);
    return {
      read(words, length, position) {
        try {
          if (readSync(file, words, 0, length, position) < length) throw new Error('it was cut short');
        } catch (failure) {
          throw unusable(directory, failure);
        }
      },
      write(words, position) {
        try {
          // A disk that is almost full takes a part first, and says only the next time that it is full.
          for (let done = 0; done < words.byteLength; ) {
            done += writeSync(file, words, done, words.byteLength - done, position + done);
          }
        } catch (failure) {
          throw unusable(directory, failure);
        }
      },
      close: () => closeSync(file),
    };
  } catch (failure) {
    throw unusable(directory, failure);
  }
}

function unusable(directory: string, failure: unknown): JobDirectoryError {
  const reason = failure instanceof Error ? failure.message : 'no reason given';
  return new JobDirectoryError(
    directory,
    `the temporary file for the search for repeated keys cannot be kept there (${reason})`,
    'Make room, or name another directory with TMPDIR (TEMP on Windows); then run the same command again.',
  );
}
