/**
 * The median of some numbers; NaN without any.
 * @param {readonly number[]} values
 */
export function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
