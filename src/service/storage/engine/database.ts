/** What a statement can be given and a row can hold. */
export type Value = string | number | null;

/** A query. */
export interface StatementCondition {
  sql: string;
  values: readonly Value[];
  /**
   * It asks only about the locked tenant, and no matter in what order the transactions of a batch are carried out, what it
   * finds at the beginning will do: it may be asked once for all of them.
   */
  isOfBatch?: boolean | undefined;
}

/** A statement with `?` for each of its values; the same text is right for SQLite and PostgreSQL. */
export interface Statement {
  sql: string;
  values: readonly Value[];
  /** Where it finds a row, the statement, `INSERT … VALUES` or `UPDATE … WHERE`, changes nothing. */
  unless?: StatementCondition;
  /** May find nothing to change. */
  optional?: boolean;
  /**
   * Key of the tenant that the transaction locks: until the commit no other transaction with this lock runs, on any
   * node. A statement needs it that changes a user, or reads what others may write meanwhile.
   */
  tenantLock?: number;
  /** Takes the next numbers of the locked tenant, which come before `values`; they are given again when it is not done. */
  numbers?: keyof typeof numbersOf;
  /**
   * PostgreSQL's types of all its values, the numbers among them, in an `INSERT … VALUES … ON CONFLICT DO NOTHING`: in
   * transactions that have nothing else, those of a batch may be one statement, which comes after all others.
   */
  types?: readonly ColumnType[];
}

export type ColumnType = 'bigint' | 'text';

/** The last numbers that a tenant has given. */
export interface Numbers {
  seq: number;
  changed: number;
}

/** The numbers of a new user and of a change. */
export const numbersOf = { user: ['seq', 'changed'], change: ['changed'] } as const;

/** How to open a database. */
export interface DatabaseOptions {
  /** Commit to a SQLite file in a thread of its own, so that requests are read and answered meanwhile. */
  commitThread?: boolean | undefined;
  /** Connections to PostgreSQL to read over; one more writes. Default 10. */
  poolSize?: number | undefined;
}

/**
 * An open database. A transaction is a list of statements, not a callback, so that many of them can share one durable
 * commit. Of two transactions that compete for a row or a unique key one wins, and the other changes nothing.
 */
export interface Database {
  /** Rows of a query over committed data. */
  query<Row>(sql: string, values: readonly Value[]): Promise<Row[]>;
  /**
   * Carries out the statements together or not at all. `true`: each changed a row (or is optional), and
   * all is on disk. `false`: one of them found no row to change or broke a unique key, and nothing has changed.
   * Rejects when it failed, and when its outcome is unknown.
   */
  commit(transaction: readonly Statement[]): Promise<boolean>;
  /** True when its file was deleted or replaced: what is written now is gone with the process. */
  isLost?(): boolean;
  /** False while its disk is full, or fails: tried where the last commit failed so. */
  canWrite?(): Promise<boolean>;
  close(): Promise<void>;
}
