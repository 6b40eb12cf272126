/**
 * A number with a comma between thousands, and with its noun where one is given: `1 row`, `12,000 rows`. `Intl` would do
 * it too, and take 9 MB of memory, and longer to load than the rest of the program.
 */
export function formatCount(count: number, noun?: string): string {
  const digits = String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return noun === undefined ? digits : `${digits} ${noun}${count === 1 ? '' : 's'}`;
}

/** A number a second as a person reads it: 0.5, 9.8, 1,200. */
export function formatRate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : formatCount(Math.round(perSecond));
}
