/** How many rows may fail before a run stops: a number of rows, or a share of the rows done, from 0 to 1. */
export type FailureLimit = { rows: number } | { share: number };

/** Rows that must be done before a share is judged. */
const fewestJudged = 100;

/** Says whether so many failures of so many rows done are more than the limit allows. */
export function exceeds(limit: FailureLimit, failed: number, done: number): boolean {
  if ('rows' in limit) return failed > limit.rows;
  return done >= fewestJudged && failed > limit.share * done;
}

/** The limit as a person writes it. */
export function wordsOf(limit: FailureLimit): string {
  return 'rows' in limit ? String(limit.rows) : `${Number((limit.share * 100).toFixed(4))}%`;
}
