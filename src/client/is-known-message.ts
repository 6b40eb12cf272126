import { errorCatalogue } from '../contract/errors.ts';
import { localErrors } from '../contract/local-errors.ts';
import { quotePattern } from './quote-pattern.ts';

/** Messages of the API as the catalogue has them, with numbers in their gaps. */
const known = [...Object.values(errorCatalogue), ...Object.values(localErrors)].map(
  ({ message }) => new RegExp(`^${quotePattern(message).replace(/\\\{\d\\\}/g, '\\d+')}$`),
);

/**
 * True for a message in the API's own words, with at most numbers filled in: it repeats nothing of a request. To hide a
 * password in it that is one of these words would tell what the password is.
 */
export function isKnownMessage(text: string): boolean {
  return known.some((pattern) => pattern.test(text));
}
