/** Returns counts by name, the most frequent first; equal counts are sorted by name. */
export function mostFrequent(counts: Readonly<Record<string, number>>): [name: string, count: number][] {
  return Object.entries(counts).sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
}
