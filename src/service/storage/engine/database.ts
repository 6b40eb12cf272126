/** What a statement can be given and a row can hold. */
export type Value = string | number | null;

/** A statement with `?` for each of its values; the same text is right for SQLite and PostgreSQL. */
export interface Statement {
  sql: string;
  values: readonly Value[];
  /** May find nothing to change. */
  optional?: boolean;
  /**
   * Key of the tenant whose turn the unit takes (0: the service's own): from here to the commit no other unit of
   * this turn runs, on any node. Whoever changes a user or reads what it writes (`max(seq) + 1`) takes it.
   */
  tenantLock?: number;
}

/**
 * The door to the data. A unit is data, not code, so that many of them share one durable commit: of two units
 * that compete for a row or a unique key one wins and the other changes nothing.
 */
export interface Database {
  /** Rows of a query over committed data. */
  query<Row>(sql: string, values: readonly Value[]): Promise<Row[]>;
  /**
   * Carries out the statements together or not at all. `true`: each changed a row (or is optional), and
   * all is on disk. `false`: one of them found no row to change or broke a unique key, and nothing has changed.
   * Rejects when it failed, and when it is not known what became of it.
   */
  commit(unit: readonly Statement[]): Promise<boolean>;
  close(): Promise<void>;
}
