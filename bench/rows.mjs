import { median } from './median.mjs';

/**
 * A goal is for the ratio, or for our figure if there is nothing to compare it with.
 * @typedef {{ atLeast: number } | { atMost: number }} Goal
 */

/**
 * A line of the table; `limit` is what our figure is compared with (a limit or a floor). Without a goal it only informs.
 * @typedef {{ what: string, unit: string, ours: number, limit: number | null, ratio: number | null, goal?: Goal, holds?: boolean }} Row
 */

/**
 * A row of figures without a comparison, one for each round: their median.
 * @param {string} what
 * @param {string} unit
 * @param {readonly number[]} ours
 * @param {Goal} [goal]
 * @returns {Row}
 */
export function figure(what, unit, ours, goal) {
  return judged({ what, unit, ours: median(ours), limit: null, ratio: null }, goal);
}

/**
 * A row of figures with what they are compared with, of the same rounds. Ratios are computed within a round, since the
 * speed of machines varies.
 * @param {string} what
 * @param {string} unit
 * @param {readonly number[]} ours
 * @param {readonly number[]} limits
 * @param {Goal} [goal]
 * @returns {Row}
 */
export function comparison(what, unit, ours, limits, goal) {
  const ratios = ours.map((value, round) => value / (limits[round] ?? Number.NaN));
  return judged({ what, unit, ours: median(ours), limit: median(limits), ratio: median(ratios) }, goal);
}

/**
 * @param {Row} row
 * @param {Goal | undefined} goal
 * @returns {Row}
 */
function judged(row, goal) {
  if (!goal) return row;
  const value = row.ratio ?? row.ours;
  return { ...row, goal, holds: 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost };
}
