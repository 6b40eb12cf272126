import { InvalidArgumentError } from '@commander-js/extra-typings';

/** Option parser: `N/s`, a whole number of requests a second from 1. */
export function ratePerSecond(text: string): number {
  const rate = Number(/^(\d{1,6})\/s$/.exec(text)?.[1] ?? 0);
  if (rate < 1) throw new InvalidArgumentError('It must be a number of requests a second, such as 100/s.');
  return rate;
}
