/** Limit on rows: a number, or a fraction of all rows from 0 to 1. */
export type RowLimit = { rows: number } | { fraction: number };

/** Returns the number of rows that a limit allows of `whole`; not rounded. */
export function rowsIn(limit: RowLimit, whole: number): number {
  return 'rows' in limit ? limit.rows : limit.fraction * whole;
}

/** A limit as a person writes it: `20`, `0.5%`. */
export function describeRowLimit(limit: RowLimit): string {
  return 'rows' in limit ? String(limit.rows) : `${Number((limit.fraction * 100).toFixed(4))}%`;
}
