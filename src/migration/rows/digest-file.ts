import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JobDirectoryError } from '../model/errors.ts';

/** Words of a slot: both halves of a key's digest, and the row that had it first; 0 where the slot is free. */
export const slotWords = 3;

/** Part of the slots that is in use at most: beyond it the ways to a free one get long. */
export const fullest = 0.75;

/** The slot, of `size`, from which on a key is sought. Keys in the order of their slots are so in a table of any size. */
function homeOf(low: number, size: number): number {
  return Math.floor(low * (size / 2 ** 32));
}

/**
 * Finds a key in a table of `size` slots that begins at slot `from`: the index of the first word of its slot, or of
 * the free one in which it belongs. One at least must be free.
 */
export function slotOf(slots: Uint32Array, from: number, size: number, high: number, low: number): number {
  const end = (from + size) * slotWords;
  let at = (from + homeOf(low, size)) * slotWords;
  while (slots[at + 2] !== 0 && (slots[at] !== high || slots[at + 1] !== low)) {
    at += slotWords;
    if (at === end) at = from * slotWords;
  }
  return at;
}

/** Keys in a temporary file, in tables of equal size. */
export interface DigestFile {
  /** Adds to a table the keys of these slots, none of which it has yet. */
  add(table: number, slots: Uint32Array): void;
  /** The row that had the key first; 0 when the table does not have it. */
  rowOf(table: number, high: number, low: number): number;
  close(): void;
}

/** Slots that are read for one key: 768 bytes, in which it is found but for one key in thousands. */
const slotsAtOnce = 64;
const slotBytes = slotWords * Uint32Array.BYTES_PER_ELEMENT;

/**
 * Opens tables for so many keys in all, which their digests spread over them. There is no file before the first key. Throws a
 * `JobDirectoryError` when there cannot be one, and a `RangeError` when a table is given more keys than chance can give it.
 */
export function openDigestFile(keys: number, tables: number): DigestFile {
  const mean = keys / tables;
  // Eight standard deviations above the mean.
  const size = Math.ceil((mean + 8 * Math.sqrt(mean) + 8) / fullest);
  const held = new Uint32Array(tables);
  const window = new Uint32Array(slotsAtOnce * slotWords);
  let whole = new Uint32Array(0);
  let file: TemporaryFile | undefined;

  return {
    add(table, slots) {
      if (file === undefined) {
        file = openTemporaryFile();
        whole = new Uint32Array(size * slotWords);
      }
      const position = table * size * slotBytes;
      let count = held[table] ?? 0;
      if (count === 0) whole.fill(0);
      else file.read(whole, whole.byteLength, position);
      for (let from = 0; from < slots.length; from += slotWords) {
        if (slots[from + 2] === 0) continue;
        count += 1;
        if (count >= size) throw new RangeError('more keys than the table has room for');
        const at = slotOf(whole, 0, size, slots[from] ?? 0, slots[from + 1] ?? 0);
        for (let word = 0; word < slotWords; word += 1) whole[at + word] = slots[from + word] ?? 0;
      }
      held[table] = count;
      file.write(whole, position);
    },
    rowOf(table, high, low) {
      if (file === undefined || held[table] === 0) return 0;
      for (let slot = homeOf(low, size); ; ) {
        const count = Math.min(slotsAtOnce, size - slot);
        file.read(window, count * slotBytes, (table * size + slot) * slotBytes);
        for (let at = 0; at < count * slotWords; at += slotWords) {
          const row = window[at + 2] ?? 0;
          if (row === 0 || (window[at] === high && window[at + 1] === low)) return row;
        }
        slot = (slot + count) % size;
      }
    },
    close: () => file?.close(),
  };
}

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
function openTemporaryFile(): TemporaryFile {
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
