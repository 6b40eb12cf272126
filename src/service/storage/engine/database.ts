import { StoreError } from './store-error.ts';

/** A parameter of a statement, or a value in a row. */
export type Value = string | number | null;

/**
 * Returns a value that both databases store whole. PostgreSQL has no U+0000 in texts, and SQLite cuts a text there, so that `id\0x`
 * would find `id`. No rule accepts U+0000 in a stored value, and a look-up with it must find nothing. The last code point, which is
 * not a character either, takes its place.
 */
export function storable(value: Value): Value {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{10ffff}') : value;
}

/** A query that serves as a condition. */
export interface StatementCondition {
  sql: string;
  values: readonly Value[];
  /**
   * True if the query concerns only the locked tenant, and its result at the beginning of a batch is right for all transactions of
   * the batch, in any order: it may run once for all of them.
   */
  isOfBatch?: boolean | undefined;
}

/** A statement with `?` for each of its values; the same text works for SQLite and PostgreSQL. */
export interface Statement {
  sql: string;
  values: readonly Value[];
  /** If this query finds a row, the statement (`INSERT … VALUES` or `UPDATE … WHERE`) changes nothing. */
  unless?: StatementCondition;
  /** True if the statement may find nothing to change. */
  optional?: boolean;
  /**
   * Key of the tenant that the transaction locks: until the commit no other transaction with this lock runs, on any node. Required
   * for statements that change a user, or read what others may write meanwhile.
   */
  tenantLock?: number;
  /** Takes the next numbers of the locked tenant, which precede `values`; they are reused if the statement is not carried out. */
  numbers?: keyof typeof numbersOf;
  /**
   * PostgreSQL types of all values, including the numbers, of an `INSERT … VALUES … ON CONFLICT DO NOTHING`. Transactions that
   * consist of such inserts only may be combined into one statement per batch, which runs after all others.
   */
  types?: readonly ColumnType[];
}

export type ColumnType = 'bigint' | 'text';

/** The last numbers that a tenant has assigned. */
export interface Numbers {
  seq: number;
  changed: number;
}

/** The numbers that a new user and a change take. */
const numbersOf = { user: ['seq', 'changed'], change: ['changed'] } as const;

/** Returns the values of a statement, preceded by the numbers that it takes from its tenant; increments `last`. */
export function takeNumbers({ numbers, values }: Statement, last: Numbers | undefined): readonly Value[] {
  if (!numbers) return values;
  if (!last) throw new StoreError('the table "numbers" has no row of the tenant');
  const taken = numbersOf[numbers].map((name) => {
    last[name] += 1;
    return last[name];
  });
  return [...taken, ...values];
}

/** Options for opening a database. */
export interface DatabaseOptions {
  /** Commits to a SQLite file in a thread of its own, so that requests are read and answered meanwhile. */
  commitThread?: boolean | undefined;
  /** Number of PostgreSQL connections for reading; one more is used for writing. Default 10. */
  poolSize?: number | undefined;
}

/**
 * An open database. A transaction is a list of statements, not a callback, so that many of them can share one durable commit. If
 * two transactions compete for a row or a unique key, one wins, and the other changes nothing.
 */
export interface Database {
  /** Returns the rows of a query over committed data. */
  query<Row>(sql: string, values: readonly Value[]): Promise<Row[]>;
  /**
   * Carries out the statements together or not at all. Resolves to `true` if each changed a row (or is optional) and all is on
   * disk, and to `false` if one of them found no row to change or broke a unique key, and nothing has changed. Rejects if it
   * failed, and if its outcome is unknown.
   */
  commit(transaction: readonly Statement[]): Promise<boolean>;
  /**
   * True if the database file was deleted or replaced: anything written now would be lost when the process ends, so commits fail.
   * Throws if the file cannot be examined.
   */
  isLost?(): boolean;
  /**
   * False while the disk is full or fails, the file is damaged, or the server takes no changes. Tries to write only if an earlier commit
   * failed because of that.
   */
  canWrite(): Promise<boolean>;
  /** Lets everything under way fail at once, so that `close` does not wait for it. The outcome of commits is unknown then. */
  breakOff?(): void;
  close(): Promise<void>;
}
