/** Limit on rows: a number, of which `foreseen` have failed before any row was sent, or a fraction of all rows from 0 to 1. */
export type RowLimit = { rows: number; foreseen?: number } | { fraction: number };

/** Number of rows from which on a fraction is judged. */
const fewestJudged = 100;

/** Returns the number of rows that a limit allows of `whole`; not rounded. */
export function rowsIn(limit: RowLimit, whole: number): number {
  return 'rows' in limit ? limit.rows - (limit.foreseen ?? 0) : limit.fraction * whole;
}

/** True if more rows failed than a limit allows of `whole`. A fraction is judged from 100 finished rows on. */
export function isExceeded(limit: RowLimit, failed: number, whole: number, finished = whole): boolean {
  return ('rows' in limit || finished >= fewestJudged) && failed > rowsIn(limit, whole);
}

/** A limit as a person writes it: `20`, `0.5%`. */
export function describeRowLimit(limit: RowLimit): string {
  return 'rows' in limit ? String(limit.rows) : `${Number((limit.fraction * 100).toFixed(4))}%`;
}
