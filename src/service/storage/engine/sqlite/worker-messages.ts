import type { Statement, Value } from '../database.ts';

/** Units as they go to another thread: lists of values are copied several times faster than objects that repeat their SQL. */
export interface PackedTransactions {
  /** Texts that were not sent before; they are numbered in the order in which they come. */
  texts: string[];
  /** The statements of each unit. */
  units: PackedStatement[][];
}

/** Number of the text, 1 when optional, values. */
type PackedStatement = [text: number, optional: 0 | 1, values: readonly Value[]];

/** Packs units for one receiver, who knows the texts of what was packed for it before. */
export function createPacker(): (units: readonly (readonly Statement[])[]) => PackedTransactions {
  const known = new Map<string, number>();
  return (units) => {
    const texts: string[] = [];
    const numberOf = (sql: string) => {
      const number = known.get(sql) ?? known.size;
      if (number === known.size) {
        known.set(sql, number);
        texts.push(sql);
      }
      return number;
    };
    const packed = units.map((unit) =>
      unit.map(({ sql, values, optional }): PackedStatement => [numberOf(sql), optional ? 1 : 0, values]),
    );
    return { texts, units: packed };
  };
}

/** Reads what a packer makes, in its order. */
export function createUnpacker(): (packed: PackedTransactions) => Statement[][] {
  const known: string[] = [];
  return ({ texts, units }) => {
    known.push(...texts);
    return units.map((unit) =>
      unit.map(([text, optional, values]) => ({
        sql: known[text] ?? '',
        values,
        optional: optional === 1,
      })),
    );
  };
}
