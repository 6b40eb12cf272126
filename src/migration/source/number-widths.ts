import type { FixedWidth } from '../model/source-record.ts';

/** Collects how wide the numbers of each column are. */
export interface NumberWidths {
  /** Adds the cell between two positions; quotes around it do not count. */
  add(column: number, bytes: Uint8Array, from: number, to: number): void;
  /** Columns whose numbers should be of one width, by index. */
  fixed(): ReadonlyMap<number, FixedWidth>;
}

const quote = 34;
const zero = 48;
const nine = 57;
/** Narrower numbers, such as hours, say nothing; wider ones are no numbers. */
const narrowest = 3;
const widest = 40;

/** Numbers of which so many tell of a width that they share, and the part of them that may have lost it. */
const fewestAlike = 20;
const mostOthers = 0.2;

/** What is known of a column: nothing more is kept, however many rows there are. */
interface Widths {
  numbers: number;
  /** Numbers of the widest width. */
  alike: number;
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
      columns[column] ??= { numbers: 0, alike: 0, padded: undefined, widest: 0 };
      const known = columns[column];
      known.numbers += 1;
      if (width > known.widest) Object.assign(known, { widest: width, alike: 0 });
      if (width === known.widest) known.alike += 1;
      if (bytes[start] !== zero) return;
      known.padded = known.padded === undefined || known.padded === width ? width : -1;
    },
    fixed() {
      const found = new Map<number, FixedWidth>();
      // Holes are left out by forEach.
      columns.forEach((widths, column) => {
        if (!widths) return;
        const { padded, widest: digits, numbers, alike } = widths;
        if (padded === digits) found.set(column, { digits, isPadded: true });
        else if (padded === undefined && alike >= fewestAlike && alike >= (1 - mostOthers) * numbers)
          found.set(column, { digits, isPadded: false });
      });
      return found;
    },
  };
}
