/**
 * Returns a function that is true for an id it has not seen. To bound memory, it keeps two generations of the latest ids, and drops
 * the older when the newer is full. Overlapping pages repeat a user soon, not 10,000 users later; a later repeat makes the final
 * count differ from the total, which the listing reports.
 */
export function createSeenIds(generation = 10_000): (id: string) => boolean {
  let newer = new Set<string>();
  let older = new Set<string>();
  return (id) => {
    if (newer.has(id) || older.has(id)) return false;
    newer.add(id);
    if (newer.size === generation) [older, newer] = [newer, new Set()];
    return true;
  };
}
