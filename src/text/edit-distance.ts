/** The name that was probably meant: at most two letters off, whatever its case and separators. */
export function nearest(given: string, names: Iterable<string>): string | undefined {
  return nearestNames(given, names)[0];
}

/** All names that may have been meant, the likeliest first. */
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

/** Levenshtein's distance: letters to insert, delete or replace. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (let column = 0; column < other.length; column++) {
      const replaced = (row[column] ?? 0) + (other[column] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
