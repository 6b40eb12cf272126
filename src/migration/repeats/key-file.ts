import { fullest, homeOf, placeOf, slotWords } from './key-slots.ts';
import { openTemporaryFile, type TemporaryFile } from './temporary-file.ts';

/** Keys in a temporary file, in tables of equal size. */
export interface KeyFile {
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
export function openKeyFile(keys: number, tables: number): KeyFile {
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
        const at = placeOf(whole, 0, size, slots[from] ?? 0, slots[from + 1] ?? 0);
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
