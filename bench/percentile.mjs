/**
 * The smallest value that a part of all (0.99: 99 of 100) does not exceed; NaN without any.
 * @param {readonly number[]} values
 * @param {number} part
 */
export function percentile(values, part) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
}
