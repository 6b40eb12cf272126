import { measureGuesses } from './guesses.mjs';
import { measureLoad } from './load.mjs';

/** @import { Options } from '../options.mjs' */

/**
 * Attacks on a service from outside, without credentials.
 * @param {Options} options
 */
export async function* measure(options) {
  yield* measureGuesses(options);
  yield* measureLoad(options);
}
