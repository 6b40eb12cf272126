/** Collects how wide the numbers of each column are. */
export interface NumberWidths {
  /** Adds the cell between two positions; quotes around it do not count. */
  add(column: number, bytes: Uint8Array, from: number, to: number): void;
  /** Columns in which numbers begin with a zero and are all as wide as the widest number, by index, with that width. */
  padded(): ReadonlyMap<number, number>;
}

const quote = 34;
const zero = 48;
const nine = 57;
/** Narrower numbers, such as hours, say nothing; wider ones are no numbers. */
const narrowest = 3;
const widest = 40;

/** What is known of a column: nothing more is kept, however many rows there are. */
interface Widths {
  /** Of numbers that begin with a zero; `undefined` where there are none, -1 where they differ. */
  padded: number | undefined;
  /** Of the widest number. */
  widest: number;
}

/** Makes a collection of widths for the columns of one file. */
export function createNumberWidths(): NumberWidths {
  const columns: (Widths | undefined)[] = [];
  return {
    add(column, bytes, from, to) {
      const isQuoted = bytes[from] === quote;
      const start = isQuoted ? from + 1 : from;
      const end = isQuoted ? to - 1 : to;
      const width = end - start;
      if (width < narrowest || width > widest) return;
      for (let at = start; at < end; at += 1) {
        const byte = bytes[at] ?? 0;
        if (byte < zero || byte > nine) return;
      }
      columns[column] ??= { padded: undefined, widest: 0 };
      const known = columns[column];
      if (width > known.widest) known.widest = width;
      if (bytes[start] !== zero) return;
      known.padded = known.padded === undefined || known.padded === width ? width : -1;
    },
    padded() {
      const found = new Map<number, number>();
      // Holes are left out by forEach.
      columns.forEach((widths, column) => {
        if (widths && widths.padded === widths.widest) found.set(column, widths.widest);
      });
      return found;
    },
  };
}
