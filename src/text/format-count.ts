/**
 * Formats a number with commas between thousands, and with a noun if given: `1 row`, `12,000 rows`. `Intl` could do this too, but
 * it takes 9 MB of memory, and longer to load than the rest of the program.
 */
export function formatCount(count: number, noun?: string): string {
  const digits = String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return noun === undefined ? digits : `${digits} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a rate per second for people: 0.5, 9.8, 1,200. */
export function formatRate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : formatCount(Math.round(perSecond));
}
