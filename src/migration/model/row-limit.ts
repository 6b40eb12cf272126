/** Limit on rows: a number, or a fraction of all rows from 0 to 1. */
export type RowLimit = { rows: number } | { fraction: number };

/** A limit as a person writes it: `20`, `0.5%`. */
export function describeRowLimit(limit: RowLimit): string {
  return 'rows' in limit ? String(limit.rows) : `${Number((limit.fraction * 100).toFixed(4))}%`;
}
