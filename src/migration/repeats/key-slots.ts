/** Words of a slot: both halves of a key's digest, and the row that had it first; 0 where the slot is free. */
export const slotWords = 3;

/** Part of the slots that is in use at most: beyond it the ways to a free one get long. */
export const fullest = 0.75;

/** The slot, of `size`, from which on a key is sought. Keys in the order of their slots are so in a table of any size. */
export function homeOf(low: number, size: number): number {
  return Math.floor(low * (size / 2 ** 32));
}

/**
 * Finds a key in a table of `size` slots that begins at slot `from`: the index of the first word of its slot, or of
 * the free one in which it belongs. One at least must be free.
 */
export function placeOf(slots: Uint32Array, from: number, size: number, high: number, low: number): number {
  const end = (from + size) * slotWords;
  let at = (from + homeOf(low, size)) * slotWords;
  while (slots[at + 2] !== 0 && (slots[at] !== high || slots[at + 1] !== low)) {
    at += slotWords;
    if (at === end) at = from * slotWords;
  }
  return at;
}
