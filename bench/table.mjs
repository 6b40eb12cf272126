/** @import { Row } from './rows.mjs' */

const columns = [
  { title: 'what', width: -68 },
  { title: 'ours', width: 11 },
  { title: 'limit or floor', width: 15 },
  { title: 'unit', width: -8 },
  { title: 'ratio', width: 6 },
  { title: 'goal', width: 9 },
  { title: 'holds', width: -6 },
];

/** The first line of the table. */
export const titles = lineOf(columns.map(({ title }) => title));

/**
 * A line of the table. All lines have the same widths, so that each can be printed as soon as it is known.
 * @param {Row} row
 */
export function tableLine({ what, ours, limit, unit, ratio, goal, holds }) {
  const shownRatio = ratio === null ? '' : ratio.toFixed(2);
  const verdict = holds === undefined ? '' : holds ? 'yes' : 'NO';
  const shownLimit = limit === null ? '' : number(limit);
  const shownGoal = goal === undefined ? '' : 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
  return lineOf([what, number(ours), shownLimit, unit, shownRatio, shownGoal, verdict]);
}

/** @param {string[]} cells */
function lineOf(cells) {
  const padded = cells.map((cell, index) => {
    const { width = 0 } = columns[index] ?? {};
    return width < 0 ? cell.padEnd(-width) : cell.padStart(width);
  });
  return padded.join('  ').trimEnd();
}

/** Three significant digits, and all digits before the point. @param {number} value */
function number(value) {
  const maximumFractionDigits = Number.isInteger(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits, minimumFractionDigits: maximumFractionDigits });
}
