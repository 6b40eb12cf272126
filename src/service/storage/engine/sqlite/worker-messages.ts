import type { Statement, Value } from '../database.ts';

/** Transactions as they are passed to another thread: lists of values are copied faster than objects that repeat their SQL. */
export interface PackedTransactions {
  /** SQL texts that were not sent before; all texts are numbered in the order in which they are sent. */
  texts: string[];
  /** The statements of each transaction. */
  transactions: PackedStatement[][];
}

/** Number of the text, 1 when optional, values. */
type PackedStatement = [text: number, optional: 0 | 1, values: readonly Value[]];

/** Packs transactions for one receiver, which remembers the texts that it was sent before. */
export function createPacker(): (transactions: readonly (readonly Statement[])[]) => PackedTransactions {
  const known = new Map<string, number>();
  return (transactions) => {
    const texts: string[] = [];
    const addText = (sql: string) => {
      const number = known.get(sql) ?? known.size;
      if (number === known.size) {
        known.set(sql, number);
        texts.push(sql);
      }
      return number;
    };
    const packed = transactions.map((transaction) =>
      transaction.map(
        ({ sql, values, optional }): PackedStatement => [addText(sql), optional ? 1 : 0, values],
      ),
    );
    return { texts, transactions: packed };
  };
}

/** Reads the messages of one packer, in their order. */
export function createUnpacker(): (packed: PackedTransactions) => Statement[][] {
  const known: string[] = [];
  return ({ texts, transactions }) => {
    known.push(...texts);
    return transactions.map((transaction) =>
      transaction.map(([text, optional, values]) => ({
        sql: known[text] ?? '',
        values,
        optional: optional === 1,
      })),
    );
  };
}
