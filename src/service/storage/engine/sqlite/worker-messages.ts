import type { Statement, Value } from '../database.ts';

/** Transactions as passed to another thread: lists of values are copied faster than objects that repeat their SQL. */
export interface PackedTransactions {
  /** SQL texts that were not sent before; texts are numbered in the order in which they are sent. */
  texts: string[];
  /** The statements of each transaction. */
  transactions: PackedStatement[][];
}

/** Number of the text, 1 if optional, values; then rarely used fields: number of the text of `unless`, and the rest of it. */
type PackedStatement = [
  text: number,
  optional: 0 | 1,
  values: readonly Value[],
  tenantLock?: number,
  numbers?: Statement['numbers'],
  unless?: number,
  unlessValues?: readonly Value[],
  isOfBatch?: boolean | undefined,
];

/** Returns a packer for one receiver, which remembers the texts sent to it before. */
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
    const packStatement = (statement: Statement): PackedStatement => {
      const { sql, values, optional, tenantLock, numbers, unless } = statement;
      const packed: PackedStatement = [addText(sql), optional ? 1 : 0, values];
      if (numbers) packed.push(tenantLock, numbers);
      if (unless) {
        packed[5] = addText(unless.sql);
        packed[6] = unless.values;
        packed[7] = unless.isOfBatch;
      }
      return packed;
    };
    return { texts, transactions: transactions.map((transaction) => transaction.map(packStatement)) };
  };
}

/** Returns an unpacker for the messages of one packer, in order. It restores what the commit thread needs of the statements. */
export function createUnpacker(): (packed: PackedTransactions) => Statement[][] {
  const known: string[] = [];
  const textOf = (number: number) => known[number] ?? '';

  function unpackStatement([
    text,
    optional,
    values,
    tenantLock,
    numbers,
    unless,
    unlessValues = [],
    isOfBatch,
  ]: PackedStatement): Statement {
    return {
      sql: textOf(text),
      values,
      optional: optional === 1,
      ...(tenantLock !== undefined && numbers ? { tenantLock, numbers } : {}),
      ...(unless === undefined ? {} : { unless: { sql: textOf(unless), values: unlessValues, isOfBatch } }),
    };
  }

  return ({ texts, transactions }) => {
    known.push(...texts);
    return transactions.map((transaction) => transaction.map(unpackStatement));
  };
}
