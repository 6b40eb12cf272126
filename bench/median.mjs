/**
 * The middle one of some numbers; NaN of none.
 * @param {readonly number[]} values
 */
export function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
