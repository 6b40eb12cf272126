import type { FixedWidth } from '../model/source-record.ts';

/** Shorter numbers, such as hours, prove nothing; longer ones are not numbers. */
const narrowest = 3;
const widest = 40;
const digits = /^\d+$/;

/** A width without padding is fixed if `fewestAlike` numbers share it, and at most the part `mostOthers` does not. */
const fewestAlike = 20;
const mostOthers = 0.2;

/** State of one column, of constant size however many rows there are. */
interface Widths {
  numbers: number;
  /** How many numbers have the largest width. */
  alike: number;
  /** Width of the numbers that begin with a zero; `undefined` if there are none, -1 if their widths differ. */
  padded: number | undefined;
  /** The largest width. */
  widest: number;
}

/** Creates an empty collection of the widths, in digits, of the numbers in each column of a file. */
export function createNumberWidths() {
  const columns: (Widths | undefined)[] = [];

  function count(column: number, width: number, isPadded: boolean): void {
    columns[column] ??= { numbers: 0, alike: 0, padded: undefined, widest: 0 };
    const known = columns[column];
    known.numbers += 1;
    if (width > known.widest) Object.assign(known, { widest: width, alike: 0 });
    if (width === known.widest) known.alike += 1;
    if (isPadded) known.padded = known.padded === undefined || known.padded === width ? width : -1;
  }

  return {
    add(column: number, text: string): void {
      const isMeasured = text.length >= narrowest && text.length <= widest && digits.test(text);
      if (isMeasured) count(column, text.length, text.startsWith('0'));
    },
    /** Columns whose numbers should all have the same width, by index. */
    fixed(): ReadonlyMap<number, FixedWidth> {
      const found = new Map<number, FixedWidth>();
      // `forEach` skips columns without numbers.
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
