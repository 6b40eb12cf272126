import { fullest, openDigestFile, slotOf, slotWords } from './digest-file.ts';

/** For each key the row that had it first. */
export interface DigestTable {
  /** Tells which row had the key first: `row` itself, which is not 0, when none had it, and it has it from now on. */
  enter(high: number, low: number, row: number): number;
  close(): void;
}

/** How much memory is taken. */
export interface TableSize {
  /** Tables in memory, 2 to the power of this, at least 1. */
  tables: number;
  /** Slots of each, of 12 bytes. */
  slots: number;
  /** Most bits of the filter, 2 to the power of this, at most 32. */
  filter: number;
}

/** 3 MiB for 196,608 keys; the filter has 4 MiB for three million, and 16 at most. */
const usual: TableSize = { tables: 8, slots: 1024, filter: 27 };

/**
 * Opens an empty collection for so many keys at most, known by 64 random bits each. They are spread over tables in memory; a
 * table that is full is moved, as a whole, to one of its own in a file. A filter knows what was moved, so that the file is read
 * for few keys but those that it has.
 */
export function openDigestTable(keys: number, room = usual): DigestTable {
  const tables = 2 ** room.tables;
  const shift = 32 - room.tables;
  const size = room.slots;
  const most = Math.floor(size * fullest);
  const slots = new Uint32Array(tables * size * slotWords);
  const held = new Uint32Array(tables);
  const filter = createBloomFilter(keys, room.filter);
  const file = openDigestFile(keys, tables);

  function move(table: number): void {
    const full = slots.subarray(table * size * slotWords, (table + 1) * size * slotWords);
    for (let at = 0; at < full.length; at += slotWords) {
      if (full[at + 2] !== 0) filter.add(full[at] ?? 0, full[at + 1] ?? 0);
    }
    file.add(table, full);
    full.fill(0);
    held[table] = 0;
  }

  return {
    enter(high, low, row) {
      const table = high >>> shift;
      const at = slotOf(slots, table * size, size, high, low);
      const known = slots[at + 2] || (filter.mayHave(high, low) && file.rowOf(table, high, low));
      if (known) return known;
      slots[at] = high;
      slots[at + 1] = low;
      slots[at + 2] = row;
      held[table] = (held[table] ?? 0) + 1;
      if (held[table] === most) move(table);
      return row;
    },
    close: file.close,
  };
}

/** Says of most keys that it never got that it never got them, and of each that it got, that it may have. */
export interface BloomFilter {
  add(high: number, low: number): void;
  mayHave(high: number, low: number): boolean;
}

/** Bits of each key: with eight in the filter for every key, about one other in forty is taken for one of them. */
const bitsOfKey = 4;

/** Makes an empty filter for so many keys, of 8 to 16 bits each, or 2 to the power of `most` bits if that is less. */
export function createBloomFilter(keys: number, most: number): BloomFilter {
  const power = Math.max(5, Math.min(most, Math.ceil(Math.log2(8 * keys + 1))));
  const words = new Uint32Array(2 ** (power - 5));
  const shift = 32 - power;
  return {
    add(high, low) {
      for (let time = 0, sum = low; time < bitsOfKey; time += 1, sum += high) {
        const bit = sum >>> shift;
        words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
      }
    },
    mayHave(high, low) {
      for (let time = 0, sum = low; time < bitsOfKey; time += 1, sum += high) {
        const bit = sum >>> shift;
        if (((words[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
      }
      return true;
    },
  };
}
