/** Returns the name that was probably meant: at most two letters off, ignoring case and separators. */
export function nearest(given: string, names: Iterable<string>): string | undefined {
  return nearestNames(given, names)[0];
}

/** Returns `Did you mean list? `, to put before other words, or an empty text if no name is close. */
export function guess(given: string, names: Iterable<string>): string {
  const name = nearest(given, names);
  return name === undefined ? '' : `Did you mean ${name}? `;
}

/** Returns all names that may have been meant, the most likely first. */
export function nearestNames(given: string, names: Iterable<string>): string[] {
  const plain = plainOf(given);
  return [...names]
    .map((name) => ({ name, distance: distanceOf(plain, plainOf(name)) }))
    .filter(({ name, distance }) => distance <= Math.min(2, name.length / 3))
    .sort((one, other) => one.distance - other.distance)
    .map(({ name }) => name);
}

function plainOf(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[\s_./-]/g, '');
}

/** Damerau-Levenshtein distance: letters to insert, delete or replace, and adjacent letters to swap. */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 0; line < one.length; line++) {
    const next = [line + 1];
    for (let column = 0; column < other.length; column++) {
      const replaced = (row[column] ?? 0) + (other[column] === one[line] ? 0 : 1);
      const areExchanged =
        line > 0 && column > 0 && other[column] === one[line - 1] && other[column - 1] === one[line];
      const exchanged = areExchanged ? (before[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, exchanged, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
