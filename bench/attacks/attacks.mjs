import { measureGuesses } from './guesses.mjs';
import { measureLoad } from './load.mjs';

/** @import { Options } from '../options.mjs' */

/**
 * Attacks on a service from outside, without credentials.
 * @param {Options} options
 */
export async function* measure(options) {
  const isWanted = (/** @type {string} */ part) => options.only?.includes(part) !== false;
  if (isWanted('guesses')) yield* measureGuesses(options);
  if (isWanted('load')) yield* measureLoad(options);
}
