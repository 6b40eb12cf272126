/**
 * Tells new ids (true) from those that came before. Remembers the latest, in two generations: when the newer has as many
 * as it may, the older is forgotten, so that memory has an end. Pages that overlap bring a user again soon, not 10,000 users later; where it does come later, the
 * count at the end differs from the total, and the listing says so.
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
